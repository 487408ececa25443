/** An evaluation: its request and its resource. */
import Type, { type Static } from 'typebox'
import { jobFields } from '../job.ts'
import { UsageBudget, ModelName, Usage } from '../model.ts'
import { defineRecord } from '../basics/record.ts'
import { RequestedProvider } from '../tensor.ts'
import { GivenAnswer } from './answers.ts'
import { DocumentationName, EvaluationOptions } from './options.ts'

/** A model of the service, or a recording. */
const partyName = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }

/** A word that people put evaluations in order by. */
export const EvaluationTag = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}$',
  description: 'Up to 64 letters, digits and . _ : / -',
})
export const maxTags = 20
const defineTagList = (description: string) =>
  Type.Array(EvaluationTag, { maxItems: maxTags, uniqueItems: true, description })

/** A change of an evaluation's tags. */
export const TagChange = Type.Object(
  {
    add: Type.Optional(defineTagList('Tags to add; existing tags are kept')),
    remove: Type.Optional(
      defineTagList('Tags to remove; tags that the evaluation does not have are ignored'),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type TagChange = Static<typeof TagChange>

/** Benchmark × model × prompting × samples; either a model or imported answers. */
export const EvaluationRequest = Type.Object(
  {
    benchmark: Type.String({ minLength: 1, maxLength: 200, description: 'Id of a benchmark resource' }),
    model: Type.Optional(ModelName),
    answers: Type.Optional(
      Type.Array(GivenAnswer, { minItems: 1, maxItems: 100_000, description: 'Instead of a model' }),
    ),
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Name in reports for the maker of `answers`; answers by default',
      }),
    ),
    partial: Type.Optional(
      Type.Boolean({
        description:
          'With `answers`: whether samples without an answer have no score. By default they count as failed',
      }),
    ),
    tags: Type.Optional(
      defineTagList('Words by which the evaluation can be found. Tags can be changed later'),
    ),
    budget: Type.Optional(UsageBudget),
    fresh: Type.Optional(
      Type.Boolean({
        description:
          'Whether every question is asked again, including those that an earlier evaluation answered. By default, stored answers are reused',
      }),
    ),
    probe: Type.Optional(
      Type.Boolean({
        description:
          'Whether the model’s endpoint is probed first, if its findings are not known yet. By default, it is if the model has prices. A failed probe does not stop the evaluation',
      }),
    ),
    recording: Type.Optional(
      Type.String({
        pattern: '^rec_[0-9a-f]{64}$',
        description: 'Instead of a model: answers every question from this recording, without a request',
      }),
    ),
    secondOpinion: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
        description:
          'A model that explains after scoring why each failed sample failed, or the id of a recording of its answers. A recording with opinions repeats them without this field',
      }),
    ),
    judge: Type.Optional(
      Type.Union(
        [
          Type.String(partyName),
          defineRecord(Type.String(partyName), {
            names: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,49}$' }),
          }),
        ],
        {
          description:
            'The model that judges, if the benchmark asks one; by part if it asks several. With the id of a recording, the recorded judgements are repeated',
        },
      ),
    ),
    user: Type.Optional(
      Type.String({
        ...partyName,
        description:
          'The model that plays the user, if the benchmark simulates one; or the id of a recording',
      }),
    ),
    embeddings: Type.Optional(
      Type.String({
        ...partyName,
        description:
          'The model with api embeddings that computes similarities, if the benchmark needs them; or the id of a recording',
      }),
    ),
    responses: Type.Optional(
      Type.Array(Type.String({ pattern: '^(ev_[A-Za-z0-9]{1,40}|rec_[0-9a-f]{64})$' }), {
        minItems: 1,
        maxItems: 16,
        uniqueItems: true,
        description:
          'Succeeded evaluations or recordings. If the service has no such live API, their recorded responses answer the same requests. A request that has no recorded response is reported as not recorded',
      }),
    ),
    provider: Type.Optional(RequestedProvider),
    ...Type.Partial(EvaluationOptions).properties,
    documentation: Type.Optional(
      Type.Union(DocumentationName.anyOf, {
        description:
          'How much of the API documentation a model reads. Default: the benchmark’s, usually full',
      }),
    ),
  },
  { additionalProperties: false },
)
export type EvaluationRequest = Static<typeof EvaluationRequest>

/** The usage of the samples that have ended; with costs if the model has prices. */
export const EvaluationSpending = Type.Object(
  { ...Usage.properties, costUsd: Type.Union([Type.Number(), Type.Null()]) },
  { additionalProperties: false },
)
export type EvaluationSpending = Static<typeof EvaluationSpending>

/** The probe before an evaluation. */
export const EvaluationProbe = Type.Object(
  {
    status: Type.Union([Type.Literal('done'), Type.Literal('failed')]),
    reason: Type.Optional(Type.String({ description: 'Why it failed; the evaluation continues' })),
    remedies: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What is off, in sentences that name the option that mends it',
      }),
    ),
    ...EvaluationSpending.properties,
  },
  { additionalProperties: false },
)
export type EvaluationProbe = Static<typeof EvaluationProbe>

export const EvaluationResource = Type.Object(
  {
    ...jobFields,
    benchmark: Type.String(),
    digest: Type.String({ description: 'Digest of the benchmark: the hash of its manifest' }),
    model: Type.String(),
    options: EvaluationOptions,
    rescored: Type.Optional(
      Type.String({ description: 'The evaluation whose stored samples this one scores again' }),
    ),
    secondOpinion: Type.Optional(
      Type.String({ description: 'The model that gives second opinions on root causes' }),
    ),
    parties: Type.Optional(
      defineRecord(Type.String(), {
        description:
          'The players of the other parts, by part: judge:NAME, user, similar (embeddings), http:NAME (a live API)',
      }),
    ),
    provider: Type.Optional(RequestedProvider),
    tags: Type.Optional(defineTagList('Sorted; absent if there are none')),
    budget: Type.Optional(UsageBudget),
    spent: Type.Optional(EvaluationSpending),
    probe: Type.Optional(
      Type.Object(EvaluationProbe.properties, {
        additionalProperties: false,
        description:
          'The probe of the model’s endpoint before the first question, if there was one. GET /v1/models/{name} has the findings; `spent` excludes its usage',
      }),
    ),
    counts: Type.Object(
      {
        samples: Type.Integer(),
        scored: Type.Integer(),
        passed: Type.Integer(),
        notScored: Type.Integer({
          description: 'Samples that ended without a score, after infrastructure errors or refused questions',
        }),
        timeouts: Type.Integer({
          description: 'Scored samples that failed because their code reached its time limit',
        }),
      },
      {
        additionalProperties: false,
        description: 'Counts of the samples that have ended; they grow while the evaluation runs',
      },
    ),
  },
  { additionalProperties: false },
)
export type EvaluationResource = Static<typeof EvaluationResource>
