/** The run of an evaluation, separate from its result. */
import Type, { type Static } from 'typebox'
import { UsageBudget, Usage } from '../model.ts'
import { defineRecord } from '../basics/record.ts'
import { CanaryCounts } from '../execution.ts'
import { ReportResult } from '../report.ts'
import { RequestedProvider } from '../tensor.ts'
import { EvaluationProbe, EvaluationSpending } from './evaluation.ts'

/** Result of the baseline check: do the set's reference answers pass on this installation? */
export const BaselineCheck = Type.Object(
  {
    status: Type.Union([Type.Literal('passed'), Type.Literal('failed')], {
      description:
        'failed: the evaluation is rejected or leaves out the failed cases, depending on the kind of benchmark',
    }),
    cases: Type.Integer(),
    runtime: Type.String({ description: 'Fingerprint of the runtime of the baseline check' }),
    failed: Type.Array(
      Type.Object({ case: Type.String(), reason: Type.String() }, { additionalProperties: false }),
    ),
    cached: Type.Boolean({
      description:
        'Whether the baseline check was reused from an earlier evaluation of the same set on the same runtime',
    }),
  },
  { additionalProperties: false },
)
export type BaselineCheck = Static<typeof BaselineCheck>

/** How many answers end in the same unusual way. */
export const AnswerEnding = Type.Object(
  {
    kind: Type.Union([Type.Literal('leftover'), Type.Literal('thought'), Type.Literal('finish')], {
      description:
        'leftover: a special token that the server left in the text; thought: a thought without an end; finish: a finish reason other than the usual ones',
    }),
    mark: Type.String({ description: 'The token, the mark of the thought, or the finish reason' }),
    answers: Type.Integer({ minimum: 1 }),
    of: Type.Integer({ minimum: 1, description: 'All answers of the model, those of dialogues included' }),
  },
  { additionalProperties: false },
)
export type AnswerEnding = Static<typeof AnswerEnding>

/** Samples that have no answer among the given ones, and what they count as. */
export const MissingAnswers = Type.Object(
  {
    samples: Type.Integer({ minimum: 1 }),
    of: Type.Integer({ minimum: 1, description: 'All samples' }),
    count: Type.Enum(['failed', 'unscored'] as const, { type: 'string' }),
  },
  {
    additionalProperties: false,
    description: 'Samples without an answer among those that were given, and what they count as',
  },
)
export type MissingAnswers = Static<typeof MissingAnswers>

/** The run of an evaluation: nothing in it is reproducible. */
export const ReportRun = Type.Object(
  {
    evaluation: Type.String(),
    kind: Type.Optional(Type.String({ description: 'The kind of benchmark' })),
    rescored: Type.Optional(
      Type.String({
        description:
          'The evaluation whose stored samples were scored again. No model is asked, so the usage is zero',
      }),
    ),
    startedAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Absent while the evaluation runs' }),
    ),
    wallMs: Type.Number({ description: 'Duration in milliseconds; until now if the evaluation is running' }),
    samples: Type.Integer(),
    retries: Type.Integer({
      description: 'Runs or replies that were retried after an infrastructure error',
    }),
    hosts: Type.Array(Type.String()),
    runtimes: Type.Array(Type.String()),
    sandboxes: Type.Optional(
      defineRecord(Type.Integer(), {
        description:
          'Runs by isolation level; with warm-jail, process-jail counts the runs that left the warm jail',
      }),
    ),
    canaries: Type.Optional(CanaryCounts),
    provider: Type.Optional(RequestedProvider),
    tensorProviders: Type.Optional(
      defineRecord(Type.Integer(), {
        description:
          'Runs by the provider that computed their tensors, such as cpu or webgpu; absent without tensors',
      }),
    ),
    baselineCheck: Type.Union([BaselineCheck, Type.Null()]),
    parameters: Type.Optional(
      defineRecord(Type.Unknown(), {
        description: 'Parameters sent with the prompt, such as temperature',
      }),
    ),
    usage: Usage,
    costUsd: Type.Union([Type.Number(), Type.Null()], { description: 'null if no price is known' }),
    kept: Type.Optional(
      Type.Integer({
        description: 'Answers reused from earlier evaluations or a recording, at no cost',
      }),
    ),
    repeated: Type.Optional(
      Type.Integer({
        description: 'Requests sent again because the service was killed while they were in flight',
      }),
    ),
    missingAnswers: Type.Optional(MissingAnswers),
    cut: Type.Optional(
      Type.Integer({
        description: 'Answers that a limit cut short, as the endpoint reports; they tend to fail',
      }),
    ),
    endings: Type.Optional(
      Type.Array(AnswerEnding, {
        description:
          'Marks and finish reasons in which at least 5 % of the answers end: mostly a fault of the endpoint or of its settings. Absent if there are none',
      }),
    ),
    budget: Type.Optional(UsageBudget),
    secondOpinion: Type.Optional(
      Type.Object(
        {
          ...EvaluationSpending.properties,
          retries: Type.Integer(),
          kept: Type.Integer(),
          repeated: Type.Integer(),
        },
        {
          additionalProperties: false,
          description: 'Usage of the second opinions, which `usage` and `costUsd` exclude',
        },
      ),
    ),
    probe: Type.Optional(
      Type.Object(EvaluationProbe.properties, {
        additionalProperties: false,
        description:
          'The probe of the model’s endpoint before the first question, with its usage, which `usage` and `costUsd` exclude',
      }),
    ),
    parties: Type.Optional(
      defineRecord(
        Type.Object(
          {
            model: Type.String(),
            ...EvaluationSpending.properties,
            responses: Type.Optional(
              Type.Array(Type.String(), {
                description: 'The evaluations and recordings whose responses replaced a live API',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        {
          description: 'Usage of the players of the other parts, by part; `usage` and `costUsd` exclude it',
        },
      ),
    ),
    cases: Type.Optional(
      Type.Array(
        Type.Object(
          { case: Type.String(), ...EvaluationSpending.properties },
          { additionalProperties: false },
        ),
        {
          description: 'Usage of each case, in the order of the set',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ReportRun = Static<typeof ReportRun>

export const Report = Type.Object({ result: ReportResult, run: ReportRun }, { additionalProperties: false })
export type Report = Static<typeof Report>
