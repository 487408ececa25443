/** Players that answer in place of a model. */
import type { SpeakerReply, Transcript, UnscoredKind } from '@stateeval/contracts'
import type { GivenReply, PlayedMutant, SampleContext } from './sample.ts'

/** Plays a transcript by its number; `refused`: it does not fit the context any more. */
export type AnyPlayer = (transcript: Transcript, at: number) => SpeakerReply | { refused: string } | null

function createGivenPlayer(replies: readonly GivenReply[]): AnyPlayer {
  const hasOwn = replies.some(({ transcript }) => transcript !== undefined)
  return ({ messages }, at) => {
    const own = hasOwn ? replies.filter(({ transcript = 0 }) => transcript === at) : replies
    return own[messages.filter(({ role }) => role === 'assistant').length] ?? null
  }
}

/**
 * The player in place of an endpoint; `notScored` explains why there is none. `unanswerable`: no answer of
 * this form is correct, for example if no parser reads the gold text.
 */
export function createPlayer(
  { benchmark, case: c, responder, options }: SampleContext,
  mutant?: PlayedMutant,
): { player: AnyPlayer | null } | { notScored: string; reason: UnscoredKind; unanswerable?: true } {
  switch (responder.kind) {
    case 'endpoint':
    case 'agent':
      return { player: null }
    case 'none':
      return { notScored: responder.says, reason: responder.reason }
    case 'given':
      return { player: createGivenPlayer(responder.replies) }
    case 'reference': {
      const reference = benchmark.player(c, options)
      return reference
        ? { player: reference }
        : options.language
          ? { notScored: 'the case has no reference answer in this language', reason: 'no_reference' }
          : { notScored: 'the case has no reference answer', reason: 'unanswerable', unanswerable: true }
    }
    case 'mutant': {
      const changed = mutant && benchmark.player(c, options, mutant.mutant)
      return changed
        ? { player: changed }
        : { notScored: 'no mutation operator applies', reason: 'no_mutation' }
    }
  }
}
