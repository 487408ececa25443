/** A generator thread and who takes its programs. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { GenerationOptions } from '@stateeval/contracts'
import { createChecker } from '@stateeval/service-kit'
import { ahead } from '../src/thread/protocol.ts'
import { draw } from '../src/thread/draw.ts'

const order = (count: number) => ({
  ...createChecker(GenerationOptions).complete({ scenario: 'session-service', strategy: 'random', count }),
  ...{ length: 5, seed: 1 },
})
const never = new AbortController().signal

test('a thread that waits for its taker goes on when it takes, to the last program', async () => {
  const count = 3 * ahead
  const indices: number[] = []
  const { summary } = await draw({ order: order(count) }, never, async ({ index }) => {
    // By now the thread is as far ahead as it may be.
    if (index === 0) await pause(1500)
    indices.push(index)
  })
  expect(summary).toMatchObject({ programs: count, exhausted: false })
  expect(indices).toEqual(Array.from({ length: count }, (_, index) => index))
})

test('a thread that waits is ended with its taker', async () => {
  const drawing = draw({ order: order(10_000) }, never, async () => {
    await pause(1500)
    throw new Error('the store is full')
  })
  await expect(drawing).rejects.toThrow('the store is full')
})
