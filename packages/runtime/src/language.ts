/** A language of candidates: how its code is prepared, and the cells in which it runs. */
import type { CapturedError, Ending, Language, Limits } from '@stateeval/contracts'
import type { Cell, CellKind } from './cell.ts'
import type { ContainerStarter, JailCapabilities } from '@stateeval/jail'
import type { Level } from './level.ts'

/** The level of a run in a separate jail with these walls. */
export const levelAlone = ({ jailed }: JailCapabilities): Level =>
  jailed ? 'process-jail' : 'unsafe-process'

/** Prepared code, or why it cannot run. */
export type Prepared =
  | { status: 'ready'; source: string; columnOffset: number }
  | { status: 'refused'; reason: 'syntax' | 'no_code'; error: CapturedError }

/** Preparation alone exceeded the limits. */
export interface Exceeded {
  status: 'exceeded'
  ending: Ending
}

export interface LanguageRuntime {
  language: Language
  versions: Readonly<Record<string, string>>
  /** Of the runner and all that is in the jail with it. */
  fingerprint: string
  walls: JailCapabilities
  /** `globals` are the names that the run defines. What this takes counts against the limits. */
  prepare(code: string, globals: readonly string[], limits: Limits): Prepared | Promise<Prepared | Exceeded>
  /** A jail of its own for one program. Rejects with a JailError where it can’t be had. */
  single(limits: Limits, kind: CellKind): Promise<Cell>
  /**
   * A container of its own for one program, behind gVisor's kernel. Rejects with a JailError where it can’t
   * be had.
   */
  contained(containers: ContainerStarter, limits: Limits, kind: CellKind): Promise<Cell>
  /** A turn in a warm jail, for a program of this owner: between two owners’ programs, a canary runs. */
  warm(kind: CellKind, owner: string): Promise<Cell>
  /**
   * What isn’t installed here of what is to be loaded, with what to do about it; undefined where all is
   * there.
   */
  lacks(preload: readonly string[]): string | undefined
  close(): Promise<void>
}
