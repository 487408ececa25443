/** The Sandbox: runs hostile code once per input and returns the observations. Every ending is a value. */
import type { ExecutionInput, Language, ExecutionLimits, Observation } from '@stateeval/contracts'
import type { CleanConfirmation, IsolationLevel } from '@stateeval/runtime'
import type { SandboxWorld } from './world.ts'

/** An input with the seed of its world; drawn at random by default. */
export type RunInput = ExecutionInput & { seed?: string }

export interface SandboxRun {
  language: Language
  code: string
  inputs: readonly RunInput[]
  world: SandboxWorld
  limits: ExecutionLimits
  /** Stronger isolation than the sandbox’s own level, for this run. */
  level?: IsolationLevel
  /** The owner of the program. In a warm jail a canary runs between two owners’ programs. */
  owner?: string
}

export interface Sandbox {
  /** The level of isolation, such as process-jail; stands in every observation. */
  level: string
  languages: readonly Language[]
  /**
   * One observation per input, in order. Never throws for anything that the code did; aborting ends the run
   * at once.
   */
  run(program: SandboxRun, signal: AbortSignal): Promise<Observation[]>
  /**
   * The same, without ever holding all observations: `take` gets each one as soon as it exists, and the next
   * input runs when `take` is done. Rejects with what `take` rejects with. The confirmation says whether
   * canaries found the warm jails clean in which inputs ran.
   */
  each(program: SandboxRun, signal: AbortSignal, take: TakeObservation): Promise<CleanConfirmation>
  close(): Promise<void>
}
/**
 * Receives the observation of the input at `index`. Each input is reported once; a retried input is
 * reported late.
 */
export type TakeObservation = (observation: Observation, index: number) => Promise<void>

/** A `run` made from an `each`. */
export const gathered =
  (each: Sandbox['each']): Sandbox['run'] =>
  async (program, signal) => {
    const observations: Observation[] = []
    await each(program, signal, async (observation, index) => {
      observations[index] = observation
    })
    return observations
  }
