/** A language of candidates: how its code is prepared, and the cells in which it runs. */
import type { CapturedError, ExecutionEnding, Language, ExecutionLimits } from '@stateeval/contracts'
import type { ProgramCell, CellKind } from './cell.ts'
import type { ContainerStarter, JailCapabilities } from '@stateeval/jail'
import type { IsolationLevel } from './level.ts'

/** The level of a run in a separate jail with these walls. */
export const getSeparateLevel = ({ jailed }: JailCapabilities): IsolationLevel =>
  jailed ? 'process-jail' : 'unsafe-process'

/** Prepared code, or why it cannot run. */
export type PreparedCode =
  | { status: 'ready'; source: string; columnOffset: number }
  | { status: 'refused'; reason: 'syntax' | 'no_code'; error: CapturedError }

/** Preparation alone exceeded the limits. */
export interface ExceededPreparation {
  status: 'exceeded'
  ending: ExecutionEnding
}

export interface LanguageRuntime {
  language: Language
  versions: Readonly<Record<string, string>>
  /** Describes the runner and all that is in the jail with it. */
  fingerprint: string
  walls: JailCapabilities
  /** `globals` are the names that the run defines. What this takes counts against the limits. */
  prepare(
    code: string,
    globals: readonly string[],
    limits: ExecutionLimits,
  ): PreparedCode | Promise<PreparedCode | ExceededPreparation>
  /** Makes a jail for one program. Rejects with a JailError where none is available. */
  single(limits: ExecutionLimits, kind: CellKind): Promise<ProgramCell>
  /**
   * Makes a container for one program, behind gVisor's kernel. Rejects with a JailError where none is
   * available.
   */
  contained(containers: ContainerStarter, limits: ExecutionLimits, kind: CellKind): Promise<ProgramCell>
  /** A turn in a warm jail, for a program of this owner: between two owners’ programs, a canary runs. */
  warm(kind: CellKind, owner: string): Promise<ProgramCell>
  /**
   * Explains which modules to load are not installed here, and what to do about it; undefined where none is
   * missing.
   */
  lacks(preload: readonly string[]): string | undefined
  close(): Promise<void>
}
