/** What is written once stands in its envelope as it is. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { write, writeObject, JsonWritten } from '../src/index.ts'

test('the text of an object is that of its members, written already or not', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.tuple(fc.boolean(), fc.jsonValue()), { noNullPrototype: true }),
      (all) => {
        const some = Object.entries(all).map(([name, [done, value]]) => [name, done ? write(value) : value])
        const plain = Object.fromEntries(Object.entries(all).map(([name, [, value]]) => [name, value]))
        expect(writeObject(Object.fromEntries(some) as Record<string, unknown>).text).toBe(
          JSON.stringify(plain),
        )
      },
    ),
  )
})

test('an undefined member is left out, and a value without JSON is null', () => {
  expect(writeObject({ a: undefined, b: null, c: new JsonWritten('[1]') }).text).toBe('{"b":null,"c":[1]}')
  expect(write(undefined).text).toBe('null')
})
