/** A recording as a file of JSON lines: first the answering models, then one line per question. */
import Type, { type Static } from 'typebox'
import { PromptRefusal } from './episode.ts'
import { ModelName, ModelSettings, Usage, VendorMembers } from './model.ts'
import { defineRecord } from './basics/record.ts'
import { Sha256 } from './basics/sha256.ts'

const Named = Type.Object({ name: ModelName, settings: ModelSettings })
/** The first line. With several models, `others` are by part: secondOpinion, or evaluator and coder. */
export const RecordingHeading = Type.Object({
  recording: Type.Literal(2),
  model: Named,
  others: Type.Optional(defineRecord(Named)),
  digest: Type.Optional(Type.String()),
  options: Type.Optional(Type.Unknown()),
})
export type RecordingHeading = Static<typeof RecordingHeading>

export const RecordedAnswer = Type.Object({
  /** The question, as a hash. */
  key: Sha256,
  text: Type.String(),
  toolCalls: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), arguments: Type.String() })),
  ),
  vendor: Type.Optional(VendorMembers),
  finish: Type.String(),
  usage: Usage,
  retries: Type.Integer({ minimum: 0 }),
  /** Milliseconds that the endpoint took for it. */
  ms: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type RecordedAnswer = Static<typeof RecordedAnswer>

/**
 * A question without an answer, and why: `refused` by the endpoint, with `refusal` if only for this prompt;
 * `unrecorded` if recorded responses should have answered it.
 */
export const RecordedSilence = Type.Object({
  /** The question, as a hash. */
  key: Sha256,
  unanswered: Type.String(),
  refused: Type.Optional(Type.Boolean()),
  refusal: Type.Optional(PromptRefusal),
  unrecorded: Type.Optional(Type.Literal(true)),
})
export type RecordedSilence = Static<typeof RecordedSilence>

/** A recording as a resource. */
export const Recording = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    answers: Type.Integer(),
    links: defineRecord(Type.String()),
  },
  { additionalProperties: false },
)
export type Recording = Static<typeof Recording>
