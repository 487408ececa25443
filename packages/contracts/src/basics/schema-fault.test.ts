/** A fault names the place that a person would correct, and the valid values. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import Type from 'typebox'
import { Program } from '../program.ts'
import { defineRecord } from './record.ts'
import { findSchemaFault } from './schema-fault.ts'

const closed = { additionalProperties: false }
const Circle = Type.Object(
  {
    kind: Type.Literal('circle'),
    radius: Type.Number({ minimum: 0 }),
    at: Type.Optional(Type.Array(Type.Integer())),
  },
  closed,
)
const Square = Type.Object(
  {
    kind: Type.Literal('square'),
    side: Type.Integer(),
    colour: Type.Union([Type.Literal('red'), Type.Literal('blue')]),
  },
  closed,
)
const Drawing = Type.Object(
  {
    shapes: Type.Array(Type.Union([Circle, Square])),
    source: Type.Union([
      Type.Object({ file: Type.String() }, closed),
      Type.Object({ url: Type.String(), depth: Type.Object({ n: Type.Integer() }) }, closed),
    ]),
    scale: Type.Optional(Type.Union([Type.Integer(), Type.Null(), Type.Literal('auto')])),
    tags: Type.Optional(defineRecord(Type.String(), { names: Type.String({ pattern: '^[a-z]+$' }) })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
  },
  closed,
)
const source = { file: 'a' }
const circle = { kind: 'circle', radius: 1 }

test.each<[string, unknown, string, string]>([
  ['nothing', undefined, '', 'is missing: send a JSON body with content-type application/json'],
  ['another type', [], '', 'must be an object'],
  ['a missing member', { shapes: [] }, '/source', 'is missing'],
  [
    'an unknown member',
    { shapes: [], source, sauce: 1 },
    '/sauce',
    'is unknown; remove it or check its spelling',
  ],
  ['an empty text', { shapes: [], source, name: '' }, '/name', 'must not be empty'],
  ['a bound', { shapes: [], source, name: 'abcd' }, '/name', 'must not have more than 3 characters'],
  [
    'a name that is not allowed',
    { shapes: [], source, tags: { 'a\nb': 'x' } },
    '/tags/a\nb',
    'has a name that must match pattern "^[a-z]+$"',
  ],
  ['a member of any name', { shapes: [], source, tags: { a: 1 } }, '/tags/a', 'must be a string'],
  [
    'the literal of the first alternative',
    { shapes: [{ kind: 'circle', radius: -1 }], source },
    '/shapes/0/radius',
    'must be >= 0',
  ],
  [
    'the literal of the second',
    { shapes: [circle, { kind: 'square', side: 'x', colour: 'red' }], source },
    '/shapes/1/side',
    'must be a whole number',
  ],
  [
    'a member of the second that the first does not know',
    { shapes: [{ kind: 'square', side: 1 }], source },
    '/shapes/0/colour',
    'is missing',
  ],
  [
    'an unknown member beside the literal',
    { shapes: [{ ...circle, side: 1 }], source },
    '/shapes/0/side',
    'is unknown; remove it or check its spelling',
  ],
  [
    'a union in a union',
    { shapes: [{ kind: 'square', side: 1, colour: 'green' }], source },
    '/shapes/0/colour',
    'must be "red" or "blue"',
  ],
  [
    'another literal',
    { shapes: [{ kind: 'oval' }], source },
    '/shapes/0/kind',
    'must be "circle" or "square"',
  ],
  ['no literal', { shapes: [{ radius: 1 }], source }, '/shapes/0/kind', 'is missing'],
  ['no object at all', { shapes: ['circle'], source }, '/shapes/0', 'must be an object'],
  [
    'no literal to tell by: who got deepest',
    { shapes: [], source: { url: 'u', depth: { n: 'x' } } },
    '/source/depth/n',
    'must be a whole number',
  ],
  ['scalars', { shapes: [], source, scale: true }, '/scale', 'must be one of a whole number, null, "auto"'],
  ['a text that is none of the literals', { shapes: [], source, scale: 'big' }, '/scale', 'must be "auto"'],
  [
    'a fault behind many good elements',
    { shapes: [...Array<unknown>(20).fill(circle), { kind: 'circle' }], source },
    '/shapes/20/radius',
    'is missing',
  ],
])('%s', (_, value, field, says) => {
  expect(findSchemaFault(Drawing, value)).toEqual({ field, says })
})

const reference = (variable: string, ...path: (string | number)[]) => ({ kind: 'reference', variable, path })
const program = {
  schema: 1,
  id: '0'.repeat(64),
  scenario: 's',
  variables: [{ name: 'v', role: 'user', values: [1] }],
  world: {},
  body: [
    {
      kind: 'http',
      api: 'a',
      method: 'GET',
      path: '/{x}',
      args: { x: { kind: 'list', items: [reference('v', 0)] } },
      binds: 'r',
    },
    {
      kind: 'edit',
      target: reference('r', 'data'),
      value: { kind: 'object', entries: { k: { kind: 'literal', value: 1 } } },
    },
  ],
  branch: {
    condition: { variable: 'r', path: [], measure: 'count', equals: 'v' },
    then: { steps: [{ kind: 'tool', api: 't', args: {} }], result: [{ key: 'k', value: reference('r') }] },
    otherwise: { steps: [], result: [] },
  },
}
/** Every place of a value, as [pointer, the value with something else there]. */
function* damaged(value: unknown, wrong: unknown, at = ''): Generator<[string, unknown]> {
  if (at !== '') yield [at, wrong]
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const put = (next: unknown) =>
      Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next }
    for (const [where, variant] of damaged(item, wrong, `${at}/${key}`)) yield [where, put(variant)]
  }
}

test('what is wrong in one place of a program is told of that place, or of one beside or above it', () => {
  expect(findSchemaFault(Program, program)).toBeNull()
  fc.assert(
    fc.property(fc.constantFrom<unknown>(true, -1.5, null, { odd: 1 }, ['']), (wrong) => {
      for (const [where, value] of damaged(program, wrong)) {
        const fault = findSchemaFault(Program, value)
        if (!fault) continue
        // A literal that no alternative has is told where it stands, a member that is missing by its own
        // name.
        const parent = where.slice(0, where.lastIndexOf('/'))
        expect(`${fault.field}/`.startsWith(`${parent}/`)).toBe(true)
        expect(fault.says).not.toBe('')
      }
    }),
    { seed: 1, numRuns: 10 },
  )
})

test('of very many faults, only the first few are looked at', () => {
  let looks = 0
  const faulty = Array.from({ length: 10_000 }, () => ({
    get kind() {
      looks++
      return 'triangle'
    },
  }))
  const { field } = findSchemaFault(Drawing, { shapes: faulty, source })!
  expect(field).toBe('/shapes/0/kind')
  expect(looks).toBeLessThan(1000)
})
