/**
 * Whatever is sent, the service answers by its own rules: in time, with a documented status, without a trace
 * of its inside.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { operators } from '../filter/filter.ts'
import { type Answer, send } from './replay.ts'
import { serviceOfTests } from './service.ts'

const failures: Error[] = []
const service = serviceOfTests({ events: { failed: (error) => failures.push(error) } })

const documented = new Set([200, 400, 404, 405, 406, 413, 415, 500])
const check = ({ status, body, headers }: Answer) => {
  expect(failures).toEqual([])
  expect(documented).toContain(status)
  if (body !== '' && status !== 431) expect(String(headers['content-type'])).toContain('application/json')
  if (status >= 400 && body !== '')
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['timestamp', 'status', 'error', 'path'])
}
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'data',
    'data.a',
    'data.0',
    '_id',
    'id',
    'source',
    'type',
    '$in',
    '$x',
    'a.b',
    '',
    '%',
    '__proto__',
    'constructor',
  ),
  fc.string(),
)
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(name, tie('node')),
    fc.array(tie('node')),
    fc.constantFrom(
      { $numberLong: '5' },
      { $oid: '57167a52ef86d81afb415aba' },
      { $date: 0 },
      { $numberDecimal: '1.5' },
      { $regex: 'a' },
      { $minKey: 1 },
      { $timestamp: { t: 1, i: 1 } },
      [[]],
      [[1], [{}]],
    ),
  ),
})).node
const operator = fc.constantFrom(...operators, '$where', '$expr')
const filter = fc.oneof(
  fc.dictionary(
    name,
    fc.oneof(
      value,
      fc.dictionary(operator, value, { maxKeys: 3 }),
      fc.dictionary(operator, fc.array(value), { maxKeys: 2 }),
    ),
  ),
  fc.record({ $or: fc.array(fc.dictionary(name, value)) }),
  fc.record({ $and: fc.array(fc.record({ 'data.a': fc.dictionary(operator, value) })) }),
)
const part = fc.oneof(
  fc.constantFrom(
    'portal',
    'settings',
    'group',
    'query',
    'fetch',
    'api',
    'sessions',
    '..',
    '',
    '%',
    '%00',
    '%2F',
    ';',
    'ffffffffffffffffffffffff',
    '🦊',
  ),
  fc.string(),
)
const settings = { seed: 20_26, endOnFailure: true } as const

test('any document can be stored, read back and found again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value), async (data) => {
      const body = JSON.stringify(data)
      const added = await send(service.port, { method: 'POST', path: '/api/sessions/fuzz/settings', body })
      check(added)
      if (added.status !== 200) return
      const { id } = JSON.parse(added.body) as { id: string }
      const path = `/api/sessions/fuzz/settings/${id}`
      const read = await send(service.port, { method: 'GET', path })
      check(read)
      expect(read.status).toBe(200)
      check(await send(service.port, { method: 'PUT', path, body: JSON.stringify({ data, again: true }) }))
      expect((await send(service.port, { method: 'DELETE', path })).status).toBe(200)
    }),
    { ...settings, numRuns: 60 },
  )
})

const argument = fc.oneof(
  fc.constantFrom(
    '',
    '""',
    '"x"',
    "'\\ud800'",
    '-1',
    '1e400',
    '99999999999999999999',
    '"57167a52ef86d81afb415aba"',
    '/x\0y/',
    '/(/ix',
    '[]',
    '{}',
  ),
  fc.string({ maxLength: 4 }).map((text) => JSON.stringify(text)),
)
const form = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        ...[
          'ObjectId',
          'NumberInt',
          'NumberLong',
          'NumberDecimal',
          'ISODate',
          'Date',
          'BinData',
          'HexData',
          'UUID',
          'Timestamp',
          'RegExp',
          'MinKey',
        ],
      ),
      fc.array(argument, { maxLength: 3 }),
    )
    .map(([name, args]) => `${name}(${args.join(',')})`),
  fc
    .tuple(
      fc.constantFrom(
        ...[
          '$oid',
          '$date',
          '$numberLong',
          '$numberInt',
          '$numberDouble',
          '$numberDecimal',
          '$uuid',
          '$binary',
          '$regex',
          '$timestamp',
          '$code',
        ],
      ),
      argument,
    )
    .map(([name, text]) => `{${name}:${text}}`),
  argument,
)

test('any relaxed text is stored or refused, and is no fault of the service', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', "'\\ud800'", "'\\ud801'", '"\\u0000"', '_id', "''"), form), {
        maxLength: 4,
      }),
      async (fields) => {
        const body = `{${fields.map(([field, value]) => `${field}:${value}`).join(',')}}`
        check(await send(service.port, { method: 'POST', path: '/api/sessions/fuzz/custom_data', body }))
      },
    ),
    { ...settings, numRuns: 150 },
  )
})

test('any filter is answered or refused', async () => {
  await send(service.port, {
    method: 'POST',
    path: '/api/sessions/fuzz/group',
    body: '{"a":[1,"x",{"b":null}],"t":"text","n":1.5}',
  })
  await fc.assert(
    fc.asyncProperty(filter, async (body) => {
      const answer = await send(service.port, {
        method: 'POST',
        path: '/api/sessions/fuzz/group/query/fetch',
        body: JSON.stringify(body),
      })
      check(answer)
      expect([200, 400]).toContain(answer.status)
    }),
    { ...settings, numRuns: 150 },
  )
})

test('any field and value are answered or refused', async () => {
  await fc.assert(
    fc.asyncProperty(name, fc.string(), async (field, text) => {
      const query = new URLSearchParams({ field, value: text }).toString()
      const answer = await send(service.port, {
        method: 'GET',
        path: `/api/sessions/fuzz/group/query?${query}`,
      })
      check(answer)
      expect([200, 400]).toContain(answer.status)
    }),
    { ...settings, numRuns: 80 },
  )
})

test('any path, method, header and body is answered', async () => {
  // What Node's own client refuses to send never arrives, so such characters are written as percent codes.
  const encoded = (text: string) => text.replace(/[^\x21-\x7e]|[#?]/gu, encodeURIComponent)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'),
      fc.array(part, { maxLength: 6 }),
      fc.oneof(fc.constant('/api/sessions/'), fc.constant('/')),
      fc.record({
        accept: fc.constantFrom('*/*', 'text/html', 'application/json', ',;q=', ''),
        'content-type': fc.constantFrom(
          'application/json',
          'x',
          'text/plain;charset=',
          'multipart/form-data',
        ),
      }),
      fc.string(),
      async (method, parts, base, headers, body) => {
        const path = base + parts.map((text) => encoded(text.isWellFormed() ? text : '')).join('/')
        const answer = await send(service.port, {
          method,
          path,
          headers,
          ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
        })
        check(answer)
      },
    ),
    { ...settings, numRuns: 200 },
  )
})

test('a body that is too large is refused', async () => {
  const answer = await send(service.port, {
    method: 'POST',
    path: '/api/sessions/fuzz/settings',
    body: `{"a":"${'x'.repeat(1_100_000)}"}`,
  })
  expect([answer.status, (JSON.parse(answer.body) as { error: string }).error]).toEqual([
    413,
    'Payload Too Large',
  ])
})
