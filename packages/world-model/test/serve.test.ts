/** A modelled world does what its model predicts, over the same requests as a live API. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { certifyWorld, createModelledWorld, type WorldModel } from '../src/index.ts'
import { parseFormFields } from '../src/serve/form.ts'
import { createLibrary } from './library.ts'
import { createModelledHost } from './modelled-host.ts'

/** Ids that count, and bodies that are forms. */
function withForms(model: WorldModel): WorldModel {
  const operations = Object.entries(model.operations).map(([id, operation]) => {
    const { request } = operation
    const isForm = request.kind === 'http' && request.body !== undefined
    const body = isForm && { ...request.body!, media: 'form' as const }
    return [id, isForm ? { ...operation, request: { ...request, body } } : operation] as const
  })
  const { author, ...types } = model.types
  return {
    ...model,
    operations: Object.fromEntries(operations) as WorldModel['operations'],
    types: {
      ...types,
      author: { ...author!, fields: { ...author!.fields, id: { type: 'integer' } } },
    },
  }
}

test.each([
  ['JSON', createLibrary()],
  ['forms and counted ids', withForms(createLibrary())],
])('a certificate of its own model has no difference: %s', async (_, model) => {
  for (const seed of [1, 2]) {
    const { certificate } = await certifyWorld(model, createModelledHost(model, seed), {
      at: '',
      seed,
      sequences: 8,
    })
    expect(certificate.firstDifference).toBeUndefined()
    expect(certificate.agreed).toBe(certificate.calls)
    expect(certificate.calls).toBeGreaterThan(150)
  }
})

test('requests that are no calls are refused; no request makes it throw', () => {
  const world = createModelledWorld(createLibrary())
  const ask = (method: string, path: string, text?: string) =>
    world.answer({ method, path, ...(text !== undefined && { body: { text, media: 'json' } }) })
  expect(ask('GET', '/v1/nothing')).toEqual({ status: 404, body: undefined })
  expect(ask('TRACE', '/v1/authors')).toEqual({ status: 405, body: undefined })
  expect(ask('POST', '/v1/authors', '{')).toEqual({ status: 400, body: undefined })
  expect(ask('GET', '/v1/authors/%zz')).toEqual({ status: 400, body: undefined })
  fc.assert(
    fc.property(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      fc.constantFrom(
        '/v1/authors',
        '/v1/authors/1',
        '/v1/shelves/s',
        '/v1/shelves/s/books',
        '/v1/shelves/s/books/b',
      ),
      fc.oneof(fc.json(), fc.string()),
      (method, path, text) => {
        const { status } = ask(method, path, text)
        expect(status).toBeGreaterThanOrEqual(200)
      },
    ),
  )
})

test('the same seed and requests give the same answers, also after a reset; another seed other ids', () => {
  const idWith = (world: ReturnType<typeof createModelledWorld>) =>
    JSON.stringify(
      world.answer({ method: 'POST', path: '/v1/authors', body: { text: '{"name":"a"}', media: 'json' } })
        .body,
    )
  const world = createModelledWorld(createLibrary(), 5)
  const first = idWith(world)
  world.reset()
  expect(idWith(world)).toBe(first)
  expect(idWith(createModelledWorld(createLibrary(), 6))).not.toBe(first)
})

test('forms are read as nested values', () => {
  expect(parseFormFields('a=1&b[c]=x&items[0][price]=2&items[1][price]=3&__proto__[x]=1')).toEqual(
    JSON.parse('{"a":"1","b":{"c":"x"},"items":[{"price":"2"},{"price":"3"}],"__proto__":{"x":"1"}}'),
  )
})
