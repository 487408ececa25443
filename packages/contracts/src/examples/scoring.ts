/** Responses to the example requests, with two of the explanations. */
import type { Static } from 'typebox'
import type { Score, Statistics } from '../scoring.ts'

export const exampleScore: Score = {
  passed: false,
  verdict: 'result_error',
  metrics: { pass: 0 },
  evidence: {
    input: 0,
    differences: [
      { where: 'result.total', expected: '2', found: '3', says: 'RESULT.total is 3, expected 2' },
    ],
  },
}

export const exampleStatistics: Static<typeof Statistics> = {
  proportions: [{ name: 'overall', rate: 0.75, interval: [0.59806, 0.858129] }],
  clustered: [],
  passAtK: [
    { k: 1, estimate: 0.3, cases: 1 },
    { k: 5, estimate: 0.916667, cases: 1 },
  ],
  passAllK: [
    { k: 1, estimate: 0.3, cases: 1 },
    { k: 5, estimate: 0, cases: 1 },
  ],
  explanations: {
    rate: 'The share of scored samples that passed. What was not scored because of our infrastructure counts in no denominator.',
    wilson:
      'The Wilson interval: rates that are compatible with what was seen, 95 times out of 100. It takes every sample as independent, which holds with one sample for each case.',
  },
}
