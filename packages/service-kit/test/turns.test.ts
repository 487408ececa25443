/** What is done in turns has the outcome of what is done at once. */
import { expect, test } from '@jest/globals'
import { sha256 } from '@stateeval/contracts'
import { longestTurn } from '@stateeval/testkit/each-time'
import { pickForRun } from '@stateeval/testkit/run-length'
import fc from 'fast-check'
import { hasHashInTurns, hashInTurns, serializeInTurns } from '../src/turns.ts'

const repeated = fc
  .tuple(fc.jsonValue(), fc.nat(20_000))
  .map(([member, count]) => Array.from({ length: count }, () => member))

test('JSON is what JSON.stringify makes, of short and long values', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.jsonValue(), repeated, fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), repeated))),
      async (value) => {
        expect((await serializeInTurns(value)).toString()).toBe(JSON.stringify(value))
      },
    ),
    { numRuns: pickForRun(20, 60) },
  )
  const long = 'x'.repeat(70_000)
  for (const value of [
    { a: undefined, long, b: [undefined, long, new Date(0)], c: { toJSON: () => 1 } },
    [undefined, long, NaN],
    { long, none: undefined },
    { first: undefined, long },
    JSON.parse(`{"__proto__":"${long}"}`),
  ])
    expect((await serializeInTurns(value)).toString()).toBe(JSON.stringify(value))
  expect((await serializeInTurns(undefined)).toString()).toBe('null')
})

test('a hash is found wherever it is, and of bytes of any number it is the same', async () => {
  const hash = 'a'.repeat(63) + '0'
  for (const before of [0, 1, 2 ** 20 - 30, 2 ** 20, 3 * 2 ** 20]) {
    const bytes = (text: string) => Buffer.from(`${'x'.repeat(before)}${text}x`)
    expect([
      await hasHashInTurns(bytes(hash)),
      await hasHashInTurns(bytes(hash.slice(1))),
      await hasHashInTurns(bytes(hash.toUpperCase())),
    ]).toEqual([true, false, false])
    expect(await hashInTurns(bytes(hash))).toBe(sha256(bytes(hash)))
  }
})

test('others get their turn meanwhile', async () => {
  const list = Array.from({ length: 300_000 }, (_, n) => ({ n, text: 'some text' }))
  const bytes = Buffer.alloc(64 * 2 ** 20, 'a'.repeat(63) + 'g')
  const work = async () => [
    await serializeInTurns(list),
    await hashInTurns(bytes),
    await hasHashInTurns(bytes),
  ]
  expect(await longestTurn(work, 60)).toBeLessThan(60)
})
