/**
 * Defaults are filled in as the schema library does it, whatever part of the schema is left out of the walk.
 */
import { expect, test } from '@jest/globals'
import Type from 'typebox'
import Value from 'typebox/value'
import { createChecker } from '../src/validation.ts'

const part = Type.Object({
  plain: Type.String(),
  size: Type.Integer({ default: 3 }),
  own: Type.Object({ on: Type.Boolean({ default: true }) }, { default: {} }),
})
const schema = Type.Object({
  name: Type.Optional(Type.String({ description: 'No "default": here' })),
  parts: Type.Array(part, { default: [] }),
  rest: Type.Optional(Type.Array(part)),
  either: Type.Optional(
    Type.Union([
      Type.Object({ kind: Type.Literal('a'), n: Type.Integer({ default: 1 }) }),
      Type.Object({ kind: Type.Literal('b') }),
    ]),
  ),
  plain: Type.Optional(
    Type.Array(Type.Union([Type.String(), Type.Object({ deep: Type.Array(Type.Number()) })])),
  ),
})

test.each<[string, unknown]>([
  ['nothing given', {}],
  ['parts given in part', { parts: [{ plain: 'x' }, { size: 5, own: { on: false } }] }],
  ['optional parts', { rest: [{}, { own: {} }] }],
  ['one of two', { either: { kind: 'a' } }],
  ['the other one', { either: { kind: 'b' }, plain: ['x', { deep: [1] }] }],
  ['what does not fit at all', { parts: 'none', either: 3 }],
  ['no object', null],
])('defaults: %s', (_, value) => {
  expect(createChecker(schema).complete(structuredClone(value))).toEqual(
    Value.Default(schema, structuredClone(value)),
  )
})

test('a schema without defaults leaves a value as it is', () => {
  const value = { deep: [{ a: 1 }] }
  expect(
    createChecker(Type.Object({ deep: Type.Array(Type.Object({ a: Type.Integer() })) })).complete(value),
  ).toBe(value)
})
