/** Dataset creation without a server: what is asked, what is checked, what goes back. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import type { TaskEnd, TaskSource, WrittenTask } from '@stateeval/program'
import { openApi } from '../creation/api.ts'
import { checkTask } from '../creation/check.ts'
import { readSamples } from '../creation/samples.ts'
import { writing } from '../creation/writing.ts'
import { published, skipReason } from './data.ts'
import { answerOf, shopTasks, shopText, stockText, taskFor, wantedIn } from './creation/tasks.ts'
import { apiOf, server } from './specified.ts'

const options = { id: 'shop', rounds: 3, together: 10, longest: 400_000 }
const shop = openApi(shopText, options)
const stock = openApi(stockText, { ...options, id: 'stock' })
const targetOf = (api: typeof shop, name: string) => api.targets.find((one) => one.name === name)!
const texts = {
  tasks: '{{api}} at {{server}}\n{{specification}}\nWrite {{count}}:\n{{endpoints}}\n{{instructions}}',
  'tasks-again': '{{diagnosis}}\nAgain:\n{{endpoints}}',
}
type Change = (config: Record<string, never> & { url: string; method: string }) => unknown

test('good tasks pass, and get the headers that follow from them', () => {
  for (const { endpoint, task, config } of shopTasks) {
    expect(checkTask(task, config, targetOf(shop, endpoint), shop)).toEqual({
      task: { instruction: task, config },
    })
    const { Accept: _, 'Content-Type': _type, ...headers } = config.headers as Record<string, string>
    expect(checkTask(task, { ...config, headers }, targetOf(shop, endpoint), shop)).toEqual({
      task: { instruction: task, config },
    })
  }
})

const order =
  (change: (data: Record<string, unknown>) => unknown): Change =>
  (config) =>
    change(config['data']!)
const put =
  (part: string, name: string, value: unknown): Change =>
  (config) =>
    ((config as Record<string, Record<string, unknown>>)[part]![name] = value)
const drop =
  (part: string, name: string): Change =>
  (config) =>
    delete (config as Record<string, Record<string, unknown>>)[part]![name]

test.each<[string, string, Change, string, RegExp]>([
  [
    'a made-up path',
    'GET /orders',
    (c) => (c.url = 'https://eu.shop.example/v1/all'),
    'unknown endpoint',
    /is not an endpoint/,
  ],
  [
    'another server',
    'GET /orders',
    (c) => (c.url = 'https://us.shop.example/v1/orders'),
    'unknown endpoint',
    /whose server is https:\/\/eu\.shop/,
  ],
  [
    'a made-up method',
    'GET /orders',
    (c) => (c.method = 'patch'),
    'unknown endpoint',
    /patch is not defined for \/orders/,
  ],
  [
    'another endpoint',
    'GET /orders',
    (c) => (c.url += '/search'),
    'another endpoint',
    /those of GET \/orders\/search, not of GET \/orders/,
  ],
  [
    'a query in the URL',
    'GET /orders',
    (c) => (c.url += '?limit=1'),
    'malformed configuration',
    /belong into config\.params/,
  ],
  [
    'a method in capitals',
    'GET /orders',
    (c) => (c.method = 'GET'),
    'malformed configuration',
    /config\.method/,
  ],
  [
    'another part',
    'GET /orders',
    (c) => ((c as Record<string, unknown>)['body'] = {}),
    'malformed configuration',
    /config\.body is unknown/,
  ],
  [
    'a path value left open',
    'GET /orders/{order_id}',
    (c) => (c.url = c.url.replace('o17', '{order_id}')),
    'malformed|missing argument',
    /value|encoding/,
  ],
  [
    'a path value that doesn’t match',
    'GET /orders/{order_id}',
    (c) => (c.url = c.url.replace('o17', '17')),
    'wrong format',
    /order_id in the path .* must match the pattern/,
  ],
  [
    'a path value that needs encoding',
    'GET /orders/{order_id}',
    (c) => (c.url = c.url.replace('o17', 'o%2017')),
    'value not allowed',
    /need no encoding/,
  ],
  [
    'a required query argument',
    'GET /orders',
    drop('params', 'state'),
    'missing argument',
    /config\.params\.state is missing/,
  ],
  [
    'an unknown query argument',
    'GET /orders',
    put('params', 'offset', 1),
    'unknown argument',
    /config\.params\.offset is unknown; .* limit, state/,
  ],
  [
    'a number as text',
    'GET /orders',
    put('params', 'limit', '20'),
    'wrong type',
    /limit must be an integer, not "20"/,
  ],
  ['a bound', 'GET /orders', put('params', 'limit', 101), 'value not allowed', /at most 100/],
  [
    'an enumeration',
    'GET /orders',
    put('params', 'state', 'lost'),
    'value not allowed',
    /one of "open", "sent", "paid"/,
  ],
  [
    'a moment that is none',
    'GET /orders',
    put('params', 'since', '2026-02-30T00:00:00Z'),
    'wrong format',
    /format date-time/,
  ],
  ['an element', 'GET /orders', put('params', 'tags', ['a', 1]), 'wrong type', /tags\[1\] must be a string/],
  [
    'an unknown header',
    'GET /orders',
    put('headers', 'X-Other', 'a'),
    'unknown argument',
    /config\.headers\.X-Other is unknown/,
  ],
  [
    'a header in another case',
    'GET /orders',
    put('headers', 'x-trace', '123e4567-e89b-12d3-a456-426614174000'),
    'unknown argument',
    /must be written X-Trace/,
  ],
  [
    'a header’s format',
    'GET /orders',
    put('headers', 'X-Trace', 'abc'),
    'wrong format',
    /X-Trace must have the format uuid/,
  ],
  [
    'a header that is no text',
    'GET /orders',
    put('headers', 'X-Trace', 1),
    'wrong type',
    /that a header can contain/,
  ],
  [
    'no authentication',
    'GET /orders',
    drop('headers', 'Authorization'),
    'missing authentication',
    /Authorization \(header\)/,
  ],
  [
    'a secret',
    'GET /orders',
    put('headers', 'Authorization', 'Bearer abc'),
    'value not allowed',
    /placeholder <key> or <token>/,
  ],
  [
    'the other scheme',
    'DELETE /orders/{order_id}',
    (c) => {
      drop('params', 'api_key')(c)
      put('headers', 'Authorization', 'Bearer <token>')(c)
    },
    'missing authentication',
    /api_key \(query\)/,
  ],
  [
    'a body where there is none',
    'GET /orders',
    (c) => ((c as Record<string, unknown>)['data'] = { a: 1 }),
    'unknown argument',
    /GET requests have no body/,
  ],
  [
    'no body',
    'POST /orders',
    (c) => delete (c as Record<string, unknown>)['data'],
    'missing argument',
    /config\.data is missing/,
  ],
  [
    'another media type',
    'POST /orders',
    put('headers', 'Content-Type', 'text/csv'),
    'value not allowed',
    /must be "application\/json"/,
  ],
  [
    'a required property',
    'POST /orders',
    order((d) => delete d['customer']),
    'missing argument',
    /data\.customer is missing/,
  ],
  [
    'an unknown property',
    'POST /orders',
    order((d) => (d['colour'] = 'red')),
    'unknown argument',
    /data\.colour is unknown; available: id, customer/,
  ],
  [
    'a read-only property',
    'POST /orders',
    order((d) => (d['id'] = 'o1')),
    'unknown argument',
    /data\.id is read-only/,
  ],
  [
    'an unknown property inside',
    'POST /orders',
    order((d) => (d['lines'] = [{ article: '123e4567-e89b-12d3-a456-426614174000', count: 1, x: 1 }])),
    'unknown argument',
    /lines\[0\]\.x is unknown/,
  ],
  [
    'a type inside',
    'POST /orders',
    order((d) => (d['lines'] = [{ article: '123e4567-e89b-12d3-a456-426614174000', count: 1.5 }])),
    'wrong type',
    /count must be an integer/,
  ],
  ['too few', 'POST /orders', order((d) => (d['lines'] = [])), 'value not allowed', /at least 1 elements/],
  [
    'a free map’s value',
    'POST /orders',
    order((d) => (d['labels'] = { a: 1 })),
    'wrong type',
    /labels\.a must be a string/,
  ],
  [
    'no alternative',
    'POST /orders',
    order((d) => (d['payment'] = { cash: true })),
    'missing argument|unknown argument',
    /payment\./,
  ],
  [
    'alternatives mixed',
    'POST /orders',
    order((d) => (d['payment'] = { iban: 'x', card: 'y' })),
    'unknown argument',
    /payment\.\w+ is unknown/,
  ],
  [
    'a day that is none',
    'POST /orders',
    order((d) => (d['deliver'] = '24.12.2026')),
    'wrong format',
    /format date/,
  ],
  [
    'a text that cuts the call short',
    'POST /orders',
    order((d) => (d['customer'] = 'Ahab }); ')),
    'value not allowed',
    /none of the texts/,
  ],
  [
    'an & in a form',
    'POST /orders/{order_id}/notes',
    order((d) => (d['text'] = 'a & b')),
    'value not allowed',
    /no & in its texts/,
  ],
  [
    'a number in a form',
    'POST /orders/{order_id}/notes',
    order((d) => (d['stars'] = 2)),
    'wrong type',
    /written as a text/,
  ],
  [
    'a text in a form that is no number',
    'POST /orders/{order_id}/notes',
    order((d) => (d['stars'] = 'two')),
    'wrong type',
    /stars must be an integer/,
  ],
])('%s', (_, endpoint, change, kind, says) => {
  const { task, config } = taskFor(endpoint)
  change(config as Parameters<Change>[0])
  const outcome = checkTask(task, config, targetOf(shop, endpoint), shop)
  if ('task' in outcome) throw new Error('it passed')
  expect(outcome.faults.map((one) => one.kind).join('|')).toMatch(new RegExp(kind))
  expect(outcome.faults.map((one) => one.says).join('; ')).toMatch(says)
})
test.each([[''], ['two\nlines'], [5]])('the task %j is none', (task) =>
  expect(checkTask(task, taskFor('GET /orders').config, targetOf(shop, 'GET /orders'), shop)).toMatchObject({
    faults: [{ kind: 'malformed task' }],
  }),
)

describe('OpenAPI 3.0', () => {
  const headers = {
    Accept: 'application/json, text/plain, */*',
    'Content-Type': 'application/json',
    Authorization: 'Basic <key>',
  }
  const checked = (data: JsonValue, more: object = {}) =>
    checkTask(
      'Add it.',
      { url: 'https://stock.example/api/items', method: 'post', headers: { ...headers, ...more }, data },
      targetOf(stock, 'POST /items'),
      stock,
    )
  const says = (outcome: ReturnType<typeof checked>) =>
    'task' in outcome ? 'fits' : outcome.faults.map((one) => one.says).join('; ')
  test.each<[JsonValue, RegExp]>([
    [{ name: 'Oil', kind: 'raw', weight: null }, /^fits$/],
    [{ name: 'Oil', kind: 'raw', weight: 0 }, /weight must be more than 0/],
    [
      { name: 'Oil', kind: 'raw', parts: [{ name: 'Fat', kind: 'raw', parts: [{ name: 'x' }] }] },
      /parts\[0\]\.parts\[0\]\.kind is missing/,
    ],
    [
      {
        name: 'Oil',
        kind: 'raw',
        parts: [
          { name: 'a', kind: 'raw' },
          { kind: 'raw', name: 'a' },
        ],
      },
      /must not have an element twice/,
    ],
    [{ kind: 'raw' }, /name is missing/],
    [{ name: 'Oil', kind: null }, /kind must be a string/],
    [{ name: 'Oil', kind: 'raw', colour: 1 }, /colour is unknown; available: /],
    [{ name: 'Oil', kind: 'raw', count: 2 ** 31 }, /format int32/],
    [{ name: 'o'.repeat(21), kind: 'raw' }, /at most 20 characters/],
  ])('%j: %s', (data, expected) => expect(says(checked(data))).toMatch(expected))
  test('properties of several alternatives of anyOf, and a media type like JSON', () => {
    const change = (data: JsonValue, number = '7') =>
      checkTask(
        'Change it.',
        { url: `https://stock.example/api/items/${number}`, method: 'patch', data },
        targetOf(stock, 'PATCH /items/{number}'),
        stock,
      )
    expect(change({ name: 'Oil', weight: 2 })).toMatchObject({
      task: { config: { headers: { 'Content-Type': 'application/merge-patch+json' } } },
    })
    expect(says(change({ name: 'Oil', weight: 'much' }))).toMatch(/weight must be a number/)
    expect(says(change({ name: 'Oil' }, 'seven'))).toMatch(/number in the path .* must be an integer/)
    expect(says(change({ name: 'Oil' }, '0'))).toMatch(/at least 1/)
  })
  test('a required header, and two schemes together', () => {
    expect(
      says(
        checkTask(
          'Look.',
          { url: 'https://stock.example/api/', method: 'get' },
          targetOf(stock, 'GET /'),
          stock,
        ),
      ),
    ).toBe('config.headers.If-Match is missing, which the specification requires')
    expect(says(checked({ name: 'Oil', kind: 'raw' }, { 'X-Key': '<key>' }))).toBe('fits')
    const without = { Accept: headers.Accept, 'X-Key': '<key>' }
    const config = {
      url: 'https://stock.example/api/items',
      method: 'post',
      headers: without,
      data: { name: 'Oil', kind: 'raw' },
    }
    expect(says(checkTask('Add it.', config, targetOf(stock, 'POST /items'), stock))).toBe(
      'authentication is missing: X-Key (header) and Authorization (header), or Authorization (header)',
    )
  })
})

test('endpoints that no configuration can call are named with the reason', () => {
  const skipped = (text: string) =>
    writing
      .open(text, options, texts)
      .targets.flatMap((one) => (one.skipped === undefined ? [] : [`${one.name}: ${one.skipped}`]))
  expect(skipped(shopText)).toEqual([
    'HEAD /orders: the method head is not supported; supported: get, put, post, delete, patch',
    'PUT /articles/{article}/picture: its body is not an object of arguments',
  ])
  expect(skipped(stockText)).toEqual([])
})
test('cookies are arguments in one header', () => {
  const api = apiOf(
    {
      '/a': {
        get: {
          security: [{ key: [] }],
          parameters: [{ name: 'session', in: 'cookie', required: true, schema: { type: 'integer' } }],
        },
      },
    },
    { components: { securitySchemes: { key: { type: 'apiKey', in: 'cookie', name: 'SID' } } } },
  )
  const faultsOf = (cookie: string | undefined) => {
    const headers = cookie === undefined ? {} : { Cookie: cookie }
    const checked = checkTask('Ask.', { url: `${server}/a`, method: 'get', headers }, api.targets[0]!, api)
    return 'faults' in checked ? checked.faults.map(({ says }) => says) : []
  }
  expect(faultsOf('session=7; SID=<key>')).toEqual([])
  expect(faultsOf(undefined)).toEqual([
    'the cookie session in config.headers.Cookie is missing, which the specification requires',
    'authentication is missing: SID (cookie)',
  ])
  expect(faultsOf('session=x; SID=secret; other=1')).toEqual([
    'the cookie session in config.headers.Cookie must be an integer, not "x"',
    expect.stringMatching(/^the cookie other in config\.headers\.Cookie is unknown/),
    'the cookie SID must contain the placeholder <key> or <token>, never a secret',
  ])
})
test('a part of the API has the same names of cases as the whole', () =>
  expect(writing.open(shopText, { ...options, paths: ['/orders/search'] }, texts).targets).toEqual([
    { name: 'GET /orders/search', case: 'shop-7' },
  ]))
test.each<[string, string, object, RegExp]>([
  ['no text of any use', 'x: [', {}, /not valid YAML/],
  ['Swagger 1', 'swagger: "1.2"', {}, /OpenAPI 3\.0 or 3\.1/],
  [
    'nothing to call',
    'openapi: 3.1.0\nservers: [{ url: https://a.b }]\nwebhooks: {}',
    {},
    /paths are missing/,
  ],
  ['no server', 'openapi: 3.0.0\npaths: { /a: { get: {} } }', {}, /names no server; say which one/],
  [
    'a relative server',
    'openapi: 3.0.0\nservers: [{ url: /v1 }]\npaths: { /a: { get: {} } }',
    {},
    /"\/v1" is no full address/,
  ],
  [
    'paths that aren’t there',
    shopText,
    { paths: ['/carts'] },
    /has 9 endpoints, but none of them begins with \/carts/,
  ],
])('%s', (_, text, more, says) => expect(() => openApi(text, { ...options, ...more })).toThrow(says))
test('a specification that is not sound is still read: odd patterns, odd templates, schemas of themselves', () => {
  const text = `openapi: 3.1.0
servers: [{ url: https://a.b }]
paths:
  /a(b/{x}: { get: { parameters: [{ name: x, in: path, required: true, schema: { type: string, pattern: '(' } }, { name: d, in: query, schema: { $ref: '#/components/schemas/Deep' } }] } }
components: { schemas: { Deep: { anyOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Deep' } }] } } }
`
  const api = openApi(text, options)
  const config = (d: JsonValue) => ({ url: 'https://a.b/a(b/7', method: 'get', params: { d } })
  expect(checkTask('Get it.', config([['x'], [[]]]), api.targets[0]!, api)).toHaveProperty('task')
  expect(checkTask('Get it.', config([['x'], [[7]]]), api.targets[0]!, api)).toHaveProperty('faults')
})

describe('what is asked', () => {
  const messages = (book: TaskSource, part = 0) =>
    book
      .ask(part, book.start(part))
      .map(({ content }) => content)
      .join('\n')
  test('the whole specification, as it was given', () => {
    const book = writing.open(shopText, { ...options, instructions: 'Prices are in cents.' }, texts)
    expect(messages(book)).toContain(shopText.trim())
    expect(messages(book)).toMatch(/^Shop at https:\/\/eu\.shop\.example\/v1\n/)
    expect(messages(book)).toMatch(/Prices are in cents\.$/)
    expect(wantedIn(messages(book))).toEqual(shopTasks.map(({ endpoint }) => endpoint))
  })
  test('of a large one the paths that are asked for, with what they need', () => {
    const book = writing.open(shopText, { ...options, longest: 2600, together: 2 }, texts)
    expect(book.parts.map((part) => part.length).reduce((a, b) => a + b)).toBe(7)
    expect(book.parts.every((part) => part.length <= 2)).toBe(true)
    const part = book.parts.findIndex((one) =>
      one.includes(book.targets.findIndex(({ name }) => name === 'POST /orders')),
    )
    expect(messages(book, part)).toMatch(/Money:[\s\S]*securitySchemes:/)
    const last = messages(book, book.parts.length - 1)
    expect(last).toContain('Find orders')
    for (const unneeded of ['Money', 'Unused', 'responses', 'List orders'])
      expect(last).not.toContain(unneeded)
    expect(
      openApi(last.slice(last.indexOf('openapi:'), last.indexOf('Write ')), options).targets.length,
    ).toBeGreaterThan(0)
  })
  test('a part that is too long by itself is not asked for', () => {
    const { targets, parts } = writing.open(shopText, { ...options, longest: 600 }, texts)
    expect(targets.filter(({ skipped }) => skipped?.includes('too long'))).not.toHaveLength(0)
    expect(parts.flat()).toHaveLength(targets.filter(({ skipped }) => skipped === undefined).length)
  })
})

describe('the rounds', () => {
  const book = writing.open(shopText, options, texts)
  function played(answers: readonly string[]): { questions: string[]; tasks: WrittenTask[] } {
    const questions: string[] = []
    let state = book.start(0)
    for (const answer of answers) {
      questions.push(book.ask(0, state).at(-1)!.content)
      const turn = book.resume(0, state, answer)
      if ('done' in turn) return { questions, tasks: turn.done }
      // As it is stored between two steps.
      state = JSON.parse(JSON.stringify(turn.state)) as JsonValue
    }
    throw new Error('it goes on')
  }
  test('all good at once', () => {
    const { tasks } = played([answerOf(shopTasks)])
    expect(tasks.map(({ status }) => status)).toEqual(Array(7).fill('written'))
    expect(tasks[0]?.dialogue).toMatchObject([
      { by: 'generator', round: 1 },
      { by: 'check', round: 1, says: 'it fits the specification' },
    ])
    expect(tasks[1]).toMatchObject({
      case: { id: 'shop-1', group: 'shop', task: { api: 'shop', title: 'Shop', index: 1 } },
    })
  })
  test('what fails goes back, with the diagnosis and the rest of the conversation; what passed does not', () => {
    const wrong = taskFor('GET /orders')
    wrong.config.params = { limit: 'many' }
    const strangeTask = {
      ...taskFor('POST /orders'),
      endpoint: 'POST /carts',
      config: { url: 'https://eu.shop.example/v1/carts', method: 'post' },
    }
    const { questions, tasks } = played([
      answerOf([wrong, strangeTask, ...shopTasks.slice(2)]),
      'I’d rather not.',
      answerOf(shopTasks.slice(0, 2)),
    ])
    expect(questions[1]).toMatch(
      /- GET \/orders: config\.params\.limit must be an integer, not "many"; config\.params\.state is missing/,
    )
    expect(questions[1]).toMatch(
      /- POST \/orders: there is no sample for it\n- sample 2 is for an endpoint that was not requested: POST \/carts/,
    )
    expect(wantedIn(questions[1]!)).toEqual(['GET /orders', 'POST /orders'])
    expect(questions[2]).toMatch(/could not be read as JSON/)
    expect(tasks.map(({ status }) => status)).toEqual(Array(7).fill('written'))
    expect(tasks[0]?.dialogue.map(({ by, round }) => `${by} ${round}`)).toEqual([
      'generator 1',
      'check 1',
      'generator 2',
      'check 2',
      'generator 3',
      'check 3',
    ])
    expect(tasks[2]?.dialogue).toHaveLength(2)
  })
  test('when they are over, what still fails is rejected with the reason', () => {
    const wrong = taskFor('GET /orders')
    delete wrong.config.params
    const answer = answerOf([wrong, ...shopTasks.slice(2)])
    const { tasks } = played([answer, answer, answer])
    expect(tasks.slice(0, 3)).toMatchObject([
      {
        status: 'rejected',
        reason: 'missing argument',
        detail: 'config.params.state is missing, which the specification requires',
      },
      { status: 'rejected', reason: 'no task', detail: 'there is no sample for it' },
      { status: 'written' },
    ])
  })
  test('samples without a name are told by their request; the first that is right counts', () => {
    const plain = shopTasks.map(({ task, config }) => ({ task, config }))
    const broken = { task: 'x', config: { url: plain[0]!.config.url, method: 'get' } }
    expect(played([answerOf([broken, ...plain])]).tasks.map(({ status }) => status)).toEqual(
      Array(7).fill('written'),
    )
  })
  test('arguments that the task does not say are pointed out to whoever reviews', () => {
    const silent = { ...taskFor('GET /orders'), task: 'List paid orders.' }
    expect(played([answerOf([silent, ...shopTasks.slice(1)])]).tasks[0]?.dialogue.at(-1)?.says).toBe(
      'it fits the specification; not said word for word in the task: params.limit = 20, params.tags[0] = "gift"',
    )
  })
})

test.each([
  ['bare JSON', JSON.stringify({ samples: shopTasks }), 7],
  ['behind a thought in braces', `{hm}\n\`\`\`json\n${JSON.stringify({ samples: shopTasks })}\n\`\`\``, 7],
  ['a list alone', JSON.stringify(shopTasks), 7],
  ['one sample alone', JSON.stringify(shopTasks[0]), 1],
  ['numbers among them', JSON.stringify({ samples: [1, null, shopTasks[0]] }), 1],
  ['one that breaks off', answerOf(shopTasks).slice(8, -500), 5],
  [
    'one that breaks off behind a thought',
    `{"samples": [ ] hm {\n{"samples": [${JSON.stringify(shopTasks[0])}, {"task": "a } \\" b`,
    1,
  ],
])('an answer: %s', (_, answer, count) =>
  expect(readSamples(answer)).toMatchObject({ samples: { length: count } }),
)
test.each(['', '{}', '{"samples": 3}', '{"samples": [', 'null', '```json\n```'])(
  'the answer %j has none',
  (answer) => expect(readSamples(answer)).toHaveProperty('says'),
)
;(published ? test : test.skip)(
  `published tasks are held against their specifications${published ? '' : `: ${skipReason}`}`,
  () => {
    const faulty = ['google_calendar_v3'].map((id) => {
      const api = openApi(readFileSync(join(published!, `specs/${id}.yaml`), 'utf8'), { ...options, id })
      const { samples } = JSON.parse(readFileSync(join(published!, `tasks/${id}.json`), 'utf8')) as {
        samples: { task: string; config: { url: string; method: string } }[]
      }
      return samples.filter(({ task, config }) => {
        const name = `${config.method.toUpperCase()} ${api.endpoints.sound(config.url, config.method)!.endpoint.template}`
        return 'faults' in checkTask(task, config, targetOf(api, name), api)
      }).length
    })
    expect(faulty).toEqual([0])
  },
)

test('the prompts and the set of a golden build stay as they are', () => {
  const prompt = (name: string) => readFileSync(join(import.meta.dirname, `../prompts/${name}.md`), 'utf8')
  const book = writing.open(
    shopText,
    { ...options, longest: 2600, together: 3 },
    { tasks: prompt('tasks'), 'tasks-again': prompt('tasks-again') },
  )
  const first = book.start(0)
  const turn = book.resume(0, first, answerOf([]))
  if ('done' in turn) throw new Error('it ended')
  const question = book.ask(0, turn.state).map(({ role, content }) => `<${role}>\n${content}\n`)
  const ends = shopTasks.map(({ endpoint, task, config }): TaskEnd => {
    const checkOutcome = book.check(
      book.targets.findIndex(({ name }) => name === endpoint),
      { instruction: task, task: config },
    )
    return 'case' in checkOutcome
      ? { status: 'kept', case: checkOutcome.case }
      : { status: 'dropped', phase: 'tasks', reason: checkOutcome.fault }
  })
  const { lines, about, artifacts } = book.set(ends, {
    seed: 1,
    options: { id: 'shop' },
    versions: { prompts: 'x' },
  })
  golden('question.md', question.join('\n'))
  golden('cases.jsonl', lines.map((line) => `${line}\n`).join(''))
  golden('about.json', `${JSON.stringify({ ...about, artifacts: Object.keys(artifacts) }, null, 2)}\n`)
})
/** STATEEVAL_UPDATE_GOLDEN=1 rewrites the files. */
function golden(name: string, text: string): void {
  const path = join(import.meta.dirname, 'creation/golden', name)
  if (process.env['STATEEVAL_UPDATE_GOLDEN']) writeFileSync(path, text)
  expect(text).toBe(readFileSync(path, 'utf8'))
}
