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
          'How a case is answered, if the benchmark supports several modes: by a program (the default), or by calling tools one by one',
      }),
    ),
    samples: Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Answers for each case' }),
    prompting: Type.Union(PromptingName.anyOf, { default: 'direct' }),
    language: Type.Optional(
      Type.Union(Language.anyOf, {
        description:
          'Language of the programs; javascript by default. Absent if the benchmark has no programs',
      }),
    ),
    documentation: Type.Union(DocumentationName.anyOf, {
      default: 'full',
      description:
        'How much of the API documentation a model reads: all, the parts that the task needs among others, or nothing',
    }),
    rounds: Type.Integer({
      minimum: 1,
      maximum: 8,
      default: 2,
      description: 'With reflect: number of times that a model sees its error and is asked again',
    }),
    shots: Type.Integer({
      minimum: 1,
      maximum: 16,
      default: 3,
      description: 'With few-shot: number of solved cases in the prompt',
    }),
    policy: Type.Optional(
      Type.String({ maxLength: 100, description: 'A policy of the benchmark; its first by default' }),
    ),
    setup: Type.Optional(
      Type.String({ maxLength: 100, description: 'A setup of the benchmark; its first by default' }),
    ),
    layout: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The kind of model that prompts are formatted for, if the benchmark supports several',
      }),
    ),
    settings: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Named generation settings of the benchmark. Their parameters override the model’s parameters of the same name',
      }),
    ),
    timeLimit: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 600,
        description:
          'Seconds that the code of a sample may run on each input. Default: the benchmark’s, usually 10',
      }),
    ),
    limits: Type.Optional(
      Type.Object(DialogueLimits.properties, {
        additionalProperties: false,
        description:
          'Limits of a dialogue, if the benchmark has dialogues. Defaults: the benchmark’s. A dialogue that reaches a limit ends with a verdict that names it',
      }),
    ),
    seed: Type.Union(Seed.anyOf, {
      default: 1,
      description: 'Seed of the built-in model mutant, and of the examples in few-shot prompts',
    }),
  },
  { additionalProperties: false },
)
export type EvaluationOptions = Static<typeof EvaluationOptions>

/** Options that re-scoring may change; the others stay as in the evaluation. */
export const RescoreRequest = Type.Object(
  {
    policy: Type.Optional(EvaluationOptions.properties.policy),
    samples: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Number of samples of each case to score, from the first; all by default',
      }),
    ),
    rounds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 8,
        description: 'With reflect: number of rounds to score, at most as many as were asked',
      }),
    ),
    limits: Type.Optional(EvaluationOptions.properties.limits),
    without: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 64,
        description:
          'Optional parts to leave out, by their names in `parties`, such as a judge that the other policy would ask a different question',
      }),
    ),
  },
  { additionalProperties: false, default: {} },
)
export type RescoreRequest = Static<typeof RescoreRequest>
