/** Two models compared on one case, which proves little; with two of the groups and explanations. */
import type { ComparisonResource } from '../comparison.ts'

export const exampleComparison: ComparisonResource = {
  id: 'cmp_0cb3a7d5c278803cbe219cc1',
  digest: 'fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102',
  kind: 'stateeval',
  evaluations: [
    {
      id: 'ev_0mwrxttlp1d0b3fb3c1',
      name: 'qwen',
      model: 'qwen',
      options: { documentation: 'full', language: 'javascript', prompting: 'direct', samples: 1, seed: 1 },
      notScored: 0,
    },
    {
      id: 'ev_0mwrxtuezdb2703cebe',
      name: 'other',
      model: 'other',
      options: { documentation: 'full', language: 'javascript', prompting: 'direct', samples: 1, seed: 1 },
      notScored: 0,
    },
  ],
  comparison: {
    alpha: 0.05,
    power: 0.8,
    models: [
      {
        name: 'qwen',
        cases: 1,
        samples: 1,
        passed: 1,
        rate: 1,
        interval: [0.206549, 1],
        passAtK: [{ k: 1, estimate: 1, cases: 1 }],
        passAllK: [{ k: 1, estimate: 1, cases: 1 }],
      },
      {
        name: 'other',
        cases: 1,
        samples: 1,
        passed: 0,
        rate: 0,
        interval: [0, 0.793451],
        passAtK: [{ k: 1, estimate: 0, cases: 1 }],
        passAllK: [{ k: 1, estimate: 0, cases: 1 }],
      },
    ],
    pairs: [
      {
        a: 'qwen',
        b: 'other',
        cases: 1,
        difference: 1,
        interval: [1, 1],
        betterA: 1,
        betterB: 0,
        test: 'mcnemar',
        exact: true,
        p: 1,
        leastDifference: null,
        adjusted: 1,
        significant: false,
      },
    ],
    explanations: {
      rate: 'The share of scored samples that passed. What was not scored because of our infrastructure counts in no denominator.',
      mcNemar:
        'McNemar’s exact test looks only at the cases that one model passes and the other fails, and asks how likely so uneven a split is if both were equally good. It uses that both answered the same cases, which makes it see more than comparing two rates.',
    },
  },
  groups: { api: [{ name: 'listSessions', rates: [1, 0] }], length: [{ name: '1', rates: [1, 0] }] },
  errors: [[], [{ execution: 0, failed: 1, name: 'session-service', result: 1, syntax: 0 }]],
  links: { self: '/v1/comparisons/cmp_0cb3a7d5c278803cbe219cc1' },
}
