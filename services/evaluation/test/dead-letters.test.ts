/**
 * Jobs that are given up while an evaluation waits for them: listed, read, queued again; the evaluation goes
 * on and ends.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import {
  type DeadLetter,
  type DeadLetterDetail,
  evaluationOperations as operations,
  type EvaluationResource,
  type InstallationState,
  type DiscardedAll,
  type RedrivenAll,
  subjects,
} from '@stateeval/contracts'
import { runInProject } from '@stateeval/service-kit'
import { answerFault, type Servers, startServers, until } from '@stateeval/testkit'
import { parseStep } from '@stateeval/workflow'
import type { EvaluationContext } from '../src/context.ts'
import { type FakedOptions, startWithFakes, type WithFakes } from './fake-services.ts'

let servers: Servers
let world: WithFakes
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers?.stop())
afterEach(() => world?.stop())

async function call<T>(id: keyof typeof operations, path: string, body?: object) {
  const response = await world.running.app.inject({
    method: operations[id].method,
    url: path,
    ...(body && { payload: body }),
  })
  expect(answerFault(operations, id, response)).toBeNull()
  return { status: response.statusCode, body: response.json<T>() }
}
const letters = async (query = '') =>
  (await call<{ items: DeadLetter[]; next?: string }>('listDeadLetters', `/v1/dead-letters${query}`)).body
async function ended(id: string): Promise<EvaluationResource> {
  const now = async () => {
    const { body } = await call<EvaluationResource>('getEvaluation', `/v1/evaluations/${id}`)
    return body.status === 'running' ? null : body
  }
  return until(now)
}

async function begin(options: FakedOptions): Promise<EvaluationResource> {
  world = await startWithFakes(servers, { sweepEveryMs: 300, ...options })
  const build = { scenario: 'session-service', programs: 12, keep: 4, seed: 1 }
  const { body: set } = await call<{ id: string }>('createBenchmark', '/v1/benchmarks', { build })
  await until(
    async () =>
      (await call<{ status: string }>('getBenchmark', `/v1/benchmarks/${set.id}`)).body.status ===
      'succeeded',
  )
  const request = { benchmark: set.id, model: 'reference' }
  return (await call<EvaluationResource>('createEvaluation', '/v1/evaluations', request)).body
}

test('a sample whose job was given up is scored once that job is queued again', async () => {
  const mended = new Set<string>()
  const evaluation = await begin({
    async disturb(kind, id) {
      // Of one sample no try succeeds, but for the very job that is queued again.
      if (kind === 'execute' && id.includes('/samples/0000002@') && !mended.has(id))
        throw new Error('no place')
    },
  })
  const [letter] = (await until(async () => {
    const { items } = await letters(`?owner=${evaluation.id}`)
    return items.length > 0 && items
  })) as [DeadLetter]
  expect(letter).toMatchObject({
    kind: 'execution.execute',
    error: 'no place',
    attempts: 5,
    owner: evaluation.id,
  })
  const { body: detail } = await call<DeadLetterDetail>('getDeadLetter', `/v1/dead-letters/${letter.id}`)
  expect(detail).toMatchObject({
    ...letter,
    payload: { language: 'javascript' },
    replyTo: { kind: 'evaluation.step' },
  })
  expect((await letters('?kind=scoring.score')).items).toEqual([])
  const { body: state } = await call<InstallationState>('getInstallation', '/v1/installation')
  const [ours] = state.services.filter(({ service }) => service === 'evaluation')
  expect(ours).toMatchObject({ replicas: [{ pid: process.pid, problems: [] }] })
  expect(ours!.queues.map(({ kind }) => kind)).toContain('evaluation.step')
  expect(state.services.find(({ service }) => service === 'scoring')).toMatchObject({ replicas: [] })
  expect((await letters('?error=no%20such%20thing')).items).toEqual([])

  mended.add(letter.job)
  const redriven = await call('redriveDeadLetter', `/v1/dead-letters/${letter.id}/redrive`)
  expect(redriven).toEqual({
    status: 202,
    body: {
      id: letter.id,
      kind: letter.kind,
      job: letter.job,
      owner: { id: evaluation.id, status: 'running', resumed: false },
    },
  })
  const { status, counts } = await ended(evaluation.id)
  expect([status, counts]).toEqual([
    'succeeded',
    { samples: 4, scored: 4, passed: 4, notScored: 0, timeouts: 0 },
  ])
  // It is gone: nobody queues it twice.
  const again = await call<{ detail: string }>('redriveDeadLetter', `/v1/dead-letters/${letter.id}/redrive`)
  expect([again.status, again.body.detail]).toEqual([404, expect.stringContaining('was queued again')])
})

test('all that match are queued again, page by page, and an evaluation that failed for one goes on', async () => {
  let broken = true
  const evaluation = await begin({
    async disturb(kind, id) {
      if (broken && kind === 'execute' && id.startsWith('ev_')) throw new Error('no place')
    },
  })
  const { platform, jobs } = world.running.context as EvaluationContext
  await until(async () => (await letters()).items.length > 0)
  // What a step that can't be taken does, after minutes.
  const step = `${evaluation.id}/samples/0000000`
  await jobs.owners.end(evaluation.id, { status: 'failed', error: `cannot continue at ${step}: no disk` })
  const start = `${step}@0`
  expect(parseStep(start)).not.toBeNull()
  await platform.bus.publishDead(
    'jobs.evaluation.step',
    { id: `${step}:start`, payload: { inline: { start } } },
    { error: 'no disk', attempts: 8 },
  )
  for (let n = 0; n < 5; n++)
    await platform.bus.publishDead(
      'jobs.scoring.score',
      { id: `asked/${n}`, payload: { inline: { n } } },
      { error: `no memory, ${n}`, attempts: 5 },
    )
  const first = await letters('?kind=scoring.score&limit=2')
  const rest = await letters(`?kind=scoring.score&limit=10&cursor=${first.next}`)
  expect([first.items.length, rest.items.length, rest.next]).toEqual([2, 3, undefined])
  expect([...first.items, ...rest.items].map(({ job, owner }) => [job, owner])).toEqual(
    Array.from({ length: 5 }, (_, n) => [`asked/${n}`, undefined]),
  )
  broken = false
  const all = await call<RedrivenAll>('redriveDeadLetters', '/v1/dead-letters/redrive', {
    kind: 'evaluation.step',
  })
  expect(all.body).toMatchObject({
    redriven: [{ job: `${step}:start`, owner: { id: evaluation.id, resumed: true, status: 'running' } }],
    more: false,
  })
  expect((await ended(evaluation.id)).status).toBe('succeeded')
  expect((await letters('?kind=evaluation.step')).items).toEqual([])
  await call('redriveDeadLetters', '/v1/dead-letters/redrive', {})
  expect((await letters()).items.filter(({ error }) => error.startsWith('no memory'))).toEqual([])
})

test('a project discards its own dead letters only, once, and the audit log tells of it', async () => {
  world = await startWithFakes(servers, {})
  const { app, context } = world.running
  const { bus } = (context as EvaluationContext).platform
  await bus.ready()
  const letter = { id: 'a-job', payload: { inline: null } }
  const death = { error: 'it failed', attempts: 5 }
  await bus.publishDead(subjects.score, letter, death)
  const own = await until(async () => (await letters()).items[0] ?? null)
  const discard = async (id: string) => {
    const response = await app.inject({ method: 'DELETE', url: `/v1/dead-letters/${id}` })
    expect(answerFault(operations, 'discardDeadLetter', response)).toBeNull()
    return response.statusCode
  }
  await runInProject('another', async () => {
    await bus.publishDead(subjects.score, { ...letter, project: 'another' }, death)
    const other = (await bus.dead.next(1))!
    expect(
      await discard(await (context as EvaluationContext).administration.letters.idOf(other.sequence)),
    ).toBe(404)
    expect(await bus.dead.next(1)).toEqual(other)
  })
  expect([await discard(own.id), await discard(own.id)]).toEqual([204, 404])
  expect((await letters()).items).toEqual([])
  for (const error of ['a full disk', 'a full disk again', 'no memory'])
    await bus.publishDead(subjects.score, { ...letter, id: error }, { error, attempts: 5 })
  const before = await until(async () => {
    const { items } = await letters()
    return items.length === 3 ? items : null
  })
  const matching = before.filter(({ error }) => error.includes('full disk')).map(({ id }) => id)
  const { body } = await call<DiscardedAll>('discardDeadLetters', '/v1/dead-letters/discard', {
    error: 'full disk',
  })
  expect(body).toEqual({ discarded: matching, more: false })
  expect((await letters()).items.map(({ error }) => error)).toEqual(['no memory'])
  expect(await runInProject('another', () => bus.dead.next(1))).not.toBeNull()
  const audit = await app.inject({ url: '/v1/audit?operation=discardDeadLetter' })
  expect(audit.json<{ items: { params: { id: string }; status: number }[] }>().items).toEqual(
    expect.arrayContaining([expect.objectContaining({ params: { id: own.id }, status: 204 })]),
  )
})
