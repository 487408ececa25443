/** Instructions that agents wrote: the negotiation as evidence, and people's decisions about them. */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'

/** One message of the agents, or one check, in the order of the negotiation. */
export const DialogueTurn = Type.Object(
  {
    by: Type.Union([Type.Literal('generator'), Type.Literal('evaluator'), Type.Literal('check')]),
    round: Type.Integer({ minimum: 1 }),
    says: Type.String(),
  },
  { additionalProperties: false },
)
export type DialogueTurn = Static<typeof DialogueTurn>

/**
 * A person's decision about an instruction, or about a task that a model wrote. Decisions are added, never
 * changed; the last one counts.
 */
export const ReviewDecision = Type.Object(
  {
    decision: Type.Union([Type.Literal('accept'), Type.Literal('reject'), Type.Literal('edit')]),
    instruction: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100_000, description: 'With edit: the new text' }),
    ),
    task: Type.Optional(
      Type.Unknown({
        description:
          'With edit, for tasks that a model wrote: the new solution, such as a request configuration',
      }),
    ),
    answers: Type.Optional(
      defineRecord(Type.Boolean(), {
        names: Type.String({ pattern: '^[a-z]+$' }),
        description:
          'Answers to the review’s questions, by id. All must be true to accept or edit a task that a model wrote',
      }),
    ),
    by: Type.String({ minLength: 1, maxLength: 200, description: 'Who decides' }),
    because: Type.String({ minLength: 1, maxLength: 4000, description: 'Why the person decided so' }),
  },
  { additionalProperties: false },
)
export type ReviewDecision = Static<typeof ReviewDecision>

/**
 * An instruction that agents wrote, or a task that a model wrote: its outcome, the evidence, and people's
 * decisions.
 */
export const Review = Type.Object(
  {
    case: Type.String(),
    program: Type.Optional(Type.String({ description: 'The program that the instruction is about' })),
    target: Type.Optional(
      Type.String({ description: 'The target of the task, such as an endpoint: GET /books/{id}' }),
    ),
    task: Type.Optional(
      Type.Unknown({
        description: 'The task’s solution in the benchmark’s form, which an edit may replace',
      }),
    ),
    questions: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), asks: Type.String() }, { additionalProperties: false }), {
        description: 'Questions that a person must answer before the task is accepted',
      }),
    ),
    status: Type.Union([Type.Literal('verified'), Type.Literal('rejected'), Type.Literal('needs_review')]),
    reason: Type.Optional(Type.String()),
    instruction: Type.Union([Type.String(), Type.Null()]),
    code: Type.String({ description: 'The reference code that the instruction is about' }),
    dialogue: Type.Array(DialogueTurn),
    tries: Type.Array(
      Type.Object(
        {
          verdict: Type.String(),
          says: Type.Optional(Type.String()),
          code: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      {
        description: 'Code that was written from the instruction alone, and whether it reproduced the oracle',
      },
    ),
    decisions: Type.Array(
      Type.Object(
        { ...ReviewDecision.properties, at: Type.String({ format: 'date-time' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Review = Static<typeof Review>
