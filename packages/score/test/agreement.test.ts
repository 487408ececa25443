import { expect, test } from '@jest/globals'
import type { ScoredSample, SecondOpinion } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { computeKappaInterval, computeKappa, buildOpinionReport } from '../src/index.ts'

const [misread, notFollowed, mismanaged] = [
  'documentation_misread',
  'instruction_not_followed',
  'implicit_state_mismanaged',
] as const
const pairs = (counts: readonly (readonly number[])[]) =>
  counts.flatMap((row, ours) =>
    row.flatMap((count, theirs) =>
      Array.from({ length: count }, (_, n) => ({ case: `${ours}${theirs}${n}`, ours, theirs })),
    ),
  )
const failed = (id: string, ours: string, secondOpinion?: SecondOpinion): ScoredSample => ({
  case: id,
  sample: 0,
  score: {
    passed: false,
    verdict: 'result_error',
    metrics: {},
    evidence: { differences: [], rootCause: { cause: ours, because: 'it shows' } },
  },
  ...(secondOpinion && { secondOpinion }),
})

test('kappa is that of published tables, and unknown where nothing tells the judges apart', () => {
  // Cohen 1960; the table of Wikipedia's "Cohen's kappa", 20, 5, 10, 15.
  expect(
    computeKappa(
      pairs([
        [20, 5],
        [10, 15],
      ]),
    ),
  ).toBeCloseTo(0.4, 12)
  expect(
    computeKappa(
      pairs([
        [45, 15],
        [25, 15],
      ]),
    ),
  ).toBeCloseTo(0.1304, 4)
  expect(
    computeKappa(
      pairs([
        [0, 7],
        [7, 0],
      ]),
    ),
  ).toBe(-1)
  expect(computeKappa(pairs([[9]]))).toBeNull()
  expect(computeKappa([])).toBeNull()
})

test('the interval of kappa is about that of the asymptotic formula, the same for the same seed, and null for few cases', () => {
  const ratings = pairs([
    [20, 5],
    [10, 15],
  ])
  const [low, high] = computeKappaInterval(ratings, createRng('x'))!
  // Fleiss, Cohen and Everitt 1969: 0.4 ± 1.96 × 0.127
  expect(low).toBeGreaterThan(0.08)
  expect(low).toBeLessThan(0.22)
  expect(high).toBeGreaterThan(0.58)
  expect(high).toBeLessThan(0.72)
  expect(computeKappaInterval(ratings, createRng('x'))).toEqual([low, high])
  expect(computeKappaInterval(ratings.slice(0, 4), createRng('x'))).toBeNull()
})

test('a report counts what is compared, what names no cause, what is absent, and lists where they differ', () => {
  const samples = [
    failed('a', misread, { cause: misread, because: 'x' }),
    failed('b', misread, { cause: mismanaged, because: 'an old id' }),
    failed('c', notFollowed, { cause: 'unclear', because: '' }),
    failed('d', notFollowed, { absent: 'away' }),
    failed('e', notFollowed, { cause: notFollowed, because: 'y' }),
    failed('f', notFollowed),
  ]
  expect(buildOpinionReport('judge', samples, [misread, notFollowed, mismanaged])).toEqual({
    model: 'judge',
    failed: 5,
    unclear: 1,
    absent: [{ reason: 'away', samples: 1 }],
    compared: 3,
    agreed: 2,
    share: 0.666667,
    interval: [expect.any(Number), expect.any(Number)],
    kappa: 0.5,
    kappaInterval: null,
    causes: [
      { ours: misread, theirs: misread, samples: 1 },
      { ours: misread, theirs: mismanaged, samples: 1 },
      { ours: notFollowed, theirs: notFollowed, samples: 1 },
      { ours: notFollowed, theirs: 'unclear', samples: 1 },
    ],
    differ: [{ case: 'b', sample: 0, ours: misread, theirs: mismanaged, because: 'an old id' }],
  })
})
