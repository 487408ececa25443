/** What a candidate wrote ends in a score, whatever execution takes and whatever an episode can read. */
import { expect, test } from '@jest/globals'
import { maxCode, maxListedCalls } from '@stateeval/contracts'
import { buildUnfitResult } from '../src/unfit.ts'

const inputs = [1, 2].map((n) => ({ variables: { n }, world: {} }))
const code = (length: number) =>
  ({ kind: 'code', language: 'javascript', code: 'x'.repeat(length), world: 'none', inputs }) as const
const calls = (length: number) =>
  ({
    kind: 'calls',
    calls: Array.from({ length }, () => ({ name: 'f', arguments: '{}' })),
    binding: 'name',
    world: 'none',
    inputs,
  }) as const

test('a run that execution would refuse ends as one of the candidate’s, on each input', () => {
  expect([buildUnfitResult(code(maxCode)), buildUnfitResult(calls(maxListedCalls))]).toEqual([null, null])
  expect(buildUnfitResult(code(maxCode + 1))?.observations.map(({ ending }) => ending)).toMatchObject([
    { status: 'refused', reason: 'syntax' },
    { status: 'refused', reason: 'syntax' },
  ])
  expect(buildUnfitResult(calls(maxListedCalls + 1))?.observations.map(({ ending }) => ending)).toMatchObject(
    [
      { status: 'killed', by: 'requests' },
      { status: 'killed', by: 'requests' },
    ],
  )
})
