/**
 * Messages between the host and a process that forks. The channel of frames (descriptor 4) carries a setup
 * first, then for each child a mark, its job, calls with their replies, and an outcome. The mark is random
 * and new after each child: everything before it was meant for children that have ended. Descriptor 3, which
 * no child has, carries lines of JSON: a ForkReport for each child that waits for a job, and from the host
 * `{"stop":N}` to end the Nth.
 */
import type { InputJob } from '../protocol.ts'

/** The modules that a runner of one kind loads before it forks. */
export interface RunnerSetup {
  surface: InputJob['surface']
}

/** A child has ended, or there was none yet; the next one’s job follows the mark. */
export interface ForkReport {
  /** Mark, as hexadecimal digits. */
  mark: string
  ended?: ChildEnd
}
export interface ChildEnd {
  code: number | null
  signal: number | null
  /** CPU time of the child, in milliseconds. */
  cpuMs: number
  /** All is as before it: another child may come. */
  clean: boolean
}

export interface ForkedJob extends InputJob {
  memoryMiB: number
  cpuSeconds: number
  /** The kernel’s limit on tasks of the jail while the program runs; null where others hold it. */
  tasks: number | null
  /** For what the language draws itself: what a child has of its parent it shares with others. */
  randomSeed: number
}

/** SIGSYS: the child made a call that only a separate jail allows. */
export const badCall = 31
export const markBytes = 16
