/** Limits of a dialogue. */
import Type, { type Static } from 'typebox'

const defineInteger = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }))

export const DialogueLimits = Type.Object(
  {
    turns: defineInteger(1000, 'Replies of the model'),
    calls: defineInteger(10_000, 'Calls in all replies'),
    tokens: defineInteger(100_000_000, 'Completion tokens of all replies, as the endpoint reports them'),
    seconds: Type.Optional(
      Type.Number({
        minimum: 0.001,
        maximum: 604_800,
        description:
          'Seconds that the endpoint takes for all replies. The time is measured once and stored with each answer; queueing and failed attempts do not count',
      }),
    ),
  },
  { additionalProperties: false },
)
export type DialogueLimits = Static<typeof DialogueLimits>
