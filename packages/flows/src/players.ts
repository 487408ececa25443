/** Who answers in a model's place. */
import type { Reply } from '@stateeval/contracts'
import type { Player } from '@stateeval/program'
import type { PlayedMutant, SampleContext } from './sample.ts'

const givenPlayer =
  (replies: readonly Reply[]): Player =>
  ({ messages }) =>
    replies[messages.filter(({ role }) => role === 'assistant').length] ?? null

/** Why `reference` does not answer a case: no answer is right, as no parser reads its gold text. */
export const noReference = 'the case has no reference answer'

/** Who answers in an endpoint's place; `none` where nobody can. */
export function playerOf(
  { benchmark, case: c, responder, options }: SampleContext,
  mutant?: PlayedMutant,
): { player: Player | null } | { none: string } {
  switch (responder.kind) {
    case 'endpoint':
    case 'agent':
      return { player: null }
    case 'none':
      return { none: responder.says }
    case 'given':
      return { player: givenPlayer(responder.replies) }
    case 'reference': {
      const reference = benchmark.player(c, options)
      return reference
        ? { player: reference }
        : {
            none: options.language ? 'the case has no reference answer in this language' : noReference,
          }
    }
    case 'mutant': {
      const changed = mutant && benchmark.player(c, options, mutant.mutant)
      return changed ? { player: changed } : { none: 'no mutation operator applies' }
    }
  }
}
