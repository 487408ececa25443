/** Names → flat typed environment → nested frozen config. */
import { availableParallelism } from 'node:os'
import { type Level, levels } from '@stateeval/sandbox'
import { baseConfig, baseSettings, deepFreeze, defineSettings, type Environment, readSettings } from '@stateeval/service-kit'

export const settings = defineSettings({
  ...baseSettings,
  STATEEVAL_SANDBOX: {
    type: 'string',
    default: 'warm-jail',
    choices: [...levels],
    doc: 'How candidate code is isolated: process-jail gives each input a jail and a process of its own; warm-jail a V8 isolate (JavaScript) or a fork (Python) in a jail that stays; unsafe-process is no isolation, for machines where code may do no harm; every observation says so',
  },
  STATEEVAL_SANDBOX_CACHE: {
    type: 'string',
    optional: true,
    doc: 'Folder for the sandbox’s prepared runtime, which nobody else may write to. Default: one in the system’s temporary folder',
  },
  SESSIONS_MONGODB_URI: {
    type: 'url',
    optional: true,
    secret: true,
    doc: 'MongoDB for the databases of session-service runs, with a user that sees nothing else. Default: MONGODB_URI',
  },
})

export function readConfig(env: Environment) {
  const values = readSettings(settings, env)
  const base = baseConfig('execution', values)
  // One program for each core: more at a time only slow each other down.
  const concurrency = base.worker.concurrency ?? availableParallelism()
  return deepFreeze({
    ...base,
    worker: { ...base.worker, concurrency },
    sandbox: {
      level: values.STATEEVAL_SANDBOX as Level,
      concurrency,
      ...(values.STATEEVAL_SANDBOX_CACHE !== undefined && { cache: values.STATEEVAL_SANDBOX_CACHE }),
    },
    sessions: { mongodb: values.SESSIONS_MONGODB_URI ?? base.mongo.uri },
  })
}
export type Config = ReturnType<typeof readConfig>
