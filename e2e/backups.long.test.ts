/**
 * A restored backup is an import from a stranger. Whatever somebody changed in it, the restore is refused and
 * names the document, or it harms nobody: other projects work on, services answer, and everything that was
 * restored can be read to its end.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  backupCollections,
  type BackupPage,
  type BenchmarkResource,
  type CollectionName,
  type EvaluationResource,
  evaluationOperations,
  type Problem,
  type Report,
} from '@stateeval/contracts'
import { runInProject, type RunningService } from '@stateeval/service-kit'
import {
  pickForRun,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import fc from 'fast-check'
import type { EvaluationContext } from '../services/evaluation/src/context.ts'
import { type Backup, choices, mutated } from './backups/mutate.ts'
import { everyOperation, type Operation, pathOf, placesOf, queryOf } from './every-operation.ts'

const runs = pickForRun(5, 500)
const adminKey = 'an-admin-key-that-is-long-enough-for-a-test'
let suite: Suite
let model: ScriptedModel
/** The backup of a project that has something of every kind. */
let backup: Backup
/** Ids of another project, and its set. */
let foreign: string[]
let victimKey: string
let victimSet: string

const context = () => (suite.services['evaluation'] as RunningService<EvaluationContext>).context
async function send(key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${suite.urls['evaluation']}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}
async function ask<T>(key: string, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await send(key, method, path, body)
  expect([path, status, status < 300 || text]).toEqual([path, status, true])
  return (text === '' ? null : JSON.parse(text)) as T
}
async function ended<T extends { status: string }>(key: string, path: string): Promise<T> {
  return until(
    async () => {
      const one = await ask<T>(key, 'GET', path)
      return one.status === 'queued' || one.status === 'running' ? null : one
    },
    { everyMs: 200 },
  )
}
async function evaluated(key: string, request: object): Promise<EvaluationResource> {
  const { id } = await ask<EvaluationResource>(key, 'POST', '/v1/evaluations', request)
  const end = await ended<EvaluationResource>(key, `/v1/evaluations/${id}`)
  expect(end).toMatchObject({ status: 'succeeded' })
  return end
}
async function built(key: string, seed: number): Promise<BenchmarkResource> {
  const { id } = await ask<BenchmarkResource>(key, 'POST', '/v1/benchmarks', {
    build: { scenario: 'session-service', programs: 3, keep: 2, seed, languages: ['javascript'] },
  })
  const end = await ended<BenchmarkResource>(key, `/v1/benchmarks/${id}`)
  expect(end).toMatchObject({ status: 'succeeded' })
  return end
}
async function projectWithKey(id: string): Promise<string> {
  const { access, now } = context().platform
  await access.projects.create({ _id: id, name: id, createdAt: now() })
  const { text } = await access.keys.create({
    ...{ name: 'test', project: id, scopes: ['admin'], createdAt: now(), createdBy: 'test' },
  })
  return text
}

async function backedUp(key: string, project: string): Promise<Backup> {
  const all = new Map<CollectionName, string[]>()
  for (const name of backupCollections) {
    const lines: string[] = []
    for (let cursor: string | undefined; ;) {
      const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`
      const page = await ask<BackupPage>(key, 'GET', `/v1/projects/${project}/backup/${name}${query}`)
      lines.push(...page.items)
      if (page.next === undefined) break
      cursor = page.next
    }
    all.set(name, lines)
  }
  return all
}
/** Null if all was restored, else the refusal. */
async function restored(
  key: string,
  project: string,
  what: Backup,
): Promise<{ status: number; text: string } | null> {
  for (const [collection, documents] of what)
    for (let at = 0; at < documents.length; at += 100) {
      const body = { collection, documents: documents.slice(at, at + 100) }
      const answer = await send(key, 'POST', `/v1/projects/${project}/restore`, body)
      if (answer.status !== 200) return answer
    }
  return null
}

beforeAll(async () => {
  suite = await startSuite({
    env: { STATEEVAL_ADMIN_KEY: adminKey, STATEEVAL_WEBHOOK_NETWORKS: 'loopback' },
    logLevel: process.env['LOG_LEVEL'] ?? 'silent',
  })
  await Promise.all(Object.values(suite.services).map((service) => service.platform.bus.ready()))
  model = await startScriptedModel(({ model: name }) =>
    name === 'hangs' ? { hang: true } : { say: '```javascript\nRESULT = { wrong: 1 }\n```' },
  )
  victimKey = await projectWithKey('victim')
  const example = evaluationOperations.importBenchmark.example
  victimSet = (await ask<BenchmarkResource>(victimKey, 'POST', '/v1/benchmarks/import', example)).id
  foreign = [victimSet, (await evaluated(victimKey, { benchmark: victimSet, model: 'reference' })).id]

  const key = await projectWithKey('origin')
  for (const name of ['wrong', 'hangs'])
    await ask(key, 'PUT', `/v1/models/${name}`, { baseUrl: model.baseUrl, model: name })
  const { id: benchmark } = await built(key, 1)
  await ask(key, 'POST', '/v1/benchmarks/import', example)
  const first = await evaluated(key, { benchmark, model: 'reference', tags: ['a'] })
  const second = await evaluated(key, {
    ...{
      benchmark,
      model: 'wrong',
      samples: 2,
      prompting: 'reflect',
      secondOpinion: 'wrong',
      budget: { tokens: 1e6 },
    },
  })
  const { items } = await ask<{ items: { id: string }[] }>(key, 'GET', `/v1/benchmarks/${benchmark}/cases`)
  await evaluated(key, { benchmark, answers: [{ case: items[0]!.id, answer: 'none' }] })
  const { text } = await send(key, 'GET', `/v1/evaluations/${second.id}/recording`)
  const recording = await ask<{ id: string }>(key, 'POST', '/v1/recordings', { text })
  await evaluated(key, { benchmark, recording: recording.id, samples: 2, prompting: 'reflect' })
  await ask(key, 'POST', '/v1/comparisons', { evaluations: [first.id, second.id].slice(0, 2) })
  const waiting = await ask<EvaluationResource>(key, 'POST', '/v1/evaluations', { benchmark, model: 'hangs' })
  await until(() => model.requests.some((one) => one.model === 'hangs'))
  await ask(key, 'POST', '/v1/worlds', evaluationOperations.createWorldModel.example)
  await ask(key, 'POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
  const stream = await ask<{ id: string }>(
    key,
    'POST',
    '/v1/streams',
    evaluationOperations.createStream.example,
  )
  await ask(key, 'POST', '/v1/streams', { options: { scenario: 'session-service' }, purpose: 'held-out' })
  await runInProject('origin', async () => {
    await context().environment.documents.blockDigests.put(`${stream.id}/b00000000`, first.digest)
    const decision = { decision: 'accept' as const, by: 'a', because: 'b', at: first.createdAt }
    await context().collections.reviews.put(`${benchmark}/${items[0]!.id}#0001`, decision)
  })
  backup = await backedUp(key, 'origin')
  expect([...backup].filter(([, lines]) => lines.length === 0)).toEqual([])
  await ask(key, 'POST', `/v1/evaluations/${waiting.id}/cancel`)
})
afterAll(async () => {
  await suite?.stop()
  await model?.close()
})

/** Ids of what a project has, by the places of paths. */
async function placesIn(key: string): Promise<Record<string, string[]>> {
  const of = async (path: string, name = 'id') => {
    const { items } = await ask<{ items: Record<string, string>[] }>(key, 'GET', path)
    return items.flatMap((one) => one[name] ?? [])
  }
  return {
    'benchmarks/id': await of('/v1/benchmarks'),
    'evaluations/id': await of('/v1/evaluations'),
    'comparisons/id': await of('/v1/comparisons'),
    'streams/id': await of('/v1/streams'),
    'webhooks/id': await of('/v1/webhooks'),
    'models/name': await of('/v1/models', 'name'),
    'worlds/digest': await of('/v1/worlds', 'digest'),
    'files/file': ['manifest.json', 'cases.jsonl'],
    'samples/place': ['0', '1'],
  }
}
const readings = everyOperation.filter(
  // Tasks of a stream are made on demand, which takes long and reads nothing that was restored.
  ({ service, method, path }) => service === 'evaluation' && method === 'GET' && !path.includes('/tasks/'),
)

const isStreamed = ({ success }: Operation) =>
  Object.values(success).some(({ contentType }) => contentType === 'application/jsonl')

/** Reads everything of a project; gives what no contract allows. */
async function faultsOfReading(key: string, project: string): Promise<string[]> {
  const places = await placesIn(key)
  const faults: string[] = []
  const cases = async (benchmark: string) => {
    const { status, text } = await send(key, 'GET', `/v1/benchmarks/${benchmark}/cases`)
    return status === 200 ? (JSON.parse(text) as { items: { id: string }[] }).items.map(({ id }) => id) : []
  }
  const values: Record<string, string>[] = []
  for (const benchmark of places['benchmarks/id']!)
    for (const one of [...(await cases(benchmark)), 'none'])
      values.push({ 'benchmarks/id': benchmark, 'cases/case': one })
  for (const [place, all] of Object.entries(places)) for (const value of all) values.push({ [place]: value })
  for (const evaluation of places['evaluations/id']!)
    for (const place of ['0', '3']) values.push({ 'evaluations/id': evaluation, 'samples/place': place })
  for (const benchmark of places['benchmarks/id']!)
    for (const file of places['files/file']!) values.push({ 'benchmarks/id': benchmark, 'files/file': file })
  values.push({ 'projects/id': project })
  const seen = new Set<string>()
  for (const operation of readings)
    for (const value of values.length > 0 ? values : [{}]) {
      if (!placesOf(operation.path).every((place) => value[place] !== undefined)) continue
      const path = pathOf(operation, value) + queryOf(operation)
      if (seen.has(path)) continue
      seen.add(path)
      const { status, text } = await send(key, 'GET', path).catch((error: unknown) => {
        // A list that has begun can only break off where one of its documents is missing.
        if (isStreamed(operation) && /terminated/.test(String(error))) return { status: 200, text: '' }
        throw new Error(`${path}: ${String(error)}`)
      })
      const isNamed = status < 500 || !(JSON.parse(text) as Problem).detail.startsWith('internal error')
      if (!isNamed) faults.push(`${path} ${status} ${text}`)
    }
  return faults
}

test('a backup that nobody changed is restored whole, with what it names and nothing that runs', async () => {
  const key = await projectWithKey('same')
  expect(await restored(key, 'same', backup)).toBeNull()
  expect(await faultsOfReading(key, 'same')).toEqual([])
  const again = await backedUp(key, 'same')
  const { items } = await ask<{ items: EvaluationResource[] }>(key, 'GET', '/v1/evaluations')
  expect(items.map(({ status }) => status).sort()).toEqual([
    'cancelled',
    ...Array.from({ length: 4 }, () => 'succeeded'),
  ])
  for (const name of backupCollections)
    if (name !== 'evaluation.evaluations') expect([name, again.get(name)]).toEqual([name, backup.get(name)])
  const stopped = items.find(({ status }) => status === 'cancelled')!
  expect(stopped.error).toMatch(/running when it was backed up; resume it/)
  await ask(key, 'POST', `/v1/evaluations/${stopped.id}/resume`, {})
  await ask(key, 'POST', `/v1/evaluations/${stopped.id}/cancel`)
})

test(`${runs} changed backups are refused with the document and the field, or do no harm`, async () => {
  let [refusals, accepted, n] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(choices, async (choice) => {
      const changed = mutated(backup, choice, foreign)
      fc.pre(changed !== null)
      const project = `p${n++}`
      const key = await projectWithKey(project)
      try {
        const refusal = await restored(key, project, changed)
        if (refusal) {
          refusals++
          const { status, detail, field } = JSON.parse(refusal.text) as Problem
          expect(status).toBeGreaterThanOrEqual(400)
          expect(status).toBeLessThan(500)
          expect(detail).toMatch(/^document \d+ of [a-z.-]+|another document|^body/)
          expect(field).toMatch(/^\/documents\/\d+/)
        } else {
          accepted++
          expect(await faultsOfReading(key, project)).toEqual([])
          // What was stopped may be resumed, and everything may be deleted.
          const places = await placesIn(key)
          for (const id of places['evaluations/id']!) {
            expect((await send(key, 'POST', `/v1/evaluations/${id}/resume`, {})).status).toBeLessThan(500)
            await send(key, 'POST', `/v1/evaluations/${id}/cancel`)
            expect((await send(key, 'DELETE', `/v1/evaluations/${id}`)).status).toBeLessThan(500)
          }
          for (const id of places['benchmarks/id']!)
            expect((await send(key, 'DELETE', `/v1/benchmarks/${id}`)).status).toBeLessThan(500)
        }
        expect((await send(victimKey, 'GET', `/v1/benchmarks/${victimSet}/cases`)).status).toBe(200)
      } finally {
        await context().platform.access.projects.close(project, new Date())
      }
    }),
    { numRuns: runs, endOnFailure: true, seed: 37 },
  )
  process.stderr.write(`${refusals} refused, ${accepted} without harm\n`)
  expect(refusals).toBeGreaterThan(runs / 4)
  const { id } = await evaluated(victimKey, { benchmark: victimSet, model: 'reference' })
  const { result } = await ask<Report>(victimKey, 'GET', `/v1/evaluations/${id}/report`)
  expect(result.overall).toMatchObject({ passed: 1, scored: 1 })
})
