/** The compiler restricts toJson to JSON: the type check fails if a line that must not compile does. */
import { describe, expect, test } from '@jest/globals'
import { toJson } from './json.ts'

interface Tree {
  name?: string
  children: readonly Tree[]
}

describe('asJson', () => {
  test('takes interfaces, readonly lists and optional members, and copies nothing', () => {
    const tree: Tree = { name: 'root', children: [{ children: [] }] }
    expect(toJson(tree)).toBe(tree)
  })

  test('does not compile for what JSON changes or drops', () => {
    const anything: unknown = 0
    const values = [
      // @ts-expect-error -- a function
      toJson({ run: () => 1 }),
      // @ts-expect-error -- a date, which becomes a text
      toJson([{ at: new Date(0) }]),
      // @ts-expect-error -- a bigint, which JSON refuses
      toJson({ list: [{ n: 1n }] }),
      // @ts-expect-error -- a map, which becomes {}
      toJson(new Map([['a', 1]])),
      // @ts-expect-error -- nothing is known of it
      toJson(anything),
      // @ts-expect-error -- no JSON value
      toJson(undefined),
    ]
    expect(values).toHaveLength(6)
  })
})
