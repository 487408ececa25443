/** Predictions of one call after another, as a reader of the model would expect them. */
import { expect, test } from '@jest/globals'
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import fc from 'fast-check'
import { predictCall } from '../src/predict/predict.ts'
import { compareAnswers, ServerNames } from '../src/renaming.ts'
import { emptyState } from '../src/state.ts'
import { anyValue, nameUnknown } from '../src/unknown.ts'
import { createLibrary } from './library.ts'

/** A world that is called like an API: it remembers its state and says what it answered. */
function openLibrary(model = createLibrary()) {
  let state = emptyState
  return (operation: string, args: JsonObject = {}) => {
    const prediction = predictCall(model, state, { operation, args })
    state = prediction.state
    return prediction.ok
      ? { status: prediction.status, answer: prediction.answer }
      : { status: prediction.status }
  }
}
const idOf = ({ answer }: { answer?: JsonValue | undefined }) =>
  ((answer as JsonObject).data as JsonObject).id!

test('writes move an item to the front, and one that changes nothing does not', () => {
  const call = openLibrary()
  const [a, b] = ['Ann', 'Bob'].map((name) => idOf(call('addAuthor', { body: { name } })))
  const list = () => ((call('listAuthors').answer as JsonObject).data as JsonObject[]).map(({ id }) => id)
  expect(list()).toEqual([b, a])
  call('editAuthor', { id: a!, body: { name: 'Ann' } })
  expect(list()).toEqual([b, a])
  call('editAuthor', { id: a!, body: { name: 'Ada' } })
  expect(list()).toEqual([a, b])
})

test('a page shows some, and tells of all', () => {
  const call = openLibrary()
  for (const name of ['Ann', 'Bob', 'Cid']) call('addAuthor', { body: { name, active: name !== 'Bob' } })
  const { data, ...beside } = call('listAuthors').answer as JsonObject
  expect(data).toHaveLength(2)
  expect(beside).toEqual({ total: 3, more: true })
  expect(call('listAuthors', { active: 'true' }).answer).toMatchObject({ total: 2, more: false })
})

test('a reference is checked, and cleared when its item goes', () => {
  const call = openLibrary()
  call('putShelf', { shelf: 's', body: {} })
  const author = idOf(call('addAuthor', { body: { name: 'Ann' } }))
  expect(call('addBook', { shelf: 's', body: { title: 'Dune', author: 'none' } }).status).toBe(400)
  expect(
    call('addBook', { shelf: 's', body: { id: 'd', title: 'Dune', author, pages: 7, secret: 'x' } }),
  ).toEqual({
    status: 201,
    answer: { id: 'd', title: 'Dune', author, pages: '7', shelf: 's', weight: anyValue },
  })
  expect(call('removeAuthor', { id: author }).answer).toEqual({ id: author, deleted: true })
  expect(call('getBook', { shelf: 's', book: 'd' }).answer).toMatchObject({ author: null })
})

test('where deletions sweep, they take what refers to nothing, however old', () => {
  const model = createLibrary()
  model.types.book!.fields.author!.whenGone = 'sweep'
  model.operations.addBook!.refuses = []
  const call = openLibrary(model)
  call('putShelf', { shelf: 's', body: {} })
  const [ann, bob] = ['Ann', 'Bob'].map((name) => idOf(call('addAuthor', { body: { name } })))
  for (const [id, author] of Object.entries({ a: ann!, b: bob!, none: 'none', free: undefined }))
    call('addBook', { shelf: 's', body: { id, title: id, ...(author !== undefined && { author }) } })
  const kept = () =>
    ['a', 'b', 'none', 'free'].filter((book) => call('getBook', { shelf: 's', book }).status === 200)
  expect(kept()).toEqual(['a', 'b', 'none', 'free'])
  call('removeAuthor', { id: bob! })
  expect(kept()).toEqual(['a', 'free'])
})

test('doubles, taken ids and missing items are refused', () => {
  const call = openLibrary()
  expect(call('addBook', { shelf: 's', body: { title: 'Dune' } }).status).toBe(404)
  expect(call('putShelf', { shelf: 's', body: { label: 'x' } }).status).toBe(201)
  expect(call('putShelf', { shelf: 's', body: {} })).toEqual({ status: 200, answer: { id: 's' } })
  expect(call('addBook', { shelf: 's', body: { id: 'd', title: 'Dune' } }).status).toBe(201)
  expect(call('addBook', { shelf: 's', body: { id: 'd', title: 'Emma' } }).status).toBe(409)
  expect(call('addBook', { shelf: 's', body: { title: 'Dune' } }).status).toBe(409)
  expect(call('addAuthor', { body: {} }).status).toBe(422)
  expect(call('removeShelf', { shelf: 's' }).status).toBe(204)
  expect(call('putShelf', { shelf: 's', body: {} }).status).toBe(201)
  expect(call('listBooks', { shelf: 's' }).answer).toEqual({ items: [], self: '/v1/shelves/s/books' })
})

test('an answer is the prediction up to the names of the server', () => {
  const [a, b, at] = [nameUnknown('id', 0), nameUnknown('id', 1), nameUnknown('clock', 'x')]
  const compare = (expected: JsonValue, actual: JsonValue, unordered: string[] = []) =>
    compareAnswers(expected, actual, new ServerNames(), new Set(unordered)).map(
      ({ place, kind }) => `${kind} ${place}`,
    )
  expect(compare({ id: a, other: b, at }, { id: 7, other: 'x', at: 99 })).toEqual([])
  expect(compare([a, b], [7, 7])).toEqual(['name /1'])
  expect(compare([a, a], [7, 8])).toEqual(['name /1'])
  expect(compare({ id: a, link: `/v1/${a}` }, { id: 7, link: '/v1/7' })).toEqual([])
  expect(compare({ x: anyValue, y: 1 }, { y: 2 })).toEqual(['value /y'])
  expect(compare({ x: 1 }, { y: 1 })).toEqual(['missing /x', 'extra /y'])
  expect(
    compare(
      [
        { id: a, n: 1 },
        { id: b, n: 2 },
      ],
      [
        { id: 5, n: 2 },
        { id: 6, n: 1 },
      ],
      [''],
    ),
  ).toEqual([])
  const names = new ServerNames()
  names.bind(a, 1)
  names.release(a)
  expect([names.bind(nameUnknown('id', 'post/@1'), 7), names.bind(nameUnknown('id', 'note/@2'), 7)]).toEqual([
    true,
    true,
  ])
  expect(names.bind(nameUnknown('id', 'post/@3'), 7)).toBe(false)
  expect([names.bind(b, 1), names.isCurrent([a]), names.isCurrent([b])]).toEqual([true, false, true])
  expect(compare([{ n: 1 }, { n: 1 }], [{ n: 1 }, { n: 2 }], [''])).toEqual(['value '])
})

test('any value equals itself, and a renaming is undone', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.uuid(), (value, id) => {
      const json = JSON.parse(JSON.stringify(value)) as JsonValue
      const names = new ServerNames()
      const expected = [nameUnknown('id', 0), json]
      expect(compareAnswers(expected, [id, json], names)).toEqual([])
      expect(names.resolve(expected)).toEqual([id, json])
    }),
    { numRuns: 200 },
  )
})
