/**
 * Seeds of a sample's worlds: of its tool sessions, and of runs after which its dialogue continued. Answers
 * contain ids derived from them, so a recording repeats them. An execution without a seed draws its own.
 */
import type { AnyExecutionRequest, ExecutionResult } from '@stateeval/contracts'

/** Seeds by session, or by run and input. */
export type SessionSeeds = Readonly<Record<string, string>>

const runKey = (run: number, input: number) => `run ${run}, input ${input}`

/** The seeds of a run, from its observations; null if its world has none. */
export function collectRunSeeds(run: number, { observations }: ExecutionResult): SessionSeeds | null {
  const seeds = observations.flatMap(({ seed }, input) =>
    seed === undefined ? [] : [[runKey(run, input), seed]],
  )
  return seeds.length > 0 ? (Object.fromEntries(seeds) as SessionSeeds) : null
}

/** The request with the seeds of that run; unchanged if the recording lacks one. */
export function withSeeds(
  request: AnyExecutionRequest,
  run: number,
  recorded: SessionSeeds = {},
): AnyExecutionRequest {
  const seeds = request.inputs.flatMap((_, input) => recorded[runKey(run, input)] ?? [])
  return seeds.length > 0 && seeds.length === request.inputs.length ? { ...request, seeds } : request
}
