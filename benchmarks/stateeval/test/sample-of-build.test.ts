import { expect, test } from '@jest/globals'
import { sample } from '../build/sample.ts'

test('a sample keeps the order and is the same for the same scenario and seed', () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index)
  const subset = sample(numbers, 'things', { keep: 40, seed: 1 })
  expect(subset).toHaveLength(40)
  expect(subset).toEqual([...subset].sort((a, b) => a - b))
  expect(sample(numbers, 'things', { keep: 40, seed: 1 })).toEqual(subset)
  expect(sample(numbers, 'things', { keep: 40, seed: 2 })).not.toEqual(subset)
  expect(sample(numbers, 'others', { keep: 40, seed: 1 })).not.toEqual(subset)
})
