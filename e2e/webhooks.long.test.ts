/**
 * Webhooks from end to end: the evaluation service is a process that is killed, receivers are HTTP servers
 * that verify with the libraries of Standard Webhooks and CloudEvents, and commands are those that people
 * type.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type Delivery, evaluationOperations, type Webhook as Resource } from '@stateeval/contracts'
import {
  freePort,
  namespace,
  type Servers,
  type ServiceProcess,
  startProcess,
  startServers,
  stateeval,
  until,
} from '@stateeval/testkit'
import { type CloudEventV1, HTTP } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { getServiceVariable } from '../apps/cli/src/local/home.ts'

const variable = getServiceVariable('evaluation')

interface Received {
  headers: IncomingHttpHeaders
  body: string
}
type Reply = { status: number; headers?: Record<string, string> } | 'silence'

/** A receiver; what it answers can be changed while it runs. */
interface Receiver {
  all: Received[]
  reply: (received: Received) => Reply
  url: string
  close: () => Promise<unknown>
}
async function startReceiver(
  port = 0,
  reply: Receiver['reply'] = () => ({ status: 204 }),
): Promise<Receiver> {
  const all: Received[] = []
  const receiver: Receiver = { all, reply, url: '', close: async () => undefined }
  const server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const received = { headers: request.headers, body }
      all.push(received)
      const answer = receiver.reply(received)
      if (answer !== 'silence')
        response.writeHead(answer.status, answer.headers).end('a secret of the receiver')
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  receiver.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  receivers.push(receiver)
  return receiver
}
const receivers: Receiver[] = []

let servers: Servers
let service: ServiceProcess
let log = ''
/** All that was answered but a secret. */
let answers = ''
const secrets: string[] = []

beforeAll(async () => {
  servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_WEBHOOK_NETWORKS: '127.0.0.1',
    STATEEVAL_WEBHOOK_RETRY_SECONDS: '0,0,0.2',
    LOG_LEVEL: 'trace',
  }
  service = await startProcess('evaluation', env, (text) => (log += text))
  process.env[variable] = service.url
})
afterEach(async () => {
  for (const { id } of await printed<Resource[]>('webhooks')) await stateeval('webhooks', 'delete', id)
  for (const receiver of receivers.splice(0)) await receiver.close()
})
afterAll(async () => {
  Reflect.deleteProperty(process.env, variable)
  await service?.kill()
  await servers?.stop()
})

async function printed<T>(...args: string[]): Promise<T> {
  const { code, err, out, value } = await stateeval(...args, '--json')
  expect([args, code, err]).toEqual([args, 0, ''])
  if (!out.includes('"secret"')) answers += out
  return value as T
}
async function create(url: string, ...more: string[]): Promise<Resource & { secret: string }> {
  const created = await printed<Resource & { secret: string }>('webhooks', 'create', '--url', url, ...more)
  secrets.push(created.secret)
  return created
}
async function call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await response.text()
  answers += text
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T }
}
const eventIn = ({ headers, body }: Received) =>
  HTTP.toEvent({ headers, body }) as CloudEventV1<{ id: string; status: string }>
/** Verifies as a receiver does; the official libraries throw where a signature or an event is wrong. */
function verified({ all }: Receiver, secret: string) {
  return all.map((received) => {
    new Webhook(secret).verify(received.body, received.headers as Record<string, string>)
    return eventIn(received)
  })
}
const deliveriesOf = (id: string) => printed<Delivery[]>('webhooks', 'deliveries', id)
const endedDelivery = (id: string) =>
  until(async () => {
    const [first] = await deliveriesOf(id)
    return first?.finishedAt === undefined ? null : first
  })

async function importSet(): Promise<string> {
  const { body } = await call<{ id: string }>(
    'POST',
    '/v1/benchmarks/import',
    evaluationOperations.importBenchmark.example,
  )
  return body.id
}
/** No other service runs, so that it lasts until it is cancelled. */
async function begin(benchmark: string): Promise<string> {
  const { status, body } = await call<{ id: string }>('POST', '/v1/evaluations', {
    benchmark,
    model: 'reference',
  })
  expect(status).toBe(202)
  return body.id
}

test('each change arrives as a signed CloudEvent, through refusals and a redirect, and the log says how', async () => {
  const receiver = await startReceiver()
  const elsewhere = await startReceiver()
  const { id, secret } = await create(receiver.url, '--description', 'of a test')
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  // The first is refused once, then redirected.
  receiver.reply = () =>
    receiver.all.length === 1
      ? { status: 503 }
      : receiver.all.length === 2
        ? { status: 307, headers: { location: elsewhere.url } }
        : { status: 200 }
  const benchmark = await importSet()
  await until(() => elsewhere.all.length === 1)
  const evaluation = await begin(benchmark)
  await call('POST', `/v1/evaluations/${evaluation}/cancel`)
  await call('POST', `/v1/evaluations/${evaluation}/resume`)
  await call('POST', `/v1/evaluations/${evaluation}/cancel`)
  expect((await call('DELETE', `/v1/evaluations/${evaluation}`)).status).toBe(204)
  await until(() => receiver.all.length === 7)

  const events = [...verified(elsewhere, secret), ...verified(receiver, secret).slice(2)]
  expect(events.map(({ type, subject, data }) => [type, subject, data?.status]).sort()).toEqual(
    [
      ['stateeval.benchmark.succeeded', benchmark, 'succeeded'],
      ['stateeval.evaluation.started', evaluation, 'running'],
      ['stateeval.evaluation.cancelled', evaluation, 'cancelled'],
      ['stateeval.evaluation.resumed', evaluation, 'running'],
      ['stateeval.evaluation.cancelled', evaluation, 'cancelled'],
      ['stateeval.evaluation.deleted', evaluation, 'deleted'],
    ].sort(),
  )
  expect(new Set(events.map((event) => event.id)).size).toBe(6)
  expect(events[0]).toMatchObject({ specversion: '1.0', source: '/v1/projects/default', project: 'default' })
  // The three requests of one event have one id.
  const [first, second] = receiver.all
  expect(new Set([first, second, elsewhere.all[0]].map((one) => one!.headers['webhook-id'])).size).toBe(1)

  const deliveries = await until(async () => {
    const all = await deliveriesOf(id)
    return all.every(({ status }) => status === 'delivered') ? all : null
  })
  expect(deliveries).toHaveLength(6)
  expect(deliveries[0]!.attempts).toEqual([
    { at: expect.any(String), ms: expect.any(Number), status: 503, error: 'answered 503' },
    { at: expect.any(String), ms: expect.any(Number), status: 204 },
  ])
  const { body: detail } = await call<{ body: string }>('GET', deliveries[0]!.links['self']!)
  expect(detail.body).toBe(first!.body)
  expect(answers).not.toContain('a secret of the receiver')
})

test('after a rotation both secrets sign until the overlap is over; commands filter, pause and send again', async () => {
  const receiver = await startReceiver()
  const { id, secret: before } = await create(receiver.url, '--events', 'stateeval.evaluation.failed')
  const rotated = await printed<Resource & { secret: string }>('webhooks', 'rotate', id, '--overlap', '1')
  secrets.push(rotated.secret)
  expect(rotated.secrets).toEqual([
    { createdAt: expect.any(String) },
    { createdAt: expect.any(String), validUntil: expect.any(String) },
  ])
  await printed('webhooks', 'ping', id)
  await until(() => receiver.all.length === 1)
  for (const secret of [before, rotated.secret])
    expect(verified(receiver, secret)[0]).toMatchObject({ type: 'stateeval.webhook.ping', subject: id })
  const last = await printed<{ secret: string }>('webhooks', 'rotate', id, '--overlap', '0')
  secrets.push(last.secret)
  const { id: delivery } = await endedDelivery(id)
  await printed('webhooks', 'redeliver', id, delivery)
  await until(() => receiver.all.length === 2)
  receiver.all.shift()
  expect(() => verified(receiver, rotated.secret)).toThrow()
  verified(receiver, last.secret)
  // It asked for failures only.
  const evaluation = await begin(await importSet())
  await call('POST', `/v1/evaluations/${evaluation}/cancel`)
  expect(await deliveriesOf(id)).toHaveLength(1)
  expect((await stateeval('webhooks', 'pause', id)).out).toContain('status: paused')
  expect((await stateeval('webhooks', 'ping', id)).err).toContain(
    `make it active: \`npx stateeval webhooks resume ${id}\``,
  )
  expect((await stateeval('webhooks', 'show', id)).out).toMatch(/^url: /m)
  expect((await stateeval('webhooks')).out).toContain('paused')
})

test('a receiver that is gone is not asked again; one that never answers well has failed after all attempts', async () => {
  const gone = await startReceiver(0, () => ({ status: 410 }))
  const broken = await startReceiver(0, () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } }))
  const { id } = await create(gone.url)
  await printed('webhooks', 'ping', id)
  expect(await endedDelivery(id)).toMatchObject({ status: 'failed', attempts: [{ status: 410 }] })
  const paused = await printed<Resource>('webhooks', 'show', id)
  expect(paused).toMatchObject({ status: 'paused', pausedBecause: 'the receiver answered 410 (gone)' })
  const { id: other } = await create(broken.url)
  await printed('webhooks', 'ping', other)
  const failed = await endedDelivery(other)
  expect(failed.status).toBe('failed')
  expect(failed.attempts.map(({ status }) => status)).toEqual([302, 302, 302, 302])
  expect((await stateeval('webhooks', 'deliveries', other)).out).toContain('only 307 and 308 are followed')
})

test('no address but those that a setting allows is asked: as the URL, as what a name stands for, as a redirect', async () => {
  for (const url of [
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://metadata/',
  ])
    expect(await call('POST', '/v1/webhooks', { url })).toMatchObject({
      status: 422,
      body: { field: '/url' },
    })
  const { body } = await call<{ detail: string }>('POST', '/v1/webhooks', { url: 'http://192.168.1.1/' })
  expect(body.detail).toContain('STATEEVAL_WEBHOOK_NETWORKS')
  for (const url of ['ftp://example.com/', 'http://user@example.com/', 'nonsense', 'http://a.com/#b'])
    expect(await call('POST', '/v1/webhooks', { url })).toMatchObject({ status: 422 })
  const receiver = await startReceiver(0, () => ({ status: 308, headers: { location: 'http://[::1]:9/' } }))
  const { id } = await create(receiver.url)
  await printed('webhooks', 'ping', id)
  const first = await until(async () => (await deliveriesOf(id))[0]?.attempts[0])
  expect(first.error).toMatch(/^the redirect is not allowed: ::1 is a loopback address/)
})

test('killed with kill -9, before and during an attempt: the event arrives, under the same id', async () => {
  const port = await freePort()
  const { id, secret } = await create(`http://127.0.0.1:${port}/hook`)
  // Nobody listens there yet, and the attempts of now are used up by nobody: the kill comes with the first.
  const receiver = await startReceiver(port, () => 'silence')
  const evaluation = await begin(await importSet())
  const started = (one: Received) => eventIn(one).type === 'stateeval.evaluation.started'
  await until(() => receiver.all.some(started))
  await service.kill()
  receiver.reply = () => ({ status: 204 })
  await service.start()
  await until(() => receiver.all.filter(started).length >= 2)
  await call('POST', `/v1/evaluations/${evaluation}/cancel`)
  await until(() => receiver.all.some((one) => eventIn(one).type === 'stateeval.evaluation.cancelled'))
  verified(receiver, secret)
  expect(new Set(receiver.all.filter(started).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await until(async () => (await deliveriesOf(id)).every(({ status }) => status === 'delivered'))
})

test('secrets are in no log and no later answer, and every change is in the audit log', async () => {
  expect(secrets.length).toBeGreaterThan(5)
  for (const secret of secrets) {
    expect(log).not.toContain(secret)
    expect(answers).not.toContain(secret)
    expect(log).not.toContain(secret.slice('whsec_'.length))
  }
  const operations = (await printed<{ operation: string }[]>('audit')).map(({ operation }) => operation)
  for (const one of ['createWebhook', 'rotateWebhookSecret', 'updateWebhook', 'redeliver', 'deleteWebhook'])
    expect(operations).toContain(one)
})
