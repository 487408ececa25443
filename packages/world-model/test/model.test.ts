/** Models from outside: what is refused, and where; their digests; their laws. */
import { expect, test } from '@jest/globals'
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import { pickForRun } from '@stateeval/testkit/run-length'
import { computeModelDigest } from '../src/canonical.ts'
import { checkModelLaws } from '../src/laws.ts'
import type { WorldModel } from '../src/model.ts'
import { parsePointer, setPathValue } from '../src/pointer.ts'
import { findFact, findModelFault } from '../src/validate.ts'
import { createLibrary } from './library.ts'

test('a model keeps the laws', () => {
  expect(findModelFault(createLibrary())).toBeNull()
  for (let seed = 0; seed < pickForRun(40, 1000); seed++) checkModelLaws(createLibrary(), seed)
})

test.each<[what: string, place: string, value: JsonValue | undefined, fault?: string]>([
  ['another schema', '/schema', 'stateeval-world/2'],
  ['an unknown member', '/types/shelf/colour', 'red'],
  ['an unknown parent', '/types/book/parent', 'room'],
  ['a circle of parents', '/types/shelf/parent', 'shelf'],
  ['an unknown reference', '/types/book/fields/author/refers', 'x'],
  ['a copy of nothing', '/types/book/server/~1copy', { from: 'copy' }],
  ['a parent too far above', '/types/book/server/~1shelf/up', 1],
  ['an unknown type', '/operations/addBook/type', 'x'],
  ['no parents', '/operations/addBook/parents', undefined],
  ['an argument with two roles', '/operations/getBook/target', 'shelf', '/operations/getBook'],
  ['an argument that is not sent', '/operations/getBook/target', 'isbn', '/operations/getBook/request'],
  ['an idle argument', '/operations/listShelves/request/path', '/{x}'],
  ['no item', '/operations/getAuthor/target', undefined, '/operations/getAuthor/request/path'],
  ['a search without a rule', '/operations/listBooks/effect', 'search', '/operations/listBooks/search'],
  ['a list for an item', '/operations/getBook/answer/is', 'list'],
  [
    'a condition without its argument',
    '/operations/addAuthor/refuses',
    [{ unless: 'given', status: 422 }],
    '/operations/addAuthor/refuses/0/argument',
  ],
  ['statements without reasons', '/facts', {}, '/types/author'],
  ['a reason for nothing', '/facts/~1types~1none', { by: 'spec', confirmed: 0 }],
])('a model with %s is refused by its place', (_, place, value, fault = place) => {
  const changed = setPathValue(createLibrary() as unknown as JsonObject, parsePointer(place), value)
  expect(findModelFault(changed)?.field).toBe(fault)
})

test('a value that is nested too deeply is refused', () => {
  let value: JsonValue = 1
  for (let depth = 0; depth < 3000; depth++) value = [value]
  expect(findModelFault({ ...createLibrary(), title: value })?.says).toMatch(/levels/)
})

test('the nearest reason holds', () => {
  expect(findFact(createLibrary(), ['types', 'author', 'order'])?.by).toBe('probe')
  expect(findFact(createLibrary(), ['types', 'shelf', 'order'])?.by).toBe('person')
})

test('the digest follows the behaviour, not the order of keys or the reasons', () => {
  const model = createLibrary()
  const reordered: WorldModel = {
    ...model,
    operations: Object.fromEntries(Object.entries(model.operations).reverse()),
  }
  const confirmed: WorldModel = { ...model, facts: { '': { by: 'probe', confirmed: 9 } } }
  expect(computeModelDigest(reordered)).toBe(computeModelDigest(model))
  expect(computeModelDigest(confirmed)).toBe(computeModelDigest(model))
  expect(computeModelDigest(model)).toMatch(/^sha256:[0-9a-f]{64}$/)
  const digest = computeModelDigest(model)
  model.types.shelf!.order = 'insertion'
  expect(computeModelDigest(model)).not.toBe(digest)
})
