/**
 * Captured requests are the same at every level, and the same as axios-mock-adapter’s handlers get in a plain
 * process.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CapturedRequest, JsonValue, ExecutionLimits } from '@stateeval/contracts'
import { completeLimits, createSandbox, type IsolationLevel, type LocalSandbox } from '@stateeval/sandbox'
import { createCaptureWorld } from '@stateeval/benchmark-wapiibench/backend'
import { styles } from './styles.ts'

const levels: readonly IsolationLevel[] = ['warm-jail', 'process-jail']
let mocks: unknown[][]
const sandboxes = new Map<IsolationLevel, LocalSandbox>()
beforeAll(async () => {
  for (const level of levels) sandboxes.set(level, await createSandbox({ level }))
  mocks = await peer()
})
afterAll(() => Promise.all([...sandboxes.values()].map((sandbox) => sandbox.close())))

const program = (code: string) => `const axios = require('axios');\n${code}\nRESULT = 'done'`
async function run(
  level: IsolationLevel,
  code: string,
  world: JsonValue = {},
  limits: Partial<ExecutionLimits> = {},
) {
  const [observation] = await sandboxes.get(level)!.run(
    {
      language: 'javascript',
      code,
      inputs: [{ variables: {}, world }],
      world: createCaptureWorld(),
      limits: completeLimits(limits),
    },
    new AbortController().signal,
  )
  const { wallMs: _, seed: __, sandbox, ...rest } = observation!
  const requests = (rest.world?.state as { requests: CapturedRequest[] } | undefined)?.requests ?? []
  return { ...rest, sandbox, requests }
}

/**
 * What the published evaluator’s way of mocking sees of each style, in a plain process: axios is loaded anew
 * for each.
 */
const mocked = (codes: readonly string[]) => `
const load = (name) => {
  for (const path of Object.keys(require.cache)) if (/node_modules.axios/.test(path)) delete require.cache[path]
  return require(name)
}
async function run(code) {
  const axios = load('axios')
  const Mock = require('axios-mock-adapter')
  const seen = []
  new Mock(axios).onAny().reply((config) => {
    const { method, url, baseURL, headers, params, data, auth } = config
    seen.push(JSON.parse(JSON.stringify({ method, url, baseURL, headers, params, data, auth })))
    return [200]
  })
  await (0, eval)('(async (axios) => {' + code + '\\n})')(axios).catch(() => {})
  await new Promise((go) => setTimeout(go, code.includes('setTimeout') ? 60 : 1))
  return seen
}
;(async () => {
  const all = []
  for (const code of ${JSON.stringify(codes)}) all.push(await run(code))
  process.stdout.write(JSON.stringify(all))
})()`
async function peer(): Promise<unknown[][]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', mocked(styles.map(({ code }) => code))],
    {
      cwd: join(import.meta.dirname, '../../../..'),
      env: {},
    },
  )
  return JSON.parse(stdout) as unknown[][]
}
const comparable = ({ dataType, data, uri: _, serialized: _written, ...rest }: CapturedRequest) => ({
  ...rest,
  ...(data !== undefined && dataType !== 'FormData' && dataType !== 'form-data' && { data }),
})
const formless = (theirs: unknown[], ours: readonly CapturedRequest[]) =>
  theirs.map((one, at) => {
    const { data, ...rest } = one as { data?: unknown }
    return ['FormData', 'form-data'].includes(ours[at]?.dataType ?? '') || data === undefined
      ? rest
      : { ...rest, data }
  })

test.each(styles.map((style, at) => [style.name, style, at] as const))('%s', async (_, style, at) => {
  const { sandbox, ...warm } = await run('warm-jail', program(style.code))
  const { sandbox: __, ...alone } = await run('process-jail', program(style.code))
  expect(warm).toEqual(alone)
  expect(sandbox).toBe('warm-jail')
  if (!style.unlike) expect(warm.requests.map(comparable)).toEqual(formless(mocks[at]!, warm.requests))
  for (const request of warm.requests) expect(request.uri ?? '').not.toContain('undefined')
})

describe.each(levels)('%s', (level) => {
  const once = (code: string, world?: JsonValue, limits?: Partial<ExecutionLimits>) =>
    run(level, program(code), world, limits)

  test('files of forms are told by name, type and digest', async () => {
    const digest = (text: string) => ({
      size: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
    })
    const { requests } = await once(
      `const f = new FormData(); f.append('a', new File(['one'], 'a.txt', { type: 'text/plain' })); await axios.post('/x', f)
      const Packaged = require('form-data'); const p = new Packaged()
      p.append('b', Buffer.from('two'), { filename: 'b.bin' }); p.append('c', require('node:fs').createReadStream('c.csv')); p.append('d', 'text')
      await axios.post('/x', p)
      await axios.post('/x', require('qs').stringify({ a: [1] }))`,
      { files: { 'c.csv': 'three' } },
    )
    expect(requests.map(({ data }) => data)).toEqual([
      [['a', '[object File]', { filename: 'a.txt', type: 'text/plain', ...digest('one') }]],
      [
        ['b', 'two', { filename: 'b.bin', type: 'application/octet-stream', ...digest('two') }],
        ['c', '[object Object]', { filename: 'c.csv', type: 'text/csv', ...digest('three') }],
        ['d', 'text'],
      ],
      'a%5B0%5D=1',
    ])
  })
  test('a request of a form stays before those that follow', async () => {
    const { requests } = await once(
      `const f = new FormData(); f.append('a', '1'); await Promise.all([axios.post('/1', f), axios.get('/2')])`,
    )
    expect(requests.map(({ url }) => url)).toEqual(['/1', '/2'])
  })
  test('requests of fetch are captured where the world says so', async () => {
    const code = `const answers = [await fetch('https://a.example/x?b=1', { method: 'POST', body: new URLSearchParams({ c: '2' }) })]
      const f = new FormData(); f.append('d', new Blob(['one']), 'd.txt')
      answers.push(await fetch(new URL('https://a.example/y'), { method: 'PUT', body: f }))
      RESULT = [answers.map(({ status }) => status), await answers[0].json()]`
    const { requests, ending } = await run(level, code, {
      fetch: true,
      reply: { status: 201, data: { id: 7 } },
    })
    expect(ending).toEqual({ status: 'completed', result: [[201, 201], { id: 7 }] })
    expect(requests).toMatchObject([
      {
        ...{ method: 'post', url: 'https://a.example/x?b=1', data: 'c=2', dataType: 'string' },
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      },
      { method: 'put', dataType: 'FormData', data: [['d', '[object File]', { filename: 'd.txt', size: 3 }]] },
    ])
    expect((await run(level, `await fetch('https://a.example/x')`)).requests).toEqual([])
  })
  test('files that are none are refused', async () => {
    const { ending } = await once('1', { files: { a: 1 } })
    expect(ending).toMatchObject({ reason: expect.stringContaining('world.files.a: give a text') })
  })

  test('forms keep their parts', async () => {
    const { requests } =
      await once(`const f = new FormData(); f.append('a', '1'); f.append('b', 'é'); await axios.post('/x', f)
      await axios.postForm('/x', { a: 1, b: ['x', 'y'] })`)
    expect(requests.map(({ dataType, data }) => [dataType, data])).toEqual([
      [
        'FormData',
        [
          ['a', '1'],
          ['b', 'é'],
        ],
      ],
      [
        'form-data',
        [
          ['a', '1'],
          ['b[]', 'x'],
          ['b[]', 'y'],
        ],
      ],
    ])
  })
  test('where a request would have gone', async () => {
    const { requests, log } = await once(
      `await axios.create({ baseURL: 'https://a.b/v1' }).get('/c', { params: { d: [1, 2], e: 'f g' } })`,
    )
    expect(requests[0]).toMatchObject({
      url: '/c',
      baseURL: 'https://a.b/v1',
      uri: 'https://a.b/v1/c?d%5B%5D=1&d%5B%5D=2&e=f+g',
    })
    expect(log).toEqual([{ method: 'GET', path: 'https://a.b/v1/c?d%5B%5D=1&d%5B%5D=2&e=f+g', status: 200 }])
  })
  test('the answer may be chosen', async () => {
    const code = `const { status, data } = await axios.get('/x'); RESULT = { status, data }; console.log(status)`
    const world = { reply: { status: 201, data: { items: [1] } } }
    expect((await run(level, `const axios = require('axios')\n${code}`, world)).ending).toEqual({
      status: 'completed',
      result: { status: 201, data: { items: [1] } },
    })
    const { ending, requests } = await once(`await axios.get('/x')`, { reply: { status: 404 } })
    expect(ending).toMatchObject({
      status: 'threw',
      error: { name: 'AxiosError', message: 'Request failed with status code 404', status: 404 },
    })
    expect(requests).toHaveLength(1)
  })
  test('too many, or too long', async () => {
    expect((await once(`for (;;) await axios.get('/x')`, {}, { requests: 20 })).ending).toEqual({
      status: 'killed',
      by: 'requests',
    })
    const long = await once(`await axios.post('/x', 'y'.repeat(3000))`, {}, { resultKiB: 2 })
    expect([long.ending, long.requests]).toEqual([{ status: 'killed', by: 'result' }, []])
    // Their size is that of UTF-8.
    const foreign = await once(`await axios.post('/x', '漢'.repeat(95_000))`, {}, { resultKiB: 100 })
    expect(foreign.ending).toEqual({ status: 'killed', by: 'result' })
    expect(
      (
        await once(
          `await axios.post('/x', 'y'.repeat(1500))\nRESULT = 'z'.repeat(1500)`,
          {},
          { resultKiB: 2 },
        )
      ).ending,
    ).toEqual({
      status: 'completed',
      result: 'done',
    })
  })
  test('what is nested too deep, or sets prototypes, isn’t told', async () => {
    const deep = `let params = {}; for (let i = 0; i < 100; i++) params = { params }; await axios.get('/x', { params })`
    expect((await once(deep)).ending).toMatchObject({ status: 'threw' })
    const prototype = `await axios.get('/x', { params: { a: { toJSON: () => JSON.parse('{"__proto__":1}') } } })`
    expect((await once(prototype)).ending).toMatchObject({
      status: 'threw',
      error: { message: 'The request has a key named __proto__' },
    })
  })
  test.each([
    ['fetch', `await fetch('http://127.0.0.1:8080/')`],
    ['another adapter', `await axios.get('http://127.0.0.1:8080/', { adapter: 'http' })`],
    [
      'http',
      `await new Promise((go, no) => require('http').get('http://127.0.0.1:8080/', go).on('error', no))`,
    ],
  ])('nothing is sent by %s', async (_, code) => {
    expect((await once(code)).ending.status).toBe('threw')
  })
  test.each<[string, JsonValue]>([
    ['world', []],
    ['world.items', { items: [] }],
    ['world.reply', { reply: 1 }],
    ['world.reply.status', { reply: { status: 99 } }],
  ])('a wrong initial world: %s', async (field, world) => {
    expect((await once('', world)).ending).toMatchObject({
      status: 'infrastructure',
      reason: expect.stringContaining(`${field}: give`),
    })
  })
})

test('forged words on the channel are no requests', async () => {
  const frame = (text: string) =>
    `const body = Buffer.from(${JSON.stringify(text)}); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); require('fs').writeSync(4, Buffer.concat([head, body])); process.reallyExit(0)`
  for (const requests of [
    '{}',
    '[1]',
    '[{"method":"get"}]',
    '[{"method":1,"headers":{}}]',
    '[{"method":"get","headers":{},"url":{}}]',
  ])
    expect(
      (await run('process-jail', frame(`{"status":"completed","result":1,"requests":${requests}}`))).ending,
    ).toMatchObject({
      status: 'killed',
      by: 'crash',
    })
})
