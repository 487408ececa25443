/** Bodies are counted while they arrive. Large ones are read in a thread, with the outcome of small ones. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit'
import fc from 'fast-check'
import { fastify, type FastifyRequest } from 'fastify'
import { addJsonBodies, JsonBody, getMaxParts, usualParts } from '../src/http/json-body.ts'
import { lingerOnClose } from '../src/http/linger.ts'
import { parseJsonText, type JsonText } from '../src/http/json-text.ts'
import { PartCounter } from '../src/http/part-counter.ts'
import { addProblemHandlers } from '../src/http/problems.ts'
import { createBodyReader } from '../src/http/read-body.ts'
import { operations, works } from './bodies-module.ts'

/** Signs that begin a value or a name, except the first of all. */
const countParts = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value) as unknown[]
  const inside = members.reduce((sum: number, one) => sum + countParts(one), 0)
  return 1 + Math.max(0, members.length - 1) + (Array.isArray(value) ? 0 : members.length) + inside
}

test('values and names are counted exactly, whatever texts contain and wherever chunks end', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.string({ unit: fc.constantFrom('"', '\\', '{', ',', 'ä') })),
  )
  fc.assert(
    fc.property(json, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (value, sizes) => {
      const bytes = Buffer.from(JSON.stringify(value))
      const counter = new PartCounter()
      for (let at = 0, n = 0; at < bytes.length; n++) {
        const size = sizes[n % sizes.length]!
        counter.add(bytes.subarray(at, at + size))
        at += size
      }
      expect(counter.parts).toBe(countParts(value))
    }),
    {
      examples: [
        [['{[:,'], [1]],
        [[['\\', '"{', '\\"[:']], [2]],
        [[{ '":': '\\\\' }], [3]],
      ] as never,
    },
  )
})

test('bytes stay in order, whatever sizes they come in', () => {
  const chunk = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 3 * 2 ** 20 }))
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 8 }), (sizes) => {
      const body = new JsonBody({ left: Infinity })
      const chunks = sizes.map((size, n) => Buffer.alloc(size, 97 + n))
      for (const one of chunks) body.add(one)
      expect(Buffer.concat(body.segments, body.length).equals(Buffer.concat(chunks))).toBe(true)
      body.release()
    }),
    { numRuns: 30 },
  )
})

let app: ReturnType<typeof fastify>
let url: string
const seen: unknown[] = []
beforeAll(async () => {
  const module = new URL('./bodies-module.ts', import.meta.url).href
  const reader = createBodyReader({ operations, works }, module)
  app = fastify({ forceCloseConnections: true })
  lingerOnClose(app)
  addJsonBodies(app, { left: 96 * 2 ** 20 })
  addProblemHandlers(app)
  app.addHook('onClose', () => reader.close())
  for (const [id, operation] of Object.entries(operations))
    app.post(
      operation.path,
      { bodyLimit: operation.bodyLimit, config: { maxParts: getMaxParts(operation) } },
      async ({ body }: FastifyRequest) => {
        const signal = new AbortController().signal
        const { value, identity } = await reader.read(id, body, { signal, isIdentified: true })
        seen.push(identity)
        return typeof value === 'object' && value !== null && 'json' in value
          ? { body: await parseJsonText(value.json as JsonText) }
          : value
      },
    )
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

async function post(path: string, body: string): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const answer = await fetch(url + path, { method: 'POST', body, headers })
  const text = await answer.text()
  return [answer.status, JSON.parse(text)]
}
const list = (member: string, count: number) => `{"list":[${`${member},`.repeat(count - 1)}${member}]}`

test('a large body has the outcome of a small one: the value with its defaults, or the fault', async () => {
  const long = 'x'.repeat(30)
  for (const count of [2, 60_000]) {
    const members = (value: unknown) => Array.from({ length: count }, () => value)
    expect(await post('/take', list(`"${long}"`, count))).toEqual([200, { list: members(long), size: 3 }])
    expect(await post('/count', list('{"a":[1]}', count))).toEqual([200, { count }])
    expect((await post('/sum', list('2', count)))[1]).toEqual(
      count === 2 ? { status: 200, body: { sum: 4 } } : { body: { sum: 2 * count } },
    )
    expect(await post('/take', `${list('1', count).slice(0, -1)},"other":1}`)).toEqual([
      400,
      expect.objectContaining({ field: '/other', detail: expect.stringContaining('/other is unknown') }),
    ])
    for (const wrong of [list('1', count).slice(1), list('{"__proto__":1}', count), ` ${list('01', count)}`])
      expect(await post('/take', wrong)).toEqual([
        400,
        expect.objectContaining({ type: 'urn:stateeval:problem:malformed-body' }),
      ])
  }
  expect((await post('/sum', '{"list":["slow"]}'))[0]).toBe(500) // Its answer breaks the contract.
})

test('the same large body has the same identity, another one has another', async () => {
  seen.length = 0
  for (const last of ['a', 'a', 'b']) await post('/take', list('"x"', 60_000).replace(/"x"\]/, `"${last}"]`))
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]).not.toEqual(seen[2])
})

test('a list that is too long is refused for its length, before its elements are looked at', async () => {
  for (const member of ['1', '{"a":1}'])
    expect(await post('/count', list(member, 100_001))).toEqual([
      400,
      expect.objectContaining({ field: '/list', detail: '/list must not have more than 100000 items' }),
    ])
})

test('too many values and names are refused while they arrive; so are too many bytes', async () => {
  for (const member of ['{}', '[]', '1', '"a"', '{"a":1}', 'null'])
    expect(await post('/take', list(member, usualParts + 1))).toEqual([
      413,
      expect.objectContaining({
        detail: `the body has more than ${usualParts} values and names; send it in several requests`,
      }),
    ])
  expect((await post('/take', `{"list":["${'x'.repeat(64 * 2 ** 20)}"]}`))[0]).toBe(413)
  // A caller that announces nothing. Node's client may hold all that it is given, so that must end.
  const chunk = new Uint8Array(2 ** 20).fill(32)
  const chunks = ReadableStream.from(Array.from({ length: 256 }, () => chunk))
  const answer = await fetch(`${url}/take`, {
    ...{ method: 'POST', body: chunks, duplex: 'half', headers: { 'content-type': 'application/json' } },
  })
  expect(answer.status).toBe(413)
  for (const payload of ['', '{', '{"__proto__":1}'])
    expect(await post('/take', payload)).toEqual([
      400,
      expect.objectContaining({ type: 'urn:stateeval:problem:malformed-body' }),
    ])
})

test('bodies that are more than a process holds are refused, and what callers leave behind is released', async () => {
  const half = { port: Number(new URL(url).port), host: '127.0.0.1' }
  const begin = async () => {
    const socket = connect(half)
    socket.on('error', () => undefined)
    const head = `POST /take HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${60 * 2 ** 20}\r\n\r\n`
    let answered = ''
    socket.on('data', (data: Buffer) => (answered += data.toString()))
    socket.write(head)
    await new Promise<void>((resolve) => socket.write(`["${'x'.repeat(30 * 2 ** 20)}`, () => resolve()))
    return { socket, answer: () => answered }
  }
  const callers: Awaited<ReturnType<typeof begin>>[] = []
  try {
    for (let n = 0; n < 4; n++) callers.push(await begin())
    await until(() => callers.some(({ answer }) => answer().includes('503')))
    expect(callers.find(({ answer }) => answer().includes('503'))!.answer()).toContain(
      'receiving as many large bodies as it can hold',
    )
  } finally {
    for (const { socket } of callers) socket.destroy()
  }
  await until(async () => (await post('/take', list(`"${'x'.repeat(1000)}"`, 2000)))[0] === 200)
})
