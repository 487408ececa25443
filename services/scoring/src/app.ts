/** The service: its contract, its routes and jobs, and what they share. */
import { scoringOperations as operations } from '@stateeval/contracts'
import { defineService } from '@stateeval/service-kit'
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
  handlers,
  jobs: [scoreJob],
  async close({ threads, compareThreads }) {
    await threads.close()
    await compareThreads.close()
  },
})
