import type { MakeWorld } from '@stateeval/sandbox'
import { defineSettings } from '@stateeval/service-kit'
import { createSessionWorld } from './world.ts'

export { createApp, type SessionServiceParts } from './app.ts'
export type { StoreEvents, RequestLimits as SessionServiceLimits } from './context.ts'
export { createClockIds, createIds } from './ids.ts'
export {
  createSessionWorld,
  type OpenSessionWorld,
  type SessionObservation,
  type SessionWorldOptions,
} from './world.ts'

export const settings = defineSettings({
  SESSIONS_MONGODB_URI: {
    type: 'url',
    optional: true,
    secret: true,
    doc: 'MongoDB for the databases of session-service runs, with a user limited to them. Default: MONGODB_URI',
  },
})
export const createWorld: MakeWorld = ({ mongodb, namespace, concurrency, settings: values }) => {
  const uri = values['SESSIONS_MONGODB_URI']
  return createSessionWorld({
    mongodb: typeof uri === 'string' ? uri : mongodb,
    prefix: namespace,
    poolSize: concurrency,
  })
}
