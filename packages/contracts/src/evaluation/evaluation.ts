/** An evaluation: what it is asked with, and as a resource. */
import Type, { type Static } from 'typebox'
import { jobFields } from '../job.ts'
import { Budget, ModelName, Usage } from '../model.ts'
import { recordOf } from '../basics/record.ts'
import { RequestedProvider } from '../tensor.ts'
import { GivenAnswer } from './answers.ts'
import { DocumentationName, EvaluationOptions } from './options.ts'

/** A model of the service, or a recording. */
const partyName = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }

/** Benchmark × model × prompting × samples; either a model or answers made elsewhere. */
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
        description: 'What reports call the maker of `answers`; answers by default',
      }),
    ),
    budget: Type.Optional(Budget),
    fresh: Type.Optional(
      Type.Boolean({
        description:
          'Asks every question again, including those that an earlier evaluation answered; by default, stored answers are reused',
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
          'A model that is asked why each failed sample failed, after scoring; or the id of a recording of its answers. A recording with opinions repeats them by itself',
      }),
    ),
    judge: Type.Optional(
      Type.Union(
        [
          Type.String(partyName),
          recordOf(Type.String(partyName), { names: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,49}$' }) }),
        ],
        {
          description:
            'The model that judges, where the benchmark asks one; by part where it asks several. A recording’s id repeats what its judge said',
        },
      ),
    ),
    user: Type.Optional(
      Type.String({
        ...partyName,
        description: 'The model that plays the user, where the benchmark simulates one; or a recording’s id',
      }),
    ),
    embeddings: Type.Optional(
      Type.String({
        ...partyName,
        description:
          'The model of api embeddings that similarities come from, where the benchmark asks for them; or a recording’s id',
      }),
    ),
    responses: Type.Optional(
      Type.Array(Type.String({ pattern: '^(ev_[A-Za-z0-9]{1,40}|rec_[0-9a-f]{64})$' }), {
        minItems: 1,
        maxItems: 16,
        uniqueItems: true,
        description:
          'Evaluations that have succeeded, or recordings: what live APIs answered there answers the same requests here, where the service has no such API. A request that none of them has is reported as not recorded',
      }),
    ),
    provider: Type.Optional(RequestedProvider),
    ...Type.Partial(EvaluationOptions).properties,
    documentation: Type.Optional(
      Type.Union(DocumentationName.anyOf, {
        description:
          'How much of the API documentation a model reads; the benchmark’s own default, mostly full',
      }),
    ),
  },
  { additionalProperties: false },
)
export type EvaluationRequest = Static<typeof EvaluationRequest>

/** What the samples that have ended used; with costs where the model has prices. */
export const Spent = Type.Object(
  { ...Usage.properties, costUsd: Type.Union([Type.Number(), Type.Null()]) },
  { additionalProperties: false },
)
export type Spent = Static<typeof Spent>

export const EvaluationResource = Type.Object(
  {
    ...jobFields,
    benchmark: Type.String(),
    digest: Type.String({ description: 'Of the benchmark: the hash of its manifest' }),
    model: Type.String(),
    options: EvaluationOptions,
    rescored: Type.Optional(
      Type.String({ description: 'The evaluation whose stored samples are scored again here' }),
    ),
    secondOpinion: Type.Optional(
      Type.String({ description: 'The model that is asked for root causes, too' }),
    ),
    parties: Type.Optional(
      recordOf(Type.String(), {
        description:
          'The players of the further parts, by part: judge:NAME, user, similar (embeddings), http:NAME (a live API)',
      }),
    ),
    provider: Type.Optional(RequestedProvider),
    budget: Type.Optional(Budget),
    spent: Type.Optional(Spent),
    counts: Type.Object(
      {
        samples: Type.Integer(),
        scored: Type.Integer(),
        passed: Type.Integer(),
        notScored: Type.Integer({
          description: 'Samples that ended without a score: infrastructure errors, refused questions',
        }),
        timeouts: Type.Integer({
          description: 'Scored samples that failed because their code ran into its time limit',
        }),
      },
      {
        additionalProperties: false,
        description: 'Of the samples that have ended; they grow while the evaluation runs',
      },
    ),
  },
  { additionalProperties: false },
)
export type EvaluationResource = Static<typeof EvaluationResource>
