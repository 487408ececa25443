/** How a model is asked in an evaluation. */
import Type, { type Static } from 'typebox'
import { DialogueLimits } from '../dialogue-limits.ts'
import { Language } from '../execution.ts'
import { Seed } from '../basics/seed.ts'

export const DocumentationName = Type.Union([
  Type.Literal('full'),
  Type.Literal('relevant'),
  Type.Literal('none'),
])

export const PromptingName = Type.Union([
  Type.Literal('direct'),
  Type.Literal('cot'),
  Type.Literal('reflect'),
  Type.Literal('few-shot'),
])

export const ModeName = Type.Union([Type.Literal('program'), Type.Literal('tools')])

export const EvaluationOptions = Type.Object(
  {
    mode: Type.Optional(
      Type.Union(ModeName.anyOf, {
        description:
          'How a case is answered, where the benchmark knows several ways: by a program, which is the default, or by calling tools one by one',
      }),
    ),
    samples: Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Answers for each case' }),
    prompting: Type.Union(PromptingName.anyOf, { default: 'direct' }),
    language: Type.Optional(
      Type.Union(Language.anyOf, {
        description: 'Of the programs; javascript by default. Absent where the benchmark has no programs',
      }),
    ),
    documentation: Type.Union(DocumentationName.anyOf, {
      default: 'full',
      description:
        'How much of the API documentation a model reads: all of it, the parts that the task needs among others, or nothing',
    }),
    rounds: Type.Integer({
      minimum: 1,
      maximum: 8,
      default: 2,
      description: 'Under reflect: how often a model is shown its error and asked again',
    }),
    shots: Type.Integer({
      minimum: 1,
      maximum: 16,
      default: 3,
      description: 'Under few-shot: how many solved cases a model is shown',
    }),
    policy: Type.Optional(
      Type.String({ maxLength: 100, description: 'One of the benchmark’s; its first by default' }),
    ),
    setup: Type.Optional(
      Type.String({ maxLength: 100, description: 'One of the benchmark’s setups; its first by default' }),
    ),
    layout: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'For which kind of model prompts are laid out, where the benchmark knows several',
      }),
    ),
    settings: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Generation settings that the benchmark has a name for: its parameters are sent in place of the model’s own of the same names',
      }),
    ),
    timeLimit: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 600,
        description:
          'Seconds that the code of a sample may run on each input; the default is the benchmark’s own, mostly 10',
      }),
    ),
    limits: Type.Optional(
      Type.Object(DialogueLimits.properties, {
        additionalProperties: false,
        description:
          'What a dialogue may take, where the benchmark leads dialogues; each has a default of the benchmark’s. A dialogue that reaches one ends there, and its verdict says so',
      }),
    ),
    seed: Type.Union(Seed.anyOf, {
      default: 1,
      description: 'Of what the built-in model mutant draws, and of the examples under few-shot',
    }),
  },
  { additionalProperties: false },
)
export type EvaluationOptions = Static<typeof EvaluationOptions>

/** What may differ where stored samples are scored again; the rest stays as it was answered. */
export const RescoreRequest = Type.Object(
  {
    policy: Type.Optional(EvaluationOptions.properties.policy),
    samples: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'The first ones of each case; all by default' }),
    ),
    rounds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8, description: 'Under reflect: no more than were asked' }),
    ),
    limits: Type.Optional(EvaluationOptions.properties.limits),
    without: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 64,
        description:
          'Optional parts whose word is left out, as `parties` names them: a judge that the other policy would ask something else',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type RescoreRequest = Static<typeof RescoreRequest>
