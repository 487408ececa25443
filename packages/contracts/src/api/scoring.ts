/** The operations of scoring: verdicts on observations, and statistics over them. */
import Type from 'typebox'
import { exampleScore, exampleStatistics } from '../examples/scoring.ts'
import { defineOperations } from '../operation.ts'
import { Score, ScoreItem, Statistics, StatisticsRequest } from '../scoring.ts'

const world = { state: { items: [] }, ids: { initial: [], created: [] }, gone: [] }

export const scoringOperations = defineOperations({
  createScores: {
    method: 'POST',
    path: '/v1/scores',
    scope: 'run',
    tag: 'scores',
    summary: 'Score candidates',
    description:
      'Compares observations with expectations: RESULT and the final world state of every input, up to one pairing of ids. Takes one item or a batch; an item is a candidate for a benchmark’s test case, or plain expectations and observations. Scores are in the order of the items.',
    body: Type.Union([
      ScoreItem,
      Type.Object(
        { items: Type.Array(ScoreItem, { minItems: 1, maxItems: 500 }) },
        { additionalProperties: false },
      ),
    ]),
    bodyLimit: 64 * 2 ** 20,
    bodyParts: 1_000_000,
    success: {
      200: {
        description: 'One score for each item',
        schema: Type.Object({ scores: Type.Array(Score) }, { additionalProperties: false }),
        example: { scores: [exampleScore] },
      },
    },
    errors: [400, 413, 415, 422, 429],
    example: {
      scenario: 'session-service',
      expected: [{ result: { total: 2 }, world }],
      observed: [
        {
          ending: { status: 'completed', result: { total: 3 } },
          world,
          log: [],
          output: '',
          faults: [],
          wallMs: 12,
          sandbox: 'process-jail',
        },
      ],
    },
  },
  computeStatistics: {
    method: 'POST',
    path: '/v1/statistics',
    scope: 'run',
    tag: 'statistics',
    summary: 'Compute intervals, pass@k, and compare models',
    description:
      'Wilson intervals of proportions, bootstrap intervals of rates with cases as clusters, pass@k and pass^k without bias, and models compared pair by pair: exact McNemar or sign-flip test, paired bootstrap, Holm’s correction, the smallest detectable difference. The route needs only the numbers of samples and passes, from any source.',
    bodyLimit: 64 * 2 ** 20,
    bodyParts: 1_000_000,
    body: StatisticsRequest,
    success: {
      200: {
        description: 'The statistics, in the order of the request',
        schema: Statistics,
        example: exampleStatistics,
      },
    },
    errors: [400, 413, 415, 422, 429],
    example: {
      proportions: [{ name: 'overall', successes: 30, total: 40 }],
      passAtK: { k: [1, 5], cases: [{ samples: 10, passed: 3 }] },
    },
  },
})
