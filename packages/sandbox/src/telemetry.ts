/** Measurements of a sandbox's work, for metrics; they never change a result. */
import type { ExecutionEnding, Language } from '@stateeval/contracts'
import type { IsolationLevel, RunnerPart } from '@stateeval/runtime'

/**
 * Phases of a run, in order: creating its world, finding a cell, running the program, reading the world,
 * closing everything.
 */
export type RunPhase = 'world' | 'cell' | 'program' | 'observe' | 'close'

export interface RunTelemetry {
  phase(name: RunPhase, language: Language, ms: number): void
  /** Reports the time of a part as the runner measured it: never more than `program` took. */
  part?(name: RunnerPart, language: Language, ms: number): void
  /** A program needed what a warm runner hasn’t got. */
  bailed(what: string): void
  ended(ending: ExecutionEnding['status'], level: IsolationLevel, language: Language): void
  /** CPU time that a run took, in milliseconds, as far as it is known; also of one that bailed. */
  used?(cpuMs: number, level: IsolationLevel, language: Language): void
  /** A canary has run in a warm jail; the problem is what it found there of earlier programs. */
  canary?(problem: string | undefined): void
  /** A run got a second turn, alone. */
  repeated(): void
}

export const silent: RunTelemetry = { phase: () => {}, bailed: () => {}, ended: () => {}, repeated: () => {} }
