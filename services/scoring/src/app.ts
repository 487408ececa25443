/** The service: its contract, its routes and jobs, and what they share. */
import { defineService } from '@stateeval/service-kit'
import { operations } from './bodies.ts'
import { readConfig, settings } from './config.ts'
import { buildContext } from './context.ts'
import { scoreJob } from './jobs/score.ts'
import { handlers } from './routes/index.ts'

export const scoring = defineService({
  name: 'scoring',
  description: 'Step 4, score: observations against oracles.',
  settings,
  readConfig,
  buildContext,
  operations,
  bodies: new URL('./bodies.ts', import.meta.url),
  handlers,
  jobs: () => [scoreJob],
  close: ({ threads }) => threads.close(),
})
