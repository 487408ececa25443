import { expect, test } from '@jest/globals'
import type { GateVerdict, Report, ScoredSample } from '@stateeval/contracts'
import fc from 'fast-check'
import { exampleGate } from '../../../../packages/contracts/src/examples/gate.ts'
import { formatGate } from './gate.ts'
import { formatCodeSpan, formatReportMarkdown } from './markdown.ts'

const failed = (id: string, because: string): ScoredSample => ({
  case: id,
  sample: 0,
  score: {
    passed: false,
    verdict: 'result_error',
    metrics: {},
    evidence: { differences: [], rootCause: { cause: 'instruction_not_followed', because } },
  },
})
const report: Report = {
  result: {
    digest: 'fedfe53a8d8edb298747429fef756bd8ca0ae4a56ef9245bf26f16ff0ba4e102',
    model: 'qwen',
    options: {},
    version: '1',
    overall: { passed: 33, scored: 40, rate: 0.825, interval: [0.6805, 0.912546], method: 'wilson' },
    notScored: 0,
    verdicts: { passed: 33, result_error: 7 },
    rootCauses: {},
    groups: {},
    samples: [
      failed('session-service/05', 'deleteSession | was called\ntwice'),
      ...Array.from({ length: 12 }, (_, n) => failed(`session-service/1${n}`, '<img> @everybody')),
    ],
  },
  run: {
    evaluation: 'ev_0mwrxtuezdb2703cebe',
    kind: 'stateeval',
    startedAt: '2025-01-01T00:00:00.000Z',
    wallMs: 1000,
    samples: 40,
    retries: 0,
    hosts: [],
    runtimes: [],
    baselineCheck: null,
    usage: { requests: 40, promptTokens: 40_000, completionTokens: 2_000 },
    costUsd: 0.1234,
  },
}
const gate: GateVerdict = exampleGate

test('the summary has rate, baseline, checks, flips, failures and cost', () => {
  expect(formatReportMarkdown(report, gate).split('\n')).toEqual([
    '### StateEval: gate failed',
    '',
    '`qwen` on benchmark `fedfe53a8d8e`, evaluation `ev_0mwrxtuezdb2703cebe`',
    '',
    '|  | pass@1 | 95 % interval | passed | not scored | cost |',
    '| --- | --- | --- | --- | --- | --- |',
    '| this evaluation | 82.5 % | 68.1–91.3 % | 33/40 | 0 | $0.1234 (42,000 tokens) |',
    '| baseline `ev_0mwrxttlp1d0b3fb3c1` | 85.0 % |  | 40 shared cases |  |  |',
    expect.stringMatching(
      /^\| difference \| \*\*-2\.5 points\*\* \| -\d+\.\d to \+\d+\.\d points \| 40 shared cases \| {2}\| {2}\|$/,
    ),
    '',
    '- passed: The pass rate of 82.5 % reaches the minimum of 75 %.',
    '- passed: Every sample has a score.',
    expect.stringMatching(/^- \*\*failed\*\*: The pass rate is 82\.5 % against 85\.0 %/),
    '- note: The drop is not statistically significant, so it may be chance; with --significant it would not fail the gate.',
    '',
    '#### Worse than the baseline: 2 cases',
    '',
    '| case | baseline | now |',
    '| --- | --- | --- |',
    '| `session-service/05` | passed | failed |',
    '| `session-service/06` | passed | failed |',
    '',
    '#### Better than the baseline: 1 case',
    '',
    '| case | baseline | now |',
    '| --- | --- | --- |',
    '| `session-service/30` | failed | passed |',
    '',
    '#### Failed cases: 13',
    '',
    '| case | sample | verdict | root cause |',
    '| --- | --- | --- | --- |',
    '| `session-service/05` | 0 | result error | instruction not followed: `deleteSession \\| was called twice` |',
    ...Array.from(
      { length: 9 },
      (_, n) =>
        `| \`session-service/1${n}\` | 0 | result error | instruction not followed: \`<img> @everybody\` |`,
    ),
    '',
    '… and 3 more.',
    '',
    'Report: `npx stateeval report ev_0mwrxtuezdb2703cebe`',
    '',
  ])
  expect(formatReportMarkdown(report)).toMatch(/^### StateEval\n\n`qwen` on/)
})

test('a code span holds any text, in one cell', () => {
  expect([
    formatCodeSpan('a'),
    formatCodeSpan('`'),
    formatCodeSpan('a``b'),
    formatCodeSpan(''),
    formatCodeSpan('a\\|b'),
  ]).toEqual(['`a`', '`` ` ``', '```a``b```', '`  `', '`a\\ \\|b`'])
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '`', '|', '\\', '\n', '<') }), (text) => {
      const span = formatCodeSpan(text)
      expect(span).not.toMatch(/\n|(?<!\\)\||\\\\\|/)
      const [fence = ''] = /^`+/.exec(span) ?? []
      expect(span.endsWith(fence)).toBe(true)
      // Nothing inside closes the span.
      const inside = span.slice(fence.length, -fence.length)
      expect([...inside.matchAll(/`+/g)].every(([run]) => run.length < fence.length)).toBe(true)
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('the verdict in a terminal says what to do about samples without a score', () => {
  const says = '3 samples have no score; at most 0 may have none.'
  expect(formatGate({ ...gate, checks: [{ name: 'unscored', passed: false, says }], notes: [] })).toBe(
    'The gate failed.\n  failed  3 samples have no score; at most 0 may have none. Evaluate again, or allow some with --max-unscored.',
  )
  expect(formatGate(gate)).toContain('  note    The drop is not statistically significant')
})
