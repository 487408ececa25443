/** The service: its contract, its routes and jobs, and what they share. */
import { defineService, expireLongWork } from '@stateeval/service-kit'
import { operations } from './bodies.ts'
import { readConfig, settings } from './config.ts'
import { buildContext } from './context.ts'
import { generateJob } from './jobs/generate.ts'
import { handlers } from './routes/index.ts'
import { sweepGenerations } from './sweep.ts'

export const traceGeneration = defineService({
  name: 'trace-generation',
  description: 'Step 1, generate: programs from the state machine of a scenario.',
  settings,
  readConfig,
  buildContext,
  operations,
  bodies: new URL('./bodies.ts', import.meta.url),
  handlers,
  jobs: () => [generateJob],
  sweep: sweepGenerations,
  expire: ({ mongo }, before, signal) =>
    expireLongWork(mongo, 'trace-generation', 'generations', before, signal),
})
