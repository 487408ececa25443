/** When a dialogue reaches a limit. */
import { expect, test } from '@jest/globals'
import {
  type LimitRange,
  limitReached,
  resolveLimits,
  type DialogueUsage,
  measureReply,
} from '../src/index.ts'

const range: LimitRange = { usual: { turns: 3, calls: 5, tokens: 100, seconds: 1.5 } }
const within: DialogueUsage = { turns: 2, calls: 5, tokens: 100, ms: 1500 }

test.each<[Partial<DialogueUsage>, string | null]>([
  [{}, null],
  [{ turns: 3 }, '3 replies'],
  [{ calls: 6 }, '5 calls'],
  [{ tokens: 101 }, '100 tokens'],
  [{ ms: 1501 }, '1.5 seconds'],
  [{ turns: 3, ms: 9000 }, '3 replies'],
])('with %j it is %j', (usage, limit) => {
  expect(limitReached(range.usual, { ...within, ...usage })).toBe(limit)
})

test('an evaluation changes some limits, and the others stay the benchmark’s', () => {
  expect(resolveLimits(range, {})).toEqual(range.usual)
  const limits = resolveLimits(range, { limits: { seconds: 60, turns: 1 } })
  expect(limits).toEqual({ turns: 1, calls: 5, tokens: 100, seconds: 60 })
  expect(limitReached(limits, { ...within, turns: 1 })).toBe('1 reply')
})

test('a reply that nobody measured takes nothing', () => {
  expect(measureReply({ text: 'nothing' })).toEqual({ tokens: 0, ms: 0 })
  const usage = { requests: 1, promptTokens: 9, completionTokens: 4 }
  expect(measureReply({ text: 'x'.repeat(159), usage, ms: 7 })).toEqual({ tokens: 4, ms: 7 })
})
test('a long reply takes what it needs at least, whatever its endpoint says', () => {
  const usage = { requests: 1, promptTokens: 9, completionTokens: 4 }
  const toolCalls = [{ id: 'c', name: 'f'.repeat(32), arguments: 'x'.repeat(3200) }]
  expect(measureReply({ text: 'x'.repeat(64), toolCalls, usage })).toMatchObject({ tokens: 103 })
})
