/**
 * The disk of the servers is full for a while during an evaluation. Services say so, take nothing on, and
 * lose nothing: when there is space again, everything ends with the bytes of an undisturbed run, and nothing
 * was started again. With STATEEVAL_LONG=1 it is full for longer, and several times.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { AuditEntry, EvaluationResource } from '@stateeval/contracts'
import {
  isLong,
  pickForRun,
  type ServerProcess,
  type Servers,
  serverProcess,
  type SmallDisk,
  startServers,
  startSmallDisk,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import '../packages/testkit/src/dialogue/register.ts'
import { failoverCaller } from './chaos/caller.ts'
import { type Outside, prepareWork, startOutside } from './chaos/work.ts'

const fullMs = pickForRun(3000, 20_000)
const times = pickForRun(1, 3)
/** Room for a set, its evaluations and JetStream’s own files. */
const diskMiB = 160

let folder: string
let disk: SmallDisk | null
const servers: ServerProcess[] = []
let suite: Suite
let worlds: Servers
let outside: Outside

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-full-disk-'))
  disk = await startSmallDisk(folder, diskMiB, (reason) =>
    console.info(`skipped: this system mounts no small disk: ${reason}`),
  )
  if (!disk) return
  for (const kind of ['mongodb', 'nats'] as const) {
    const server = await serverProcess(kind, { data: join(folder, kind), within: disk.within })
    await server.start()
    servers.push(server)
  }
  const [mongodb, nats] = servers
  const env = {
    MONGODB_URI: `mongodb://127.0.0.1:${mongodb!.port}`,
    NATS_URL: `nats://127.0.0.1:${nats!.port}`,
  }
  const nothing = async () => undefined
  // The databases of session-service's worlds are on another disk.
  worlds = await startServers()
  suite = await startSuite({
    env: { SESSIONS_MONGODB_URI: worlds.mongoUri },
    logLevel: process.env['STATEEVAL_CHAOS_LOG'] ? 'warn' : 'silent',
    servers: {
      ...{ mongoUri: env.MONGODB_URI, natsUrl: env.NATS_URL, env },
      ...{ kill: nothing, restart: nothing, stop: nothing },
    },
  })
  outside = await startOutside()
})
afterAll(async () => {
  await suite?.stop()
  await outside?.close()
  await worlds?.stop()
  for (const server of servers) await server.end()
  await disk?.close()
  await rm(folder, { recursive: true, force: true })
})

test('an evaluation that meets a full disk waits, and ends with the same bytes', async () => {
  if (!disk) return
  const { evaluation } = suite.urls
  const caller = failoverCaller(() => [evaluation!])
  const work = await prepareWork(caller, outside, { samples: pickForRun(6, 40) })
  const { text: expected } = await work.evaluate('answers')
  expect(expected).toMatch(/^\{/)
  const ready = async (name: string) => {
    const response = await fetch(`${suite.urls[name]}/health/ready`)
    return { status: response.status, text: await response.text() }
  }
  for (let round = 0; round < times; round++) {
    const id = await work.begin('answers')
    await until(async () => {
      const { progress } = await caller.call<EvaluationResource>('GET', `/v1/evaluations/${id}`)
      return progress.phase === 'evaluate' && progress.done > 0
    })
    await disk.fill()
    await until(async () => (await ready('evaluation')).status === 503)
    // The first ones may find room in files that the server has.
    let tries = 0
    const refused = await until(async () => {
      const response = await fetch(`${evaluation}/v1/models/new-${tries++}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm'.repeat(100) }),
      })
      return response.status === 507 ? response : null
    })
    expect([refused.status, await refused.json()]).toEqual([
      507,
      expect.objectContaining({
        type: 'urn:stateeval:problem:insufficient-storage',
        detail: expect.stringMatching(/full; free space on it/),
      }),
    ])
    await sleep(fullMs)
    const waiting = await caller.call<EvaluationResource>('GET', `/v1/evaluations/${id}`)
    if (isLong) expect(waiting.waiting).toMatch(/does not store/)
    await disk.free()
    const request = refused.headers.get('x-request-id')
    await until(async () => {
      const { items } = await caller.call<{ items: AuditEntry[] }>(
        'GET',
        '/v1/audit?outcome=failed&limit=500',
      )
      return items.some((entry) => entry.request === request && entry.problem === 'insufficient-storage')
    })
    expect(await work.result(id)).toEqual({ id, text: expected })
    await until(async () =>
      (await Promise.all(Object.keys(suite.urls).map(ready))).every(({ status }) => status === 200),
    )
    if (isLong) expect((await work.evaluate('answers')).text).toBe(expected)
  }
})
