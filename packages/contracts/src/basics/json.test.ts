/** The compiler restricts asJson to JSON: the type check fails if a line that must not compile does. */
import { describe, expect, test } from '@jest/globals'
import { asJson } from './json.ts'

interface Tree {
  name?: string
  children: readonly Tree[]
}

describe('asJson', () => {
  test('takes interfaces, readonly lists and optional members, and copies nothing', () => {
    const tree: Tree = { name: 'root', children: [{ children: [] }] }
    expect(asJson(tree)).toBe(tree)
  })

  test('does not compile for what JSON changes or drops', () => {
    const anything: unknown = 0
    const values = [
      // @ts-expect-error -- a function
      asJson({ run: () => 1 }),
      // @ts-expect-error -- a date, which becomes a text
      asJson([{ at: new Date(0) }]),
      // @ts-expect-error -- a bigint, which JSON refuses
      asJson({ list: [{ n: 1n }] }),
      // @ts-expect-error -- a map, which becomes {}
      asJson(new Map([['a', 1]])),
      // @ts-expect-error -- nothing is known of it
      asJson(anything),
      // @ts-expect-error -- no JSON value
      asJson(undefined),
    ]
    expect(values).toHaveLength(6)
  })
})
