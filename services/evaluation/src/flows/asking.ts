/** What an item's questions used, by model, and where the answers are: carried from state to state, and summed for the owner. */
import { ownMember, type Prices, type Usage } from '@stateeval/contracts'
import { addUsage, type Answered, costUsd, noUsage, type Unanswered } from '@stateeval/models'

export interface Asking {
  usage: Usage
  /** By the name of the model. */
  by: Readonly<Record<string, Usage>>
  places: readonly string[]
  unanswered?: readonly Unanswered[]
}
export const noAsking: Asking = { usage: noUsage, by: {}, places: [] }

export const plusAnswer = (
  { usage, by, places, ...rest }: Asking,
  model: string,
  answer: Answered,
): Asking => ({
  ...rest,
  usage: addUsage(usage, answer.usage),
  by: { ...by, [model]: addUsage(ownMember(by, model) ?? noUsage, answer.usage) },
  places: [...places, answer.place],
})
export const plusSilence = (asking: Asking, silence: Unanswered): Asking => ({
  ...asking,
  unanswered: [...(asking.unanswered ?? []), silence],
})

/** What all of it cost, in US dollars; null where a model that was asked has no prices. */
export function costOf(
  askings: readonly Pick<Asking, 'by'>[],
  pricesOf: (model: string) => Prices | undefined,
): number | null {
  let sum = 0
  for (const { by } of askings)
    for (const [model, usage] of Object.entries(by)) {
      const cost = usage.requests === 0 ? 0 : costUsd(usage, pricesOf(model))
      if (cost === null) return null
      sum += cost
    }
  return sum
}
