/** Evaluations: started, watched, cancelled, resumed. */
import Type from 'typebox'
import { EvaluationRequest, EvaluationResource, RescoreRequest } from '../../evaluation/index.ts'
import {
  cancelledEvaluation,
  exampleEvaluation,
  rescoredEvaluation,
  runningEvaluation,
} from '../../examples/evaluations.ts'
import { importedBenchmark } from '../../examples/imports.ts'
import { IdParams, idQuery, page } from '../../job.ts'
import { Budget } from '../../model.ts'
import { Events, defineOperations } from '../../operation.ts'
import { folderLimit } from './shared.ts'

export const evaluationRunOperations = defineOperations({
  createEvaluation: {
    method: 'POST',
    path: '/v1/evaluations',
    scope: 'run',
    work: true,
    tag: 'evaluations',
    summary: 'Evaluate a model, or answers made elsewhere',
    description:
      'First the reference answer of every case is replayed here; a set whose reference answers do not pass is refused with the cases named. Phases: baseline check, evaluate, second opinions (where they are wanted), report.',
    body: EvaluationRequest,
    bodyLimit: folderLimit,
    success: {
      202: {
        description: 'Accepted; Location names the resource',
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
    description: 'In the order of their ids, page by page.',
    query: idQuery('ev'),
    success: {
      200: {
        description: 'A page',
        schema: page(EvaluationResource),
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
    summary: 'An evaluation: status, progress, links',
    description: 'Counts grow while it runs.',
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
  cancelEvaluation: {
    method: 'POST',
    path: '/v1/evaluations/:id/cancel',
    scope: 'run',
    tag: 'evaluations',
    summary: 'Stop an evaluation',
    description: 'What is done is kept; it can be resumed. One that has ended stays as it is.',
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
    summary: 'Delete an evaluation with all that is its own',
    description:
      'Its results, report and jobs go at once, artifacts that nothing else names within two hours. Answers of models are kept for other evaluations. One that runs has to be cancelled first.',
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
    summary: 'Go on with an evaluation',
    description:
      'A cancelled or failed evaluation goes on with what was not done; done samples are not asked again. One that stopped at its budget needs a larger one.',
    params: IdParams,
    body: Type.Object({ budget: Type.Optional(Budget) }, { additionalProperties: false, default: {} }),
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
      'A new evaluation from the transcripts and observations of one that has succeeded, by another policy, under other options, or by a newer version of the scorer. No model, judge or sandbox is asked. Its result is that of a fresh evaluation with the same answers. A sample that would need something that was never asked or run is not scored, and says so.',
    params: IdParams,
    body: RescoreRequest,
    success: {
      202: {
        description: 'Accepted; Location names the new evaluation',
        schema: EvaluationResource,
        example: rescoredEvaluation,
      },
    },
    errors: [400, 404, 409, 413, 415, 422],
    example: { policy: 'sound' },
  },
})
