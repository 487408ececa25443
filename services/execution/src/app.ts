/** The service: its contract, its routes and jobs, and what they share. */
import { defineService, expireLongWork } from '@stateeval/service-kit'
import { operations } from './bodies.ts'
import { readConfig, settings } from './config.ts'
import { buildContext, closeContext } from './context.ts'
import { listMissingProviders } from './check-provider.ts'
import { executeAskedJob, executeJob, tensorsAskedJob, tensorsJob } from './jobs/execute.ts'
import { sessionJob } from './jobs/session.ts'
import { handlers } from './routes/index.ts'
import { expireSessions } from './sessions/store.ts'
import { sweepExecutions } from './sweep.ts'
import { summarizeWorlds } from './worlds.ts'

export const execution = defineService({
  name: 'execution',
  description: 'Step 3, execute: programs in a sandbox, and tool sessions, against real worlds.',
  settings,
  readConfig,
  buildContext,
  operations,
  bodies: new URL('./bodies.ts', import.meta.url),
  handlers,
  jobs: ({ tensorPrograms }) => [
    ...(tensorPrograms === 'only' ? [] : [executeJob, executeAskedJob, sessionJob]),
    ...(tensorPrograms === 'none' ? [] : [tensorsJob, tensorsAskedJob]),
  ],
  answers: ({ tensorPrograms }) => ({
    worlds: summarizeWorlds,
    ...(tensorPrograms !== 'none' && { providers: listMissingProviders }),
  }),
  sweep: sweepExecutions,
  expire: async ({ mongo }, before, signal) =>
    (await expireLongWork(mongo, 'execution', 'executions', before, signal)) +
    (await expireSessions(mongo, before, signal)),
  close: closeContext,
})
