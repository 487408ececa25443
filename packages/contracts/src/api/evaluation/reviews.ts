/** What people decide about instructions and tasks that models wrote. */
import Type from 'typebox'
import { BenchmarkResource } from '../../evaluation/index.ts'
import { reviewedBenchmark } from '../../examples/imports.ts'
import { decidedReview, exampleDecision, exampleReview } from '../../examples/review.ts'
import { IdParams, PositionQuery, page } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import { Review, ReviewDecision } from '../../review.ts'
import { CaseParams } from './shared.ts'

export const reviewOperations = defineOperations({
  listReviews: {
    method: 'GET',
    path: '/v1/benchmarks/:id/reviews',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'The instructions that agents made, or the tasks that a model wrote, with their evidence',
    description:
      'In the order of generation: what was verified, what was rejected and why, and what a person must decide, with the dialogue of the agents and the code written from the instruction alone.',
    params: IdParams,
    query: Type.Object({
      ...PositionQuery.properties,
      status: Type.Optional(
        Type.Union([Type.Literal('verified'), Type.Literal('rejected'), Type.Literal('needs_review')]),
      ),
    }),
    success: { 200: { description: 'A page', schema: page(Review), example: { items: [exampleReview] } } },
    errors: [400, 404, 409],
  },
  decideReview: {
    method: 'POST',
    path: '/v1/benchmarks/:id/reviews/:case',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Accept, reject or edit an instruction, or a task that a model wrote',
    description:
      'The decision is stored with its author, time and reason, beside all earlier ones. A task that a model wrote is accepted or edited with answers to the review’s questions; an edit is checked against the specification. The set does not change: POST /v1/benchmarks/{id}/reviewed makes one that follows the decisions.',
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
    summary: 'Make the set that follows the decisions',
    description:
      'The same build with the cases that people accepted or edited, and without those that they rejected, drawn with the same seed. The same decisions return the same resource.',
    params: IdParams,
    success: { 201: { description: 'Made', schema: BenchmarkResource, example: reviewedBenchmark } },
    errors: [400, 404, 409, 422],
  },
})
