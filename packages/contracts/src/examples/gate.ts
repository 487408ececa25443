/** Forty cases: two no longer pass, one newly passes; with two of the explanations. */
import type { GateVerdict } from '../gate.ts'

export const exampleGate: GateVerdict = {
  passed: false,
  evaluation: 'ev_0mwrxtuezdb2703cebe',
  baseline: 'ev_0mwrxttlp1d0b3fb3c1',
  digest: 'fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102',
  samples: 40,
  notScored: 0,
  overall: { passed: 33, scored: 40, rate: 0.825, interval: [0.6805, 0.912546], method: 'wilson' },
  checks: [
    { name: 'rate', passed: true, says: 'The pass rate of 82.5 % reaches the minimum of 75 %.' },
    { name: 'unscored', passed: true, says: 'Every sample has a score.' },
    {
      name: 'regression',
      passed: false,
      says: 'The pass rate is 82.5 % against 85.0 % in the baseline on 40 shared cases: -2.5 points (95 % interval -10.0 to +5.0 points); 2 cases worse, 1 better. That is more than the allowed drop of 2 points.',
    },
  ],
  notes: [
    'The drop is not statistically significant, so it may be chance; with `significant` it would not fail the gate.',
  ],
  comparison: {
    cases: 40,
    samples: 40,
    rate: 0.825,
    baselineRate: 0.85,
    difference: -0.025,
    interval: [-0.1, 0.05],
    test: 'mcnemar',
    exact: true,
    p: 1,
    significant: false,
    alpha: 0.05,
    power: 0.8,
    leastDifference: null,
    regressed: 2,
    improved: 1,
    regressions: [
      {
        case: 'session-service/05',
        evaluation: { samples: 1, passed: 0 },
        baseline: { samples: 1, passed: 1 },
      },
      {
        case: 'session-service/06',
        evaluation: { samples: 1, passed: 0 },
        baseline: { samples: 1, passed: 1 },
      },
    ],
    improvements: [
      {
        case: 'session-service/30',
        evaluation: { samples: 1, passed: 1 },
        baseline: { samples: 1, passed: 0 },
      },
    ],
  },
  explanations: {
    rate: 'The share of scored samples that passed. What was not scored because of our infrastructure counts in no denominator.',
    mcNemar:
      'McNemar’s exact test looks only at the cases that one model passes and the other fails, and asks how likely so uneven a split is if both were equally good. It uses that both answered the same cases, which makes it see more than comparing two rates.',
  },
}
