export { createApp, type SessionServiceParts } from './app.ts'
export type { Events, Limits as SessionServiceLimits } from './context.ts'
export { createClockIds, createIds } from './ids.ts'
export {
  createSessionWorld,
  type OpenSessionWorld,
  type SessionObservation,
  type SessionWorldOptions,
} from './world.ts'
