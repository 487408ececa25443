/**
 * Live APIs over HTTP, on real services: a local server with a key and a rate limit is called, recorded, and
 * repeated when it is gone.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReportResult } from '@stateeval/contracts'
import { getFirstAnswer } from '@stateeval/program'
import {
  namespace,
  type ScriptedModel,
  type Servers,
  startScriptedModel,
  startServers,
  startSuite,
  type Suite,
} from '@stateeval/testkit'
import { callerAt } from '../../../services/evaluation/test/over-http.ts'
import { importNestful } from '../dataset/from-dataset.ts'
import presentation from '../presentation/index.ts'
import { hosts } from '../execution/hosts.ts'
import { benchmarkOf, defaults } from './drive.ts'
import { sampleFiles } from './sample.ts'

const host = hosts[14]
const key = 'a key of this test'

/** The sample's executable part, with its APIs at a host that can be configured. */
const [dataFile, specFile] = ['v1/executable/executable-data.json', 'v1/executable/executable-spec.json']
const files = {
  [dataFile]: sampleFiles()[dataFile]!,
  [specFile]: sampleFiles()[specFile]!.replaceAll(/"host": "[^"]*"/g, `"host": "${host}"`),
}
const set = importNestful(files)
const benchmark = benchmarkOf(set.artifacts)
const cases = set.lines.map((line) => benchmark.parse(line))
const gold = new Map(cases.map((c) => [c.instruction, getFirstAnswer(benchmark.player(c, defaults))!]))

interface Asked {
  method: string
  url: string
  key: string | undefined
  status: number
  body: unknown
}
const requests: Asked[] = []
const routes: Record<string, (input: Record<string, string>) => object | null> = {
  'GET /ports': ({ town }) =>
    town === 'Atlantis'
      ? null
      : { ports: [{ port_id: `P-${town}`, berths: 4, position: { latitude: 54.5, longitude: 9.1 } }] },
  'GET /tides': ({ latitude, longitude }) =>
    latitude === '54.5' && longitude === '9.1' ? { 'high water': '12:10', range: 3.4 } : null,
  'POST /berths': ({ port, class: size }) =>
    port?.startsWith('P-') && size === 'medium' ? { booking: { booking_id: 'b1', fee: 12.5 } } : null,
  'POST /notes': ({ lines = '' }) => (/12\.5|3\.4/.test(lines) ? { sent: true } : null),
  'GET /calculate': ({ expression }) => (expression === '4 - 4' ? { value: 0 } : null),
}
async function answered(incoming: IncomingMessage): Promise<{ status: number; body: object }> {
  let text = ''
  for await (const part of incoming) text += String(part)
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://here')
  const input = text === '' ? Object.fromEntries(searchParams) : (JSON.parse(text) as Record<string, string>)
  const sent = incoming.headers['x-rapidapi-key'] as string | undefined
  // Every third request comes too early.
  const isEarly = requests.length % 3 === 1
  const responseBody = routes[`${incoming.method} ${pathname}`]?.(input) ?? null
  const status = sent !== key ? 401 : isEarly ? 429 : responseBody === null ? 404 : 200
  requests.push({ method: incoming.method ?? '', url: incoming.url ?? '', key: sent, status, body: input })
  return { status, body: status === 200 ? responseBody! : { message: `no, ${String(sent)}` } }
}

function reordered(answer: string): string {
  const calls = JSON.parse(answer) as { arguments: object }[]
  const reversed = (args: object) => Object.fromEntries(Object.entries(args).reverse())
  return JSON.stringify(calls.map((call) => ({ ...call, arguments: reversed(call.arguments) })))
}

let servers: Servers
let suite: Suite
const ns = namespace()
/** The same services and data, with or without the APIs. */
async function started(env: Record<string, string>): Promise<Suite> {
  const only = ['execution', 'scoring', 'evaluation'] as const
  const one = await startSuite({ only, servers, env: { STATEEVAL_NAMESPACE: ns, ...env } })
  await Promise.all(Object.values(one.services).map(({ platform }) => platform.bus.ready()))
  return one
}
let model: ScriptedModel
let server: Server
let folder = ''
const caller = callerAt(() => suite.urls['evaluation']!)

beforeAll(async () => {
  server = createServer((incoming, response) => {
    void answered(incoming).then(({ status, body }) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
        .end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'stateeval-live-'))
  const apis = join(folder, 'apis.json')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = {
    baseUrl,
    keyEnv: 'STATEEVAL_KEY_RAPIDAPI',
    keyHeader: 'x-rapidapi-key',
    requestsPerMinute: 6000,
  }
  const keys = { STATEEVAL_KEY_RAPIDAPI: key, STATEEVAL_KEY_RAPIDAPI_HOSTS: new URL(baseUrl).host }
  // Keys are read from the process when a request is sent.
  Object.assign(process.env, keys)
  await writeFile(apis, JSON.stringify({ [host]: settings }))
  servers = await startServers()
  suite = await started({ STATEEVAL_LIVE_APIS_FILE: apis, ...keys })
  // Both know the answers. One names a town without a port once, the other writes arguments in another order.
  model = await startScriptedModel(({ messages, model: id }) => {
    const answer = gold.get(messages.at(-1)!.content) ?? ''
    return { say: id === 'm' ? answer.replace('Husum', 'Atlantis') : reordered(answer) }
  })
  await caller.model('mine', { baseUrl: model.baseUrl, model: 'm' })
  await caller.model('other', { baseUrl: model.baseUrl, model: 'o' })
})
afterAll(async () => {
  await suite?.stop()
  await servers?.stop()
  await model?.close()
  server?.closeAllConnections()
  server?.close()
  if (folder) await rm(folder, { recursive: true })
})

async function resultOf(request: object): Promise<{ id: string; result: ReportResult }> {
  const { id } = await caller.begin(request)
  const { status, error } = await caller.ended(id)
  expect([status, error]).toEqual(['succeeded', undefined])
  return { id, result: (await caller.report(id)).result }
}
const passRates = ({ measures }: ReportResult) => {
  const { values } = measures!.find(
    ({ policy, group, name }) => [policy, group, name].join() === 'sound,form,executable',
  )!
  return ['live', 'mock'].map((by) => values[`API execution pass rate, ${by} (%)`])
}

test('calls are answered by the configured host, within its limits; a recording repeats them without it', async () => {
  const imported = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/datasets', {
    kind: 'nestful',
    files,
  })
  expect(imported.status).toBe(201)
  const request = { benchmark: imported.body.id, policy: 'sound' }
  const reference = await resultOf({ ...request, model: 'reference' })
  expect([reference.result.overall.passed, passRates(reference.result)]).toEqual([cases.length, [100, null]])

  const { id, result } = await resultOf({ ...request, model: 'mine' })
  expect(passRates(result)).toEqual([75, null])
  const lost = result.samples.find(({ score }) => score?.policies?.['sound']?.metrics['pass_live'] === 0)
  expect(JSON.stringify(lost)).toContain('run (live)')
  expect(JSON.stringify(lost)).toContain('call 1: the API answered 404')
  // References were resolved from real responses, and the key went along each time.
  expect(requests).toContainEqual(
    expect.objectContaining({ method: 'GET', url: '/tides?latitude=54.5&longitude=9.1', status: 200 }),
  )
  expect(requests).toContainEqual(
    expect.objectContaining({ url: '/notes', status: 200, body: { to: 'Ina', lines: '12.5' } }),
  )
  expect(new Set(requests.map((one) => one.key))).toEqual(new Set([key]))
  expect(requests.filter(({ status }) => status === 429).length).toBeGreaterThan(2)
  expect(JSON.stringify(result)).not.toContain(key)

  const { text } = await caller.call('GET', `/v1/evaluations/${id}/recording`)
  expect(text).not.toContain(key)
  const { body } = await caller.call<{ id: string }>('POST', '/v1/recordings', { text })
  const before = [requests.length, model.requests.length]
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const again = await resultOf({ ...request, recording: body.id })
  expect(JSON.stringify(again.result)).toBe(JSON.stringify(result))
  expect([requests.length, model.requests.length]).toEqual(before)

  // Another model is answered by what was recorded: of the reference everything, of the first model not the
  // town that it got wrong.
  await suite.stop()
  suite = await started({})
  const other = { ...request, model: 'other' }
  const mocked = await resultOf(other)
  expect(passRates(mocked.result)).toEqual([null, 100])
  const full = await resultOf({ ...other, responses: [id, reference.id] })
  expect([full.result.overall.passed, passRates(full.result)]).toEqual([cases.length, [100, null]])
  const lacking = await resultOf({ ...other, responses: [body.id] })
  // Which samples are in the rate is not the answer's to say: what was not recorded counts as lost.
  expect(passRates(lacking.result)).toEqual([75, null])
  const all = lacking.result.measures!.find(
    ({ policy, group, name }) => [policy, group, name].join() === 'sound,form,executable',
  )!
  expect(all.values['Not run']).toBe(1)
  expect(all.brackets!['API execution pass rate, live (%)']).toEqual([75, 100])
  expect(JSON.stringify(presentation.sections!(lacking.result))).toMatch(
    /1 × call 1: not recorded: GET \/ports\?town=Husum of [\w.-]+ is not recorded/,
  )
  expect(requests.length).toBe(before[0])
})
