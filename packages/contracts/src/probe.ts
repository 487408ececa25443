/** Findings of a probe about its endpoint, by a dozen cheap questions. */
import Type, { type Static } from 'typebox'

/** Ids of the findings, in the order in which they are shown. */
export const findingIds = [
  ...['streaming', 'usage', 'streamUsage', 'streamOptions', 'systemRole', 'maxTokens', 'maxCompletionTokens'],
  ...['jsonSchema', 'tools', 'callIds', 'callTypes', 'parallelCalls', 'namedTool', 'streamedCalls'],
  ...['leftovers', 'thoughts', 'temperature', 'seed', 'contextLength'],
] as const
export type FindingId = (typeof findingIds)[number]

const id = Type.Enum(findingIds, { type: 'string', description: 'What was looked for (docs/models.md)' })
const about = {
  how: Type.Optional(
    Type.String({
      description:
        'rejected: the endpoint answers with an error; ignored: it answers as without it; text, message: where calls or thoughts stand',
    }),
  ),
  value: Type.Optional(
    Type.String({ description: 'A mark, a member of the message, a layout, or a number of tokens' }),
  ),
  reason: Type.Optional(Type.String({ description: 'The endpoint’s error' })),
  remedy: Type.Optional(
    Type.String({ description: 'What is off, in one sentence that names the option that mends it' }),
  ),
}

/** One finding: yes, no, or unknown with the reason. */
export const ProbeFinding = Type.Union([
  Type.Object({ id, found: Type.Literal('yes'), ...about }, { additionalProperties: false }),
  Type.Object({ id, found: Type.Literal('no'), ...about }, { additionalProperties: false }),
  Type.Object({ id, found: Type.Literal('unknown'), reason: Type.String() }, { additionalProperties: false }),
])
export type ProbeFinding = Static<typeof ProbeFinding>
