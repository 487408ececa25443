/** A cell runs one program once: a separate jail, or a turn in a warm one. */
import type { Duplex } from 'node:stream'
import type { ExecutionLimits } from '@stateeval/contracts'
import type { HandleCall } from './calls/calls.ts'
import type { InputJob, FrameContent } from './protocol.ts'
import type { ExceededLimit } from '@stateeval/jail'
import type { CleanConfirmation } from './warm/canary.ts'
import type { IsolationLevel } from './level.ts'

export type KillReason = ExceededLimit | 'output' | 'frames' | 'requests' | 'aborted'

/**
 * Parts of `program` in a warm runner: running the code, and cleaning up.
 */
export type RunnerPart = 'run' | 'cleanup'

/** The facts about an ended run. */
export interface CellEnd {
  /** Why the host ended it, if it did: the first reason. */
  killed: KillReason | undefined
  code: number | null
  reading: FrameContent
  output: string
  /** True if V8, Python or the kernel's limit reported last that memory ran out. */
  outOfMemory: boolean
  /** A need of the program that this cell does not meet: it runs again elsewhere, from the start. */
  bail: string | null
  /** CPU time that the run took, in milliseconds, as far as it is known. */
  cpuMs: number
  /** Durations by part, in milliseconds, if a warm runner reports them. */
  parts?: Partial<Record<RunnerPart, number>>
}

export interface CellJob {
  job: Omit<InputJob, 'baseUrl'>
  limits: ExecutionLimits
  /** Takes the connections that the program makes; undefined for a world without HTTP. */
  accept: ((connection: Duplex) => void) | undefined
  /** Answers calls; undefined for a world without functions. */
  handle: HandleCall | undefined
  signal: AbortSignal
}

/** The requirements of a world on its cell. */
export interface CellKind {
  /** A port for HTTP. */
  http: boolean
  /** Libraries that are loaded when the program starts. */
  preload: readonly string[]
  /** The module between the host’s functions and the code; null where there are none. */
  surface: InputJob['surface']
  memoryMiB: number
}

export interface ProgramCell {
  readonly level: IsolationLevel
  /** Confirms whether a warm jail was clean; undefined for a jail of one program. */
  readonly confirmation?: CleanConfirmation
  /**
   * Runs the program. Never rejects; an abort ends it with `killed: 'aborted'`. Connections are closed when
   * it resolves.
   */
  run(job: CellJob): Promise<CellEnd>
  /** Gives the place back. Called once, after run. */
  release(): Promise<void>
}
