import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { defineOperations } from '@stateeval/contracts'
import Type from 'typebox'
import { createClient, ServiceError, readServerEvents, UnreachableError } from './index.ts'

const operations = defineOperations({
  getThing: {
    method: 'GET',
    path: '/v1/things/:id',
    scope: 'read',
    summary: 'One thing',
    description: 'One thing',
    tag: 'things',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({ deep: Type.Optional(Type.Boolean()) }),
    success: { 200: { description: 'It', schema: Type.Object({ url: Type.String(), body: Type.String() }) } },
    errors: [404],
  },
  addThing: {
    method: 'POST',
    path: '/v1/things/:id',
    scope: 'run',
    summary: 'Adds a thing',
    description: 'Adds a thing',
    tag: 'things',
    params: Type.Object({ id: Type.String() }),
    success: { 200: { description: 'It', schema: Type.Object({ url: Type.String(), body: Type.String() }) } },
    errors: [400],
  },
  putThing: {
    method: 'PUT',
    path: '/v1/things/:id',
    scope: 'run',
    summary: 'Sets a thing',
    description: 'Sets a thing',
    tag: 'things',
    params: Type.Object({ id: Type.String() }),
    body: Type.Object({ size: Type.Integer() }),
    success: { 200: { description: 'It', schema: Type.Object({ url: Type.String(), body: Type.String() }) } },
    errors: [400],
  },
})

let busy = 0
const server = createServer((request, response) => {
  if (request.url === '/v1/things/busy' && busy-- > 0) {
    response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' })
    response.end(JSON.stringify({ type: 'x', title: 'busy', status: 503, detail: 'try again in a moment' }))
    return
  }
  if (request.url === '/v1/things/missing') {
    response.writeHead(404, { 'content-type': 'application/problem+json' })
    response.end(
      JSON.stringify({ type: 'x', title: 'gone', status: 404, detail: 'no thing missing', field: 'id' }),
    )
    return
  }
  if (request.url === '/v1/things/gateway') {
    response.writeHead(502, { 'content-type': 'application/json' })
    response.end('{"message":"no upstream"}')
    return
  }
  if (request.url === '/v1/things/lines') {
    response.writeHead(200, { 'content-type': 'application/jsonl; charset=utf-8' })
    response.end('{"a":1}\n{"a":2}\n')
    return
  }
  if (request.url === '/v1/things/half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"url":', () => response.destroy())
    return
  }
  if (request.url === '/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\n\nevent: progress\nid: 7\ndata: {"a"')
    response.end(':1}\n\ndata: x\ndata: y\n\n')
    return
  }
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ url: request.url, body }))
  })
})
let baseUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test('a method fills path, query and body', async () => {
  const client = createClient(operations, { baseUrl })
  expect((await client.getThing({ params: { id: 'a/b c' }, query: { deep: true } })).url).toBe(
    '/v1/things/a%2Fb%20c?deep=true',
  )
  expect((await client.getThing({ params: { id: 'a' } })).url).toBe('/v1/things/a')
  expect((await client.putThing({ params: { id: 'a' }, body: { size: 3 } })).body).toBe('{"size":3}')
})

test('a busy service is asked again a few times, but never to create something', async () => {
  const client = createClient(operations, { baseUrl })
  const params = { id: 'busy' }
  busy = 5
  expect((await client.getThing({ params })).url).toBe('/v1/things/busy')
  busy = 6
  await expect(client.getThing({ params })).rejects.toThrow('try again in a moment')
  busy = 1
  await expect(client.addThing({ params })).rejects.toThrow('try again in a moment')
  busy = 1
  await expect(client.getThing({ params, signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
})

test('JSON lines stay text', async () => {
  expect(await createClient(operations, { baseUrl }).getThing({ params: { id: 'lines' } })).toBe(
    '{"a":1}\n{"a":2}\n',
  )
})

test('a problem answer rejects with the field and the remedy', async () => {
  const failure = await createClient(operations, { baseUrl })
    .getThing({ params: { id: 'missing' } })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ServiceError)
  expect((failure as ServiceError).message).toBe('no thing missing (id)')
  expect((failure as ServiceError).problem.status).toBe(404)
})

test('JSON of a proxy’s own, in place of a service that is away, has the status of its answer', async () => {
  const failure = await createClient(operations, { baseUrl })
    .getThing({ params: { id: 'gateway' } })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({
    problem: { status: 502 },
    message: expect.stringContaining('no upstream'),
  })
})

test('where nothing answers, the error says what to do', async () => {
  const failure = createClient(operations, { baseUrl: 'http://127.0.0.1:1' }).getThing({
    params: { id: 'a' },
  })
  await expect(failure).rejects.toThrow(UnreachableError)
  await expect(failure).rejects.toThrow('npx stateeval up')
})

test('a service that goes away in the middle of its answer could not be reached', async () => {
  const client = createClient(operations, { baseUrl })
  const half = client.getThing({ params: { id: 'half' } })
  await expect(half).rejects.toThrow(UnreachableError)
  await expect(half).rejects.toThrow('was cut off; try again')
  const stop = new AbortController()
  const stopped = client.getThing({ params: { id: 'a' }, signal: stop.signal })
  stop.abort()
  await expect(stopped).rejects.toThrow(/abort/)
})

test('server-sent events are read across chunks, comments skipped', async () => {
  const events = []
  for await (const event of readServerEvents(`${baseUrl}/events`)) events.push(event)
  expect(events).toEqual([
    { event: 'progress', id: '7', data: '{"a":1}' },
    { event: 'message', data: 'x\ny' },
  ])
})
