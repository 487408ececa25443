import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { describeShape } from '../src/index.ts'

test('a shape is a type as TypeScript writes it', () => {
  const value = {
    title: 'a',
    tags: ['b'],
    odd: [1, 'c', null],
    'x-y': {},
    parts: [{ n: 1 }, { n: 2 }],
    none: [],
  }
  expect(describeShape(value)).toBe(
    '{ title: string; tags: string[]; odd: (null | number | string)[]; "x-y": {}; parts: { n: number }[]; none: unknown[] }',
  )
  expect(describeShape({ $tensor: { dtype: 'float32', shape: [2, 3], data: '' } })).toBe(
    'float32 tensor of shape [2, 3]',
  )
})

/** The same value with other texts, numbers and truths. */
function replaceLeaves(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaceLeaves)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceLeaves(item)]))
  if (typeof value === 'string') return `${value}!`
  return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : value
}

test('a shape says nothing of the values, and of any value something', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
      expect(describeShape(replaceLeaves(value))).toBe(describeShape(value))
      expect(describeShape(value)).not.toBe('')
    }),
  )
})
