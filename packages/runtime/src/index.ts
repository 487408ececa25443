export { findCacheFolder } from './cache-folder.ts'
export type { HandleCall } from './calls/calls.ts'
export type { CaptureReply } from './captured-request.ts'
export type { ProgramCell, CellEnd, CellKind, RunnerPart } from './cell.ts'
export { JailCell } from './cells/jail.ts'
export {
  type ExceededPreparation,
  type LanguageRuntime,
  getSeparateLevel,
  type PreparedCode,
} from './language.ts'
export { type IsolationLevel, levels, chooseStronger } from './level.ts'
export { completeLimits, defaultLimits, computeExchangedBytes, computeTmpBytes } from './limits.ts'
export type { InputJob, RunOutcome } from './protocol.ts'
export type { CallReply, ProgramSurface, SurfaceHost, SurfaceResult } from './surface.ts'
export {
  type CanaryRules,
  type CanaryProgram,
  type CleanConfirmation,
  mergeConfirmations,
} from './warm/canary.ts'
export { createWarmCells } from './warm/cells.ts'
export type { ForkReport, ForkedJob, RunnerSetup } from './warm/fork-protocol.ts'
export { ForkingRunner } from './warm/forks.ts'
