/** A recording as a file: JSON lines, the first about who answered, then one for each question that was asked. */
import Type, { type Static } from 'typebox'
import { ModelName, ModelSettings, Usage } from './model.ts'
import { recordOf } from './record.ts'

const Named = Type.Object({ name: ModelName, settings: ModelSettings })
/** The first line. Where several models were asked, `others` are by the part that they had: secondOpinion, or evaluator and coder. */
export const RecordingHeading = Type.Object({
  recording: Type.Literal(1),
  model: Named,
  others: Type.Optional(recordOf(Named)),
  manifest: Type.Optional(Type.String()),
  options: Type.Optional(Type.Unknown()),
})
export type RecordingHeading = Static<typeof RecordingHeading>

/** What was asked, as a hash. */
const Key = Type.String({ pattern: '^[0-9a-f]{64}$' })
export const RecordedAnswer = Type.Object({
  key: Key,
  text: Type.String(),
  toolCalls: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), arguments: Type.String() })),
  ),
  finish: Type.String(),
  usage: Usage,
  retries: Type.Integer({ minimum: 0 }),
})
export type RecordedAnswer = Static<typeof RecordedAnswer>

/** A question that stayed without an answer, and why; `refused` where the endpoint did not take it. */
export const RecordedSilence = Type.Object({
  key: Key,
  unanswered: Type.String(),
  refused: Type.Optional(Type.Boolean()),
})
export type RecordedSilence = Static<typeof RecordedSilence>
