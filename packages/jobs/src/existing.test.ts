import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import { requireEndedEvaluation, type OwnerSource } from './existing.ts'

test.each([
  [
    'cancelled' as const,
    undefined,
    'the evaluation ev_1 was cancelled; resume it: POST /v1/evaluations/ev_1/resume',
  ],
  ['failed' as const, 'no key', 'the evaluation ev_1 has failed: no key'],
])('an evaluation without a report says what became of it: %s', async (status, error, detail) => {
  const context = partial<OwnerSource>({
    owners: { evaluation: () => Promise.resolve({ id: 'ev_1', status, error }) },
  })
  await expect(requireEndedEvaluation(context, 'ev_1')).rejects.toMatchObject({ message: detail })
})
