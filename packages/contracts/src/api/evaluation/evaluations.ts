/** Evaluations: started, watched, cancelled, resumed. */
import Type from 'typebox'
import {
  EvaluationRequest,
  EvaluationResource,
  EvaluationTag,
  RescoreRequest,
  TagChange,
} from '../../evaluation/index.ts'
import {
  cancelledEvaluation,
  exampleEvaluation,
  rescoredEvaluation,
  runningEvaluation,
} from '../../examples/evaluations.ts'
import { importedBenchmark } from '../../examples/imports.ts'
import { IdParams, defineIdQuery, definePage } from '../../job.ts'
import { UsageBudget } from '../../model.ts'
import { Events, defineOperations } from '../../operation.ts'
import { folderLimit } from './shared.ts'

/** How long a stream of changes lasts at most, in seconds. */
const longestStream = 3600

export const evaluationRunOperations = defineOperations({
  createEvaluation: {
    method: 'POST',
    path: '/v1/evaluations',
    scope: 'run',
    work: true,
    tag: 'evaluations',
    summary: 'Evaluate a model, or answers made elsewhere',
    description:
      'The service first replays the reference answer of every case; it rejects a set whose reference answers fail, and names the cases. Phases: baseline check, evaluate, second opinions (if requested), report.',
    body: EvaluationRequest,
    bodyLimit: folderLimit,
    bodyParts: 1_000_000,
    success: {
      202: {
        description: 'Accepted. Location has the URL of the resource',
        schema: EvaluationResource,
        example: runningEvaluation,
      },
    },
    errors: [400, 404, 409, 413, 415, 422, 429],
    example: { benchmark: importedBenchmark.id, model: 'qwen', budget: { usd: 2 } },
  },
  listEvaluations: {
    method: 'GET',
    path: '/v1/evaluations',
    scope: 'read',
    tag: 'evaluations',
    summary: 'List evaluations',
    description: 'Sorted by id, page by page; all, or those with a tag.',
    query: Type.Object(
      { ...defineIdQuery('ev').properties, tag: Type.Optional(EvaluationTag) },
      { additionalProperties: false },
    ),
    success: {
      200: {
        description: 'A page',
        schema: definePage(EvaluationResource),
        example: { items: [exampleEvaluation] },
      },
    },
    errors: [400],
  },
  getEvaluation: {
    method: 'GET',
    path: '/v1/evaluations/:id',
    scope: 'read',
    tag: 'evaluations',
    summary: 'An evaluation, with its status, progress and links',
    description: 'The counts grow while the evaluation runs.',
    params: IdParams,
    success: {
      200: { description: 'The evaluation', schema: EvaluationResource, example: exampleEvaluation },
    },
    errors: [400, 404],
  },
  getEvaluationEvents: {
    method: 'GET',
    path: '/v1/evaluations/:id/events',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Progress as server-sent events',
    description: 'Each `progress` event is the evaluation resource; the stream ends after the `end` event.',
    params: IdParams,
    success: {
      200: {
        description: 'text/event-stream',
        schema: Events,
        contentType: 'text/event-stream',
        example: `event: progress\ndata: ${JSON.stringify(exampleEvaluation)}\n\nevent: end\ndata: {"status":"succeeded"}\n\n`,
      },
    },
    errors: [400, 404],
  },
  followEvaluations: {
    method: 'GET',
    path: '/v1/evaluation-events',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Changes of all evaluations as server-sent events',
    description:
      'First a `start` event, then an `evaluation` event (the resource) for each running evaluation and for each change of status, progress or tags, and a `removed` event (`{"id"}`) for each deletion. The stream ends after `seconds`; reconnect with the last id as Last-Event-ID to receive what changed since then. `start` says `{"missed": true}` if that time is too long ago: list the evaluations again. Changes are kept for 24 hours.',
    query: Type.Object(
      {
        seconds: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: longestStream,
            default: 600,
            description: 'When the stream ends',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    headers: Type.Object({
      'last-event-id': Type.Optional(
        // Without the format of a time: generators of clients take none in a header.
        Type.String({ maxLength: 100, description: 'The id of the last event of an earlier stream' }),
      ),
    }),
    success: {
      200: {
        description: 'text/event-stream',
        schema: Events,
        contentType: 'text/event-stream',
        example: `id: 2026-11-22T14:34:10.400Z\nevent: start\ndata: {"missed":false}\n\nid: 2026-11-22T14:34:11.300Z\nevent: evaluation\ndata: ${JSON.stringify(exampleEvaluation)}\n\n`,
      },
    },
    errors: [400],
  },
  changeEvaluationTags: {
    method: 'POST',
    path: '/v1/evaluations/:id/tags',
    scope: 'run',
    tag: 'evaluations',
    summary: 'Add and remove tags',
    description: 'Also possible after the evaluation has ended. No result depends on tags.',
    params: IdParams,
    body: TagChange,
    success: {
      200: {
        description: 'The evaluation',
        schema: EvaluationResource,
        example: { ...exampleEvaluation, tags: ['nightly', 'team:search'] },
      },
    },
    errors: [400, 404, 413, 415, 422],
    example: { add: ['nightly', 'team:search'], remove: ['draft'] },
  },
  cancelEvaluation: {
    method: 'POST',
    path: '/v1/evaluations/:id/cancel',
    scope: 'run',
    tag: 'evaluations',
    summary: 'Stop an evaluation',
    description:
      'Finished samples are kept, and the evaluation can be resumed. A finished evaluation does not change.',
    params: IdParams,
    success: {
      200: { description: 'The evaluation', schema: EvaluationResource, example: cancelledEvaluation },
    },
    errors: [400, 404],
  },
  deleteEvaluation: {
    method: 'DELETE',
    path: '/v1/evaluations/:id',
    scope: 'run',
    tag: 'evaluations',
    summary: 'Delete an evaluation with all its data',
    description:
      'Its results, report and jobs are deleted immediately, unused artifacts within two hours. Models’ answers are kept for other evaluations. Cancel a running evaluation first.',
    params: IdParams,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404, 409],
  },
  resumeEvaluation: {
    method: 'POST',
    path: '/v1/evaluations/:id/resume',
    scope: 'run',
    work: true,
    tag: 'evaluations',
    summary: 'Resume an evaluation',
    description:
      'A cancelled or failed evaluation continues with its unfinished samples; finished ones are not repeated. An evaluation that stopped at its budget needs a larger one.',
    params: IdParams,
    body: Type.Object({ budget: Type.Optional(UsageBudget) }, { additionalProperties: false, default: {} }),
    success: {
      202: { description: 'The evaluation', schema: EvaluationResource, example: runningEvaluation },
    },
    errors: [400, 404, 409, 413, 415, 422],
    example: { budget: { usd: 2 } },
  },
  rescoreEvaluation: {
    method: 'POST',
    path: '/v1/evaluations/:id/rescore',
    scope: 'run',
    tag: 'evaluations',
    summary: 'Score stored samples again',
    description:
      'Creates an evaluation from the transcripts and observations of a succeeded one, with another policy, other options, or a newer version of the scorer. It calls no model, judge or sandbox. Its result equals that of a fresh evaluation with the same answers. A sample that needs a missing answer or run is not scored, and its result names what is missing.',
    params: IdParams,
    body: RescoreRequest,
    success: {
      202: {
        description: 'Accepted. Location has the URL of the new evaluation',
        schema: EvaluationResource,
        example: rescoredEvaluation,
      },
    },
    errors: [400, 404, 409, 413, 415, 422],
    example: { policy: 'sound' },
  },
})
