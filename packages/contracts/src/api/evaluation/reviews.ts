/** People's decisions about instructions and tasks of a set. */
import Type from 'typebox'
import { BenchmarkResource } from '../../evaluation/index.ts'
import { reviewedBenchmark } from '../../examples/imports.ts'
import { decidedReview, exampleDecision, exampleReview } from '../../examples/review.ts'
import { IdParams, PositionQuery, definePage } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import { Review, ReviewDecision } from '../../review.ts'
import { CaseParams } from './shared.ts'

export const reviewOperations = defineOperations({
  listReviews: {
    method: 'GET',
    path: '/v1/benchmarks/:id/reviews',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'List generated instructions or tasks with their evidence',
    description:
      'Instructions in the order of generation: verified ones, rejected ones with the reason, and those that a person must decide. Each entry has the dialogue of the agents and the code written from the instruction alone. Of a set by templates: its cases.',
    params: IdParams,
    query: Type.Object({
      ...PositionQuery.properties,
      status: Type.Optional(
        Type.Union([Type.Literal('verified'), Type.Literal('rejected'), Type.Literal('needs_review')]),
      ),
    }),
    success: {
      200: { description: 'A page', schema: definePage(Review), example: { items: [exampleReview] } },
    },
    errors: [400, 404, 409],
  },
  decideReview: {
    method: 'POST',
    path: '/v1/benchmarks/:id/reviews/:case',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Accept, reject or edit a generated instruction or task',
    description:
      'The service stores the decision with its author, time and reason, and keeps all earlier decisions. To accept or edit a task that a model wrote, answer the review’s questions; an edit is checked against the specification. The set does not change: POST /v1/benchmarks/{id}/reviewed creates one that follows the decisions.',
    params: CaseParams,
    body: ReviewDecision,
    success: { 200: { description: 'The review', schema: Review, example: decidedReview } },
    errors: [400, 404, 409, 413, 415, 422],
    example: exampleDecision,
  },
  createReviewedBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/:id/reviewed',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Create the set that follows the decisions',
    description:
      'The same set with the cases that people accepted or edited and without those that they rejected; `reviewed` names the benchmark that it comes from. Requests with the same decisions return the same resource.',
    params: IdParams,
    success: { 201: { description: 'Created', schema: BenchmarkResource, example: reviewedBenchmark } },
    errors: [400, 404, 409, 422],
  },
})
