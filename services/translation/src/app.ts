/** The service: its contract, its routes and jobs, and what they share. */
import { defineService, expireLongWork } from '@stateeval/service-kit'
import { operations } from './bodies.ts'
import { readConfig, settings } from './config.ts'
import { buildContext } from './context.ts'
import { translateJob } from './jobs/translate.ts'
import { handlers } from './routes/index.ts'
import { sweepTranslations } from './sweep.ts'

export const translation = defineService({
  name: 'translation',
  description: 'Step 2, translate: programs to verified instructions.',
  settings,
  readConfig,
  buildContext,
  operations,
  bodies: new URL('./bodies.ts', import.meta.url),
  handlers,
  jobs: () => [translateJob],
  sweep: sweepTranslations,
  expire: ({ mongo }, before, signal) => expireLongWork(mongo, 'translation', 'translations', before, signal),
  close: ({ threads }) => threads.close(),
})
