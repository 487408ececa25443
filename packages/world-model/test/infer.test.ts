/** Inference: effects, links and models of documents; documents that would do harm; published documents. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { JsonObject } from '@stateeval/contracts'
import { openDocument, readText } from '@stateeval/openapi'
import { isLong } from '@stateeval/testkit/run-length'
import { inferWorld } from '../src/infer/build-model.ts'
import { countInference, inferApi } from '../src/infer/infer.ts'
import { inferTools } from '../src/infer/tools.ts'
import { singulariseName } from '../src/infer/words.ts'
import { checkModelLaws } from '../src/laws.ts'
import { findModelFault } from '../src/validate.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const text = { type: 'string' }
const user = { type: 'object', properties: { id: { type: 'integer' }, name: text, created_at: text } }
const order = {
  type: 'object',
  properties: { id: text, user_id: { type: 'integer' }, status: { type: 'string', enum: ['open', 'paid'] } },
}
const listOf = (schema: unknown) => ({
  type: 'object',
  properties: { data: { type: 'array', items: schema }, total: { type: 'integer' } },
})
const parameters = (path: string, schema: unknown = text) =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema }))

/** A document of operations, as `METHOD /path` with the schemas of body and answer. */
function createDocument(
  operations: Record<string, { answer?: unknown; body?: unknown; id?: string; status?: string }>,
) {
  const paths: Record<string, JsonObject> = {}
  for (const [key, { answer, body, id, status = '200' }] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ')
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        ...(id && { operationId: id }),
        parameters: parameters(path),
        ...(body !== undefined && { requestBody: json(body) }),
        responses: { [status]: answer === undefined ? { description: '' } : json(answer) },
      } as JsonObject,
    }
  }
  return openDocument(
    { openapi: '3.1.0', info: { title: 'Shop' }, servers: [{ url: 'https://x.example/v1' }], paths },
    'shop.json',
  )
}

const shop = () =>
  createDocument({
    'GET /users': { answer: listOf(user) },
    'POST /users': { answer: user, body: { ...user, required: ['name'] }, status: '201' },
    'GET /users/{user_id}': { answer: user },
    'PATCH /users/{user_id}': { answer: user, body: user },
    'DELETE /users/{user_id}': { status: '204' },
    'GET /users/{user_id}/notes': { answer: { type: 'array', items: user } },
    'POST /users/{user_id}/notes': { answer: user, body: { type: 'object', properties: { name: text } } },
    'GET /users/{user_id}/notes/{note_id}': { answer: user },
    'POST /orders': { answer: order, body: { ...order, required: ['user_id'] } },
    'GET /orders/{id}': { answer: order },
    'POST /orders/{id}/cancel': { answer: order },
    'GET /orders/search': { answer: listOf(order) },
    'PUT /users/{user_id}/friends/{friend_id}': { status: '204' },
    'DELETE /users/{user_id}/friends/{friend_id}': { status: '204' },
    'GET /settings': { answer: { type: 'object', properties: { theme: text } } },
    'PUT /settings': { answer: { type: 'object', properties: { theme: text } }, body: { type: 'object' } },
    'DELETE /orders': { status: '204' },
  })

test('effects follow from methods, paths and names', () => {
  const found = inferApi(shop()).operations.map(({ method, path, effect }) => `${method} ${path}: ${effect}`)
  expect(found.sort()).toEqual([
    'DELETE /orders: delete-many',
    'DELETE /users/{user_id}/friends/{friend_id}: unlink',
    'DELETE /users/{user_id}: delete',
    'GET /orders/search: search',
    'GET /orders/{id}: read',
    'GET /settings: read',
    'GET /users/{user_id}/notes/{note_id}: read',
    'GET /users/{user_id}/notes: list',
    'GET /users/{user_id}: read',
    'GET /users: list',
    'PATCH /users/{user_id}: update',
    'POST /orders/{id}/cancel: action',
    'POST /orders: create',
    'POST /users/{user_id}/notes: create',
    'POST /users: create',
    'PUT /settings: set',
    'PUT /users/{user_id}/friends/{friend_id}: link',
  ])
})

test('the model has types, parents, references and reasons, and says what it lacks', () => {
  const { model, dropped } = inferWorld(shop())
  expect(findModelFault(model)).toBeNull()
  expect(model.base).toBe('/v1')
  expect(Object.keys(model.types)).toEqual(['user', 'note', 'order'])
  expect(model.types.note).toMatchObject({
    parent: 'user',
    plural: 'notes',
    identity: { field: 'id', by: 'server' },
  })
  expect(model.types.user!.fields.name).toEqual({ type: 'string', required: true })
  expect(model.types.order!.fields.user_id).toMatchObject({ refers: 'user', required: true })
  expect(model.operations['get /users']).toMatchObject({
    effect: 'list',
    answer: { is: 'list', at: ['data'] },
  })
  expect(model.facts['/operations/get ~1users/effect']).toMatchObject({ by: 'rule', confirmed: 0 })
  expect(model.facts['/types/user/fields']?.by).toBe('spec')
  expect(dropped).toContainEqual({
    what: 'POST /orders/{id}/cancel',
    reason: expect.stringMatching(/effect action is not modelled/),
  })
  for (let seed = 0; seed < 20; seed++) checkModelLaws(model, seed)
})

test('a client that chooses ids is recognised by its PUT', () => {
  const { model } = inferWorld(
    createDocument({
      'PUT /buckets/{bucket_id}': { answer: user, body: user, status: '201' },
      'GET /buckets/{bucket_id}': { answer: user },
    }),
  )
  expect(model.types.bucket!.identity.by).toBe('client')
  expect(model.operations['put /buckets/{bucket_id}']).toMatchObject({
    effect: 'replace',
    createsStatus: 201,
  })
})

test('procedures are read by their verbs', () => {
  const procedures = [
    'users.list',
    'users.add',
    'users.remove',
    'users.info',
    'chat.update',
    'chat.delete',
    'chat.pin',
  ]
  const api = inferApi(
    createDocument(Object.fromEntries(procedures.map((name) => [`POST /${name}`, { answer: user }]))),
  )
  expect(api.operations.map(({ effect }) => effect)).toEqual([
    'list',
    'create',
    'delete',
    'read',
    'update',
    'delete',
    'link',
  ])
})

test('tools are read by their verbs, and lists of items are found', () => {
  const tool = (name: string, properties: JsonObject = {}) => ({
    name,
    inputSchema: { type: 'object', properties },
  })
  const items = { type: 'array', items: { type: 'object' } }
  const tools = [
    tool('create_entities', { entities: items }),
    tool('delete_entities', { names: { type: 'array', items: text } }),
    tool('read_graph'),
    tool('search_nodes', { query: text }),
    tool('frobnicate'),
  ]
  expect(
    inferTools({ tools })!.map(({ tool: name, effect, noun, batch }) => [name, effect, noun, batch]),
  ).toEqual([
    ['create_entities', 'create', 'entity', 'entities'],
    ['delete_entities', 'delete-many', 'entity', 'names'],
    ['read_graph', 'list', 'graph', undefined],
    ['search_nodes', 'search', 'node', undefined],
    ['frobnicate', 'action', 'frobnicate', undefined],
  ])
  expect(inferTools({ tool: [] })).toBeNull()
})

test.each([
  ['userIds', 'user_id'],
  ['addresses', 'address'],
  ['categories', 'category'],
  ['databases', 'database'],
  ['statuses', 'status'],
  ['bus', 'bus'],
  ['payment-methods', 'payment_method'],
])('the singular of %s is %s', (plural, singular) => {
  expect(singulariseName(plural)).toBe(singular)
})

test('documents that would do harm are read in little time and memory', () => {
  // Each schema refers twice to the next: a million parts if they were followed one by one.
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => {
      const next = { $ref: `#/components/schemas/s${n + 1}` }
      return [`s${n}`, { allOf: [next, next], properties: { [`p${n}`]: text } }]
    }),
  )
  const circle = {
    type: 'object',
    properties: { child: { $ref: '#/components/schemas/circle' } },
    allOf: [{ $ref: '#/components/schemas/circle' }],
  }
  const path = (schema: string) => {
    const answer = { 200: json({ $ref: `#/components/schemas/${schema}` }) }
    return {
      get: { responses: answer },
      post: { requestBody: json({ $ref: `#/components/schemas/${schema}` }), responses: answer },
    }
  }
  const wide = Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`/w${n}s/{id}`, path('circle')]))
  const document = openDocument(
    {
      openapi: '3.0.0',
      info: { title: 'x'.repeat(10_000) },
      paths: {
        '/deep/{id}': path('s0'),
        '/round/{id}': path('circle'),
        '/lost/{id}': path('none'),
        '/__proto__/{constructor}': path('circle'),
        ...wide,
      },
      components: { schemas: { ...chain, s40: text, circle } },
    },
    'hostile.json',
  )
  const { model, api } = inferWorld(document)
  expect(findModelFault(model)).toBeNull()
  expect(api.operations.length).toBe(1608)
})

const specs = join(process.env.STATEEVAL_DATASETS ?? '', 'specs')
test('published documents have the shares that docs/worlds.md states', () => {
  const files = isLong && process.env.STATEEVAL_DATASETS ? readdirSync(specs) : []
  if (files.length === 0) {
    console.info('skipped: needs STATEEVAL_LONG=1 and STATEEVAL_DATASETS with specs')
    return
  }
  const totals = { operations: 0, stateEffects: 0, withPathIds: 0, producible: 0 }
  for (const file of files.filter((name) => /\.(json|ya?ml)$/.test(name) && !name.includes('webhook'))) {
    const document = openDocument(readText(readFileSync(join(specs, file), 'utf8'), file), file)
    const { model, api } = inferWorld(document)
    expect([file, findModelFault(model)]).toEqual([file, null])
    checkModelLaws(model, file)
    const counts = countInference(api)
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += counts[key]
  }
  expect(totals.stateEffects / totals.operations).toBeGreaterThanOrEqual(0.8)
  expect(totals.producible / totals.withPathIds).toBeGreaterThanOrEqual(0.95)
})
