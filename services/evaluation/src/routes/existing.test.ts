import { expect, test } from '@jest/globals'
import { endedEvaluation, type OwnerSource } from './existing.ts'

test.each([
  ['cancelled', undefined, 'the evaluation ev_1 was cancelled; resume it: POST /v1/evaluations/ev_1/resume'],
  ['failed', 'no key', 'the evaluation ev_1 has failed: no key'],
])('an evaluation without a report says what became of it: %s', async (status, error, detail) => {
  const context = {
    owners: { evaluation: () => Promise.resolve({ id: 'ev_1', status, error }) },
  } as unknown as OwnerSource
  await expect(endedEvaluation(context, 'ev_1')).rejects.toMatchObject({ message: detail })
})
