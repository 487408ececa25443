/** The Sandbox: runs hostile code once per input and returns what came out. Every ending is a value. */
import type { Input, Language, Limits, Observation } from '@stateeval/contracts'
import type { Level } from './level.ts'
import type { World } from './world.ts'

export interface SandboxRun {
  language: Language
  code: string
  inputs: readonly Input[]
  world: World
  limits: Limits
  /** Stronger isolation than the sandbox’s own level, for this run. */
  level?: Level
}

export interface Sandbox {
  /** The level of isolation, such as process-jail; stands in every observation. */
  level: string
  languages: readonly Language[]
  /** One observation per input, in order. Never throws for anything that the code did; aborting ends the run at once. */
  run(program: SandboxRun, signal: AbortSignal): Promise<Observation[]>
  close(): Promise<void>
}
