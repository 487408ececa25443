/**
 * A project's life, on all services and real servers: whatever may change something leaves an entry in the
 * audit log; a backup that is restored gives an equal result; a deleted project leaves nothing in any
 * collection.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type AuditEntry,
  backupCollections,
  type BackupPage,
  type BenchmarkResource,
  type EvaluationResource,
  isAudited,
  type Report,
  sha256,
} from '@stateeval/contracts'
import { describeServices, freePort, startSuite, type Suite, until } from '@stateeval/testkit'
import { removeClosedProjects } from '@stateeval/administration'

const adminKey = 'an-admin-key-that-is-long-enough-for-a-test'
let suite: Suite
beforeAll(async () => {
  suite = await startSuite({
    env: { STATEEVAL_ADMIN_KEY: adminKey, STATEEVAL_WEBHOOK_NETWORKS: 'loopback' },
    logLevel: 'error',
  })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
})
afterAll(() => suite?.stop())

const platform = () => suite.services['evaluation']!.platform
async function call<T>(key: string, method: string, path: string, body?: object) {
  const response = await fetch(`${suite.urls['evaluation']}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /[/+]json(;|$)/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, body: (isJson ? JSON.parse(text) : null) as T, text }
}
async function get<T>(key: string, path: string): Promise<T> {
  const { status, body } = await call<T>(key, 'GET', path)
  expect([path, status, status === 200 || body]).toEqual([path, 200, true])
  return body
}
async function ended<T extends { id: string; status: string }>(key: string, path: string, body: object) {
  const begun = await call<T>(key, 'POST', path, body)
  expect([begun.status, begun.status === 202 || begun.text]).toEqual([202, true])
  const now = async () => {
    const one = await get<T>(key, `${path}/${begun.body.id}`)
    return one.status === 'queued' || one.status === 'running' ? null : one
  }
  const end: T = await until(now, { withinMs: 500_000, everyMs: 200 })
  expect(end).toMatchObject({ status: 'succeeded' })
  return end
}
async function projectWithKey(id: string): Promise<string> {
  const { access, now } = platform()
  await access.projects.create({ _id: id, name: id, createdAt: now() })
  const { text } = await access.keys.create({
    ...{ name: 'test', project: id, scopes: ['admin'], createdAt: now(), createdBy: 'test' },
  })
  return text
}
/** Every document of the database as text, by collection, but those that only show that it stores. */
async function everything(): Promise<Map<string, string[]>> {
  const { db } = platform().mongo
  const all = new Map<string, string[]>()
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.endsWith('.probes')) continue
    const documents = await db.collection(name).find().sort({ _id: 1 }).toArray()
    if (documents.length > 0)
      all.set(
        name,
        documents.map((document) => JSON.stringify(document)),
      )
  }
  return all
}

test('every operation that may change something, or hands out a backup, leaves one entry, refused ones too; none has a secret', async () => {
  const key = await projectWithKey('walked')
  const audited = (await describeServices()).flatMap(({ name, operations }) =>
    Object.entries(operations)
      .filter(([, operation]) => isAudited(operation))
      .map(([id, operation]) => ({ service: name, id, ...operation })),
  )
  expect(audited.length).toBeGreaterThan(20)
  expect(audited.flatMap(({ id, method }) => (method === 'GET' ? [id] : [])).sort()).toEqual([
    'getBackup',
    'listBackup',
  ])
  const requests: string[] = []
  for (const { service, id, method, path, body } of audited) {
    // Nothing is of this id, and no body fits: what is refused is recorded all the same.
    const url = path.replace(':sha256', sha256('')).replace(/:\w+/g, '0')
    const response = await suite.services[service]!.app.inject({
      method,
      url: `${url}?secret=hunter2`,
      headers: {
        authorization: `Bearer ${key}`,
        cookie: 'session=hunter2',
        'x-request-id': `walk-${service}-${id}`,
      },
      ...(body && { payload: { nonsense: 'hunter2' } }),
    })
    requests.push(`${service} ${id} ${response.statusCode}`)
  }
  const entries = (await get<{ items: AuditEntry[] }>(key, '/v1/audit?limit=500')).items
  expect(entries.map(({ service, operation, status }) => `${service} ${operation} ${status}`).sort()).toEqual(
    requests.sort(),
  )
  for (const entry of entries)
    expect(entry).toMatchObject({
      project: 'walked',
      subject: expect.stringMatching(/^key:/),
      from: '127.0.0.1',
      request: `walk-${entry.service}-${entry.operation}`,
    })
  const text = (await everything()).get('walked@audit')!.join()
  for (const secret of ['hunter2', key, key.replace(/^[^_]*_[^_]*_/, '')]) expect(text).not.toContain(secret)
  // Filters, pages, export.
  const refused = await get<{ items: AuditEntry[] }>(
    key,
    '/v1/audit?operation=createEvaluation&outcome=refused',
  )
  expect(refused.items.map(({ operation }) => operation)).toEqual(['createEvaluation'])
  const first = await get<{ items: AuditEntry[]; next: string }>(key, '/v1/audit?limit=3')
  const second = await get<{ items: AuditEntry[] }>(key, `/v1/audit?limit=500&cursor=${first.next}`)
  expect([...first.items, ...second.items]).toEqual(entries)
  const lines = (await call(key, 'GET', '/v1/audit/export')).text.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as AuditEntry)).toEqual(entries)
  expect((await get<{ items: AuditEntry[] }>(key, `/v1/audit?until=${entries[0]!.at}`)).items).toEqual([])
  // Who is not let in is recorded for operators.
  expect((await call('wrong', 'POST', '/v1/evaluations', {})).status).toBe(401)
  const outside = await get<{ items: AuditEntry[] }>(adminKey, '/v1/audit?subject=unknown')
  expect(outside.items).toEqual([
    expect.objectContaining({
      operation: 'createEvaluation',
      status: 401,
      outcome: 'refused',
      project: 'default',
    }),
  ])
})

test('a backup that is restored gives an equal result; a deleted project leaves nothing, also after a crash', async () => {
  const before = await everything()
  const acme = await projectWithKey('acme')
  // Nobody listens there: its deliveries are tried until the project is deleted.
  const url = `http://127.0.0.1:${await freePort()}/acme`
  const hook = await call<{ id: string }>(acme, 'POST', '/v1/webhooks', { url })
  expect(hook.status).toBe(201)
  const set = await ended<BenchmarkResource & { status: string }>(acme, '/v1/benchmarks', {
    build: { scenario: 'session-service', programs: 6, keep: 2, seed: 1 },
  })
  const evaluation = await ended<EvaluationResource>(acme, '/v1/evaluations', {
    benchmark: set.id,
    model: 'reference',
  })
  const { result } = await get<Report>(acme, `/v1/evaluations/${evaluation.id}/report`)
  expect(result.overall).toMatchObject({ passed: 2, scored: 2 })

  const deliveries = `/v1/webhooks/${hook.body.id}/deliveries`
  await until(async () => (await get<{ items: object[] }>(acme, deliveries)).items.length > 0)

  const copy = await projectWithKey('copy')
  const { items: collections } = await get<{ items: { name: string; documents: number }[] }>(
    acme,
    '/v1/projects/acme/backup',
  )
  expect(collections.map(({ name }) => name)).toEqual([...backupCollections])
  for (const { name, documents } of collections) {
    let count = 0
    for (let cursor: string | undefined; ;) {
      const page = await get<BackupPage>(
        acme,
        `/v1/projects/acme/backup/${name}${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
      )
      count += page.items.length
      const put = () =>
        call<{ inserted: number; present: number }>(copy, 'POST', '/v1/projects/copy/restore', {
          collection: name,
          documents: page.items,
        })
      const counts = { inserted: 0, present: 0, leftOut: 0 }
      expect([name, (await put()).body]).toEqual([name, { ...counts, inserted: page.items.length }])
      expect([name, (await put()).body]).toEqual([name, { ...counts, present: page.items.length }])
      if (page.next === undefined) break
      cursor = page.next
    }
    // What nothing in the backup names is no part of it.
    if (name === 'artifacts') expect(count).toBeLessThan(documents)
    else expect([name, count]).toEqual([name, documents])
  }
  const restored = await get<Report>(copy, `/v1/evaluations/${evaluation.id}/report`)
  expect(JSON.stringify(restored.result)).toBe(JSON.stringify(result))
  // Keys and secrets of the installation are nobody's to read or to write, whatever project they ask for.
  for (const [key, project] of [
    [adminKey, 'default'],
    [adminKey, 'acme'],
    [acme, 'acme'],
  ] as const)
    for (const collection of ['access.keys', 'access.secrets', 'access.projects']) {
      const read = await call(key, 'GET', `/v1/projects/${project}/backup/${collection}`)
      const written = await call(key, 'POST', `/v1/projects/${project}/restore`, {
        ...{ collection, documents: ['{"_id":"forged"}'] },
      })
      expect([project, collection, read.status, written.status]).toEqual([project, collection, 400, 400])
    }
  const torn = { collection: 'artifacts', documents: ['{"_id":1}'] }
  expect((await call(copy, 'POST', '/v1/projects/copy/restore', torn)).status).toBe(422)

  // Nobody manages what is not theirs.
  for (const [method, path] of [
    ['GET', '/v1/projects/acme/backup'],
    ['DELETE', '/v1/projects/acme'],
  ] as const)
    expect((await call(copy, method, path)).status).toBe(404)
  expect((await call(adminKey, 'DELETE', '/v1/projects/default')).status).toBe(409)

  // One is deleted over HTTP; of the other, whoever deleted it died right after saying so: the sweep goes on.
  expect((await call(adminKey, 'DELETE', '/v1/projects/acme')).status).toBe(204)
  expect((await call(acme, 'GET', '/v1/evaluations')).status).toBe(401)
  await platform().access.projects.close('copy', new Date())
  await until(async () => (await platform().access.projects.closed()).length === 0)
  // What a job in flight writes late is removed, too.
  await platform().mongo.db.collection<{ _id: string }>('acme@execution.outcomes').insertOne({ _id: 'late' })
  await removeClosedProjects(platform(), new AbortController().signal)

  const after = await everything()
  // Who deleted it, how many requests that took, that its id is taken, and the key that seals the secrets of
  // webhooks is the installation's to know.
  for (const collection of ['audit', 'usage', 'access.project-closings', 'access.secrets']) {
    before.delete(collection)
    after.delete(collection)
  }
  expect([...after.keys()].filter((name) => /^(acme|copy)@/.test(name))).toEqual([])
  expect([...after].filter(([, documents]) => documents.some((text) => /acme|"copy"/.test(text)))).toEqual([])
  // What other projects used is written a second later.
  const settled = (all: Map<string, string[]>) =>
    [...all].filter(([name]) => !/^access\.key-uses$|@usage$/.test(name)).sort()
  expect(settled(after)).toEqual(settled(before))
})
