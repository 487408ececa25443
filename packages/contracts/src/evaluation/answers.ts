/** Answers: imported ones, the reference's, and those of samples. */
import Type, { type Static } from 'typebox'
import { Consultation, ListedCall, Transcript } from '../episode.ts'
import { Language, WorldSeed } from '../execution.ts'
import { maxToolCalls, ModelToolCall } from '../model.ts'
import { defineRecord } from '../basics/record.ts'
import { Program } from '../program.ts'
import { UnscoredKind } from '../unscored.ts'

/** An answer made elsewhere. */
const answerFields = {
  case: Type.String({ minLength: 1, maxLength: 200 }),
  sample: Type.Optional(Type.Integer({ minimum: 0, maximum: 999, description: '0 by default' })),
}

/** Seeds of a sample's worlds. */
export const WorldSeeds = defineRecord(WorldSeed, {
  names: Type.String({ pattern: '^([0-9]{1,4}|run [0-9]{1,4}, input [0-9]{1,2})$' }),
  maxProperties: 10_000,
  description: 'Seeds of the worlds, by session, or by run and input: replies name ids that depend on them',
})

export const GivenAnswer = Type.Union([
  Type.Object(
    {
      ...answerFields,
      answer: Type.String({ maxLength: 2_000_000, description: 'The model’s whole answer' }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      ...answerFields,
      replies: Type.Array(
        Type.Object(
          {
            text: Type.Optional(Type.String({ maxLength: 2_000_000 })),
            toolCalls: Type.Optional(Type.Array(ModelToolCall, { maxItems: maxToolCalls })),
            finish: Type.Optional(
              Type.String({ maxLength: 100, description: 'Why the model ended the answer; stop by default' }),
            ),
            transcript: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 9999,
                description:
                  'The dialogue that the reply belongs to, if each input has its own: 0 for the first. If no reply names one, all dialogues get the same replies',
              }),
            ),
            refused: Type.Optional(
              Type.String({
                maxLength: 10_000,
                description:
                  'Instead of a reply: the dialogue does not fit the model’s context any more, in the endpoint’s words. It ends here and is scored',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: 1000,
          description: 'The model’s replies in order, if it is asked several times',
        },
      ),
      seeds: Type.Optional(WorldSeeds),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      ...answerFields,
      notScored: Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'Why the sample has no score: it is not scored here either',
      }),
      reason: Type.Optional(UnscoredKind),
      answer: Type.Optional(
        Type.String({ maxLength: 2_000_000, description: 'The last answer, if there was one; not read' }),
      ),
    },
    { additionalProperties: false },
  ),
])
export type GivenAnswer = Static<typeof GivenAnswer>

/** The instruction of a case for a model, and an answer that passes. */
export const ReferenceAnswer = Type.Object(
  {
    case: Type.String(),
    language: Type.Optional(Language),
    instruction: Type.String(),
    answer: Type.Union([Type.String(), Type.Null()], {
      description:
        'The reference code, fenced if prompts ask for a fence; null if the case has none in this language',
    }),
    steps: Type.Optional(
      Type.Array(Type.Array(ListedCall), {
        description: 'The calls of the reference by step, if the case is a dialogue that calls lead',
      }),
    ),
    program: Type.Optional(
      Type.Object(Program.properties, {
        additionalProperties: false,
        description: 'The program that the code implements, if the case was built from one',
      }),
    ),
    phrases: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Type.Integer({ minimum: 0, description: 'The first character in the instruction' }),
            to: Type.Integer({ minimum: 0, description: 'The character after the last one' }),
            place: Type.String({
              pattern: '^(body|(then|otherwise)(/(then|otherwise)){0,2})/([0-9]+|result|condition)$',
              description:
                'What the phrase describes: a step by its block and index, the RESULT of a block, or the condition that ends it. A block in a branch is named by the way to it, such as then/otherwise',
            }),
          },
          { additionalProperties: false },
        ),
        {
          description:
            'The phrases of the instruction and the parts of the program that they describe, in the order of the text; empty if the instruction is not the template translator’s',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ReferenceAnswer = Static<typeof ReferenceAnswer>

/** The evidence of a sample's verdict: its answers. */
export const SampleAnswer = Type.Object(
  {
    case: Type.String(),
    sample: Type.Integer({ minimum: 0 }),
    answer: Type.Union([Type.String(), Type.Null()], {
      description: 'The last answer, if the model was asked several times; null if there was none',
    }),
    finish: Type.Optional(
      Type.String({
        description:
          'Why the model ended this answer, as its endpoint reports: stop, length if it was cut short, or another word',
      }),
    ),
    refused: Type.Optional(
      Type.Array(
        Type.Object(
          { transcript: Type.Integer({ minimum: 0 }), reason: Type.String() },
          { additionalProperties: false },
        ),
        { description: 'The dialogues that outgrew the model’s context, and what its endpoint said' },
      ),
    ),
    seeds: Type.Optional(WorldSeeds),
    transcripts: Type.Optional(
      Type.Array(Transcript, { description: 'The whole dialogue, if it has more than one reply' }),
    ),
    consultations: Type.Optional(
      Type.Array(Consultation, {
        description: 'Requests to judges, embeddings and live APIs, with their responses',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SampleAnswer = Static<typeof SampleAnswer>
