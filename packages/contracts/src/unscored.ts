/** Why a sample is not scored, in one word: what the endpoint, the host or the case lacks. */
import Type from 'typebox'

/** The reasons, each as the end of a sentence about a sample. */
export const unscoredReasons = {
  context: 'its prompt does not fit the model’s context',
  moderation: 'a moderation rejects its prompt',
  refused: 'the endpoint refuses it',
  failed: 'the endpoint gives no usable answer after all retries',
  infrastructure: 'its run or its scoring failed on this side',
  exhausted: 'no answer to it was given',
  not_configured: 'no model is named for a part of it',
  not_recorded: 'the recorded responses lack one that it needs',
  unanswerable: 'no answer of this form is right',
  no_reference: 'the case has no reference answer in this language',
  no_mutation: 'no mutation operator applies',
  left_out: 'the case’s own reference fails the check',
  unknown: 'no reason was stated',
} as const
export type UnscoredKind = keyof typeof unscoredReasons

export const UnscoredKind = Type.Enum(Object.keys(unscoredReasons) as UnscoredKind[], {
  type: 'string',
  description: `Why a sample has no score: ${Object.entries(unscoredReasons)
    .map(([kind, says]) => `${kind} (${says})`)
    .join(', ')}`,
})
