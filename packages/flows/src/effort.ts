/** The cost of a step, added to the sums that the states carry. */
import type { ExecutionResult, Usage } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import { addCounts, type CarriedState } from './sample.ts'

/** The cost of one question, or of several. */
interface QuestionCost {
  usage: Usage
  retries: number
  repeated: number
  kept: number
  storeKeys: readonly string[]
}

/** `part`: the answering party, if it was not the model under test. */
export const addCost = (
  carried: CarriedState,
  part: string | null,
  { usage, retries, repeated, kept, storeKeys }: QuestionCost,
): CarriedState => ({
  ...carried,
  ...(part === null
    ? { usage: addUsage(carried.usage, usage) }
    : { parties: { ...carried.parties, [part]: addUsage(carried.parties?.[part] ?? noUsage, usage) } }),
  retries: carried.retries + retries,
  repeated: (carried.repeated ?? 0) + repeated,
  kept: (carried.kept ?? 0) + kept,
  storeKeys: [...(carried.storeKeys ?? []), ...storeKeys],
})

export const withRuns = (
  carried: CarriedState,
  { runtime, observations, canaries }: ExecutionResult,
): CarriedState => ({
  ...carried,
  runtimes: [...new Set([...carried.runtimes, runtime])].sort(),
  sandboxes: addCounts([carried.sandboxes, ...observations.map(({ sandbox }) => ({ [sandbox]: 1 }))]),
  ...(canaries && { canaries: addCounts([carried.canaries, { ...canaries }]) }),
  ...(observations.some(({ tensors }) => tensors) && {
    tensorProviders: addCounts([
      carried.tensorProviders,
      ...observations.map(({ tensors }) => (tensors ? { [tensors.provider]: 1 } : undefined)),
    ]),
  }),
})
