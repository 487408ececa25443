/** World models from outside: what is refused, where, and what is stored. */
import { expect, test } from '@jest/globals'
import { evaluationOperations, type ProblemError, type WorldDocument } from '@stateeval/contracts'
import { computeModelDigest, type WorldModel } from '@stateeval/world-model'
import { readWorld } from './worlds.ts'

const notes = evaluationOperations.createWorldModel.example
const { note } = notes.types
const asked = (model: object) => readWorld(model as WorldDocument)

test('what a model predicts has a digest, whatever its reasons are', () => {
  const read = asked(notes)
  expect(read).toMatchObject({ title: 'Notes', types: 1, operations: 4, callable: 4 })
  expect(`sha256:${read.hash}`).toBe(computeModelDigest(notes as unknown as WorldModel))
  const probed = asked({ ...notes, facts: { '': { by: 'probe', confirmed: 9 } } })
  expect([probed.hash, probed.canonical]).toEqual([read.hash, read.canonical])
  expect(JSON.parse(probed.document)).toMatchObject({ facts: { '': { confirmed: 9 } } })
  expect(asked({ ...notes, title: 'Other' }).hash).not.toBe(read.hash)
})

const { addNote, ...others } = notes.operations
test.each<[string, object, string, RegExp]>([
  [
    'a type that is no type',
    { ...notes, types: { note: { ...note, parent: 'page' } } },
    '/types/note/parent',
    /page/,
  ],
  ['a statement without a reason', { ...notes, facts: {} }, '/types/note', /reason/],
  ['nothing that creates items', { ...notes, operations: others }, '/operations', /creates items/],
  [
    'forms alone',
    {
      ...notes,
      operations: {
        addNote: { ...addNote, request: { ...addNote.request, body: { argument: 'note', media: 'form' } } },
      },
    },
    '/operations',
    /creates items/,
  ],
  [
    'a noun of too many characters',
    { ...notes, types: { note: { ...note, noun: 'x'.repeat(201) } } },
    '/types/note/noun',
    /200/,
  ],
])('%s is refused, with its place', (_, model, field, says) => {
  let problem: unknown
  try {
    asked(model)
  } catch (error) {
    problem = error
  }
  expect(problem).toMatchObject({ code: 'unprocessable', field } satisfies Partial<ProblemError>)
  expect((problem as ProblemError).message).toMatch(says)
})

test('a model of too many characters is refused', () => {
  const large = Object.fromEntries(
    Array.from({ length: 4999 }, (_, n) => [
      `get${n}`,
      { ...notes.operations.getNote, about: 'x'.repeat(300) },
    ]),
  )
  expect(() => asked({ ...notes, operations: { ...large, addNote } })).toThrow(/at most 2097152 characters/)
})
