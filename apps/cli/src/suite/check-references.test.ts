import { expect, test } from '@jest/globals'
import type { Report } from '@stateeval/contracts'
import fc from 'fast-check'
import { formatReferenceCheck, readReferenceCheck, refuseReferences } from './check-references.ts'

const kinds = ['passed', 'left out', 'failed', 'without a score'] as const
const reportOf = (all: readonly (typeof kinds)[number][]) =>
  ({
    run: {
      baselineCheck: {
        failed: all.flatMap((kind, at) =>
          kind === 'left out' ? [{ case: `c${at}`, reason: 'it differs' }] : [],
        ),
      },
    },
    result: {
      samples: all.map((kind, at) => ({
        case: `c${at}`,
        sample: 0,
        score:
          kind === 'passed' || kind === 'failed'
            ? { passed: kind === 'passed', verdict: kind, evidence: { differences: [] }, metrics: {} }
            : null,
        ...((kind === 'left out' || kind === 'without a score') && { notScored: 'torch is missing' }),
      })),
    },
  }) as unknown as Report

test('every case is counted once, and the share of failures decides', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (all, allowed) => {
        const count = (...some: string[]) => all.filter((kind) => some.includes(kind)).length
        const check = readReferenceCheck(reportOf(all))
        expect([check.passed, check.failed.length, check.unchecked.length]).toEqual([
          count('passed'),
          count('left out', 'failed'),
          count('without a score'),
        ])
        expect(formatReferenceCheck(check)).toMatch(
          new RegExp(`^${count('passed')} of ${all.length} references`),
        )
        const judged = count('passed', 'left out', 'failed')
        const share = judged === 0 ? 0 : count('left out', 'failed') / judged
        expect(refuseReferences(check, allowed) !== null).toBe(share > allowed)
      },
    ),
  ))

test('cases are named by reason, the most frequent first', () => {
  const check = {
    passed: 12,
    failed: [
      { case: 'voice-1', reason: 'exception' },
      ...[1, 2, 3].map((at) => ({ case: `session-${at}`, reason: 'result_error: lacks one' })),
    ],
    unchecked: [{ case: 'tensor-1', reason: 'torch is missing' }],
  }
  expect(formatReferenceCheck(check)).toBe(
    [
      '12 of 17 references pass here.',
      '4 fail, and evaluations leave their cases out:',
      '  session-1, session-2 and 1 more: result_error: lacks one',
      '  voice-1: exception',
      '1 could not be checked:',
      '  tensor-1: torch is missing',
    ].join('\n'),
  )
  expect(refuseReferences(check, 0.05)).toMatch(/^25.0 % of the references fail.*--allow-failing 25%$/)
})
