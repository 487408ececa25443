/** Comparisons of evaluations. */
import { ComparisonRequest, ComparisonResource } from '../../comparison.ts'
import { exampleComparison } from '../../examples/comparison.ts'
import { IdParams, defineIdQuery, definePage } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

export const comparisonOperations = defineOperations({
  createComparison: {
    method: 'POST',
    path: '/v1/comparisons',
    scope: 'run',
    tag: 'comparisons',
    summary: 'Compare evaluations',
    description:
      'Evaluations of one benchmark, compared pair by pair on the cases that both scored: exact McNemar test (sign-flip permutation test where cases have several samples), paired bootstrap by case, Holm’s correction for all pairs, and the smallest difference that the set can detect. The same evaluations in the same order return the same comparison.',
    body: ComparisonRequest,
    success: {
      201: {
        description: 'Created. Location has the URL of the resource',
        schema: ComparisonResource,
        example: exampleComparison,
      },
    },
    errors: [400, 404, 409, 413, 415, 422, 429],
    example: { evaluations: ['ev_0123456789abcdef', 'ev_fedcba9876543210'] },
  },
  listComparisons: {
    method: 'GET',
    path: '/v1/comparisons',
    scope: 'read',
    tag: 'comparisons',
    summary: 'List comparisons',
    description: 'Sorted by id, page by page.',
    query: defineIdQuery('cmp'),
    success: {
      200: {
        description: 'A page',
        schema: definePage(ComparisonResource),
        example: { items: [exampleComparison] },
      },
    },
    errors: [400],
  },
  getComparison: {
    method: 'GET',
    path: '/v1/comparisons/:id',
    scope: 'read',
    tag: 'comparisons',
    summary: 'A comparison',
    description: 'Shows the evaluations side by side, with a test of each pair. A comparison never changes.',
    params: IdParams,
    success: {
      200: { description: 'The comparison', schema: ComparisonResource, example: exampleComparison },
    },
    errors: [400, 404],
  },
})
