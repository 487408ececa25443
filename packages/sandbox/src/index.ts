export {
  type CallReply,
  type CaptureReply,
  completeLimits,
  mergeConfirmations,
  type CleanConfirmation,
  defaultLimits,
  computeExchangedBytes,
  type IsolationLevel,
  levels,
  chooseStronger,
  type ProgramSurface,
  type SurfaceHost,
  type SurfaceResult,
} from '@stateeval/runtime'
export type { ExaminedInterpreter } from '@stateeval/runtime-python'
export { attributeRuns, markBegun, createOwnFailure } from './attribution.ts'
export { isServing } from './canary.ts'
export { createSandbox } from './create-sandbox.ts'
export { InitialError } from './initial-error.ts'
export { LackOfMemory } from './lack-of-memory.ts'
export { createLocalSandbox, type LocalSandbox } from './local-sandbox.ts'
export { createNoWorld } from './no-world.ts'
export * from './sandbox.ts'
export { silent, type RunTelemetry } from './telemetry.ts'
export * from './world.ts'
export { limitConcurrency } from './wrappers/limit-concurrency.ts'
