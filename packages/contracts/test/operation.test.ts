/** What contracts promise of every operation of a form, so that no operation has to say it. */
import { expect, test } from '@jest/globals'
import { isCreating, defineOperations, listErrorStatuses } from '../src/operation.ts'

const form = {
  path: '/v1/things',
  tag: 'things',
  summary: 'Things',
  description: 'Things.',
  scope: 'run',
  errors: [],
} as const
const answer = { description: 'It', schema: null }
const operations = defineOperations({
  make: { ...form, method: 'POST', success: { 201: answer } },
  start: { ...form, method: 'POST', success: { 200: answer, 202: answer } },
  ask: { ...form, method: 'POST', success: { 200: answer } },
  put: { ...form, method: 'PUT', success: { 201: answer } },
})

test('what creates takes an Idempotency-Key, and documents the answers to one that was used', () => {
  const { make, start, ask, put } = operations
  for (const operation of [make, start]) {
    expect(isCreating(operation)).toBe(true)
    expect(listErrorStatuses(operation)).toEqual([400, 401, 403, 405, 409, 422, 429, 431, 500, 503, 507])
  }
  for (const operation of [ask, put]) {
    expect(isCreating(operation)).toBe(false)
    expect(listErrorStatuses(operation)).toEqual([400, 401, 403, 405, 429, 431, 500, 503, 507])
  }
})
