import { expect, test } from '@jest/globals'
import { defineOperations } from '@stateeval/contracts'
import Type from 'typebox'
import { contractFaults } from './contract.ts'

const Thing = Type.Object({ name: Type.String() })
const addThing = {
  method: 'POST',
  path: '/v1/things',
  scope: 'run',
  summary: 'Add a thing',
  description: 'Adds a thing, and answers it.',
  tag: 'things',
  body: Thing,
  success: { 201: { description: 'It', schema: Thing, example: { name: 'one' } } },
  errors: [400, 413, 415],
  example: { name: 'one' },
} as const
const faultsOf = (change: object) =>
  contractFaults(defineOperations({ addThing: { ...addThing, ...change } }), '/nowhere').filter(
    (fault) => !/routes/.test(fault),
  )

test('a body and a JSON answer have examples that fit', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ example: undefined })).toEqual([
    expect.stringContaining('addThing: its body has no example'),
  ])
  expect(faultsOf({ example: { name: 1 } })).toEqual([
    expect.stringContaining("addThing: its body: the example's /name"),
  ])
  expect(faultsOf({ success: { 201: { description: 'It', schema: Thing } } })).toEqual([
    expect.stringContaining('addThing: its answer 201 has no example'),
  ])
  expect(faultsOf({ success: { 201: { description: 'It', schema: Thing, example: {} } } })).toHaveLength(1)
})

test('text and bytes need no example, but one that is there fits', () => {
  const text = { description: 'It', schema: Type.String(), contentType: 'text/plain' }
  expect(faultsOf({ success: { 200: text, 204: { description: 'Nothing', schema: null } } })).toEqual([])
  expect(faultsOf({ success: { 200: { ...text, example: 1 } } })).toHaveLength(1)
})
