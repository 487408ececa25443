/**
 * The evaluation service is a process of its own here, and is killed in the middle: nothing that was answered
 * is asked again.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Case, EvaluationResource } from '@stateeval/contracts'
import {
  isLong,
  type ScriptedModel,
  type Servers,
  type ServiceProcess,
  startProcess,
  startScriptedModel,
  startServers,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import { callerAt, solver } from './over-http.ts'

const longTest = isLong ? test : test.skip
const secret = 'sk-of-a-process'
const concurrency = 6
const samples = 4
let servers: Servers
let suite: Suite
let service: ServiceProcess
let logs = ''
let model: ScriptedModel
const caller = callerAt(() => service.url)

beforeAll(async () => {
  servers = await startServers()
  suite = await startSuite({ servers, only: ['trace-generation', 'translation', 'execution', 'scoring'] })
  const env = {
    ...suite.env,
    LOG_LEVEL: 'debug',
    STATEEVAL_KEY_TEST: secret,
    STATEEVAL_KEY_TEST_HOSTS: '127.0.0.1:*',
  }
  service = await startProcess('evaluation', env, (text) => (logs += text))
})
afterAll(async () => {
  await service?.kill()
  await suite?.stop()
  await model?.close()
  await servers?.stop()
})

test('killed half-way: stored answers are not asked for again, and what was in flight is counted', async () => {
  const set = await caller.importSample(4)
  const cases: Case[] = await caller.cases(set.id)
  const solve = solver(cases)
  let open = 0
  // Slow enough that some are in flight at the kill, which leaves their connections closed.
  model = await startScriptedModel((request) => {
    open++
    return { ...solve(request), afterMs: 400 }
  })
  await caller.model('slow', {
    baseUrl: model.baseUrl,
    model: 'x',
    concurrency,
    keyEnv: 'STATEEVAL_KEY_TEST',
  })
  const { id } = await caller.begin({ benchmark: set.id, model: 'slow', samples })
  await until(() => open >= 8, { everyMs: 5 })
  await service.kill()
  const atKill = model.requests.length
  await service.start()
  const done = await caller.ended(id)
  const all = cases.length * samples
  expect(done).toMatchObject({ status: 'succeeded', counts: { samples: all, scored: all } })
  const { run, result } = await caller.report(id)
  const { repeated = -1 } = run
  console.log(
    `killed after ${atKill} of ${all} requests: ${model.requests.length} in all, ${repeated} repeated`,
  )
  // One that was marked and not yet on its way when the process died counts too: never fewer than were sent
  // again.
  const sent = model.requests.length
  expect(sent).toBeGreaterThanOrEqual(all)
  expect(sent).toBeLessThanOrEqual(all + repeated)
  expect(repeated).toBeGreaterThan(0)
  expect(repeated).toBeLessThanOrEqual(concurrency)

  // An undisturbed run gives the same result, and needs no request: every answer is kept.
  const again = await caller.ended((await caller.begin({ benchmark: set.id, model: 'slow', samples })).id)
  expect(JSON.stringify((await caller.report(again.id)).result)).toBe(JSON.stringify(result))
  expect(model.requests).toHaveLength(sent)

  // The key went to the endpoint and nowhere else.
  expect(model.requests[0]?.authorization).toBe(`Bearer ${secret}`)
  expect(logs).toContain('listening')
  expect(logs).not.toContain(secret)
})

longTest('progress never falls, however often the service is killed', async () => {
  const set = await caller.buildSet({
    scenario: 'session-service',
    strategy: 'coverage',
    programs: 12,
    keep: 10,
    seed: 9,
  })
  const cases = await caller.cases(set.id)
  const solve = solver(cases)
  const steady = await startScriptedModel((request) => ({ ...solve(request), afterMs: 100 }))
  const repetitions = 10
  const all = cases.length * repetitions
  await caller.model('steady', { baseUrl: steady.baseUrl, model: 'y', concurrency })
  const { id } = await caller.begin({ benchmark: set.id, model: 'steady', samples: repetitions })
  // What several readers were told: no answer may be below one that had arrived before its question was sent.
  const latest = { done: 0, passed: 0 }
  const falls: string[] = []
  let status = 'running'
  let looks = 0
  const read = async () => {
    while (status === 'running' || status === 'queued') {
      const { done, passed } = latest
      const now = await caller.get<EvaluationResource>(`/v1/evaluations/${id}`).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, 3))
      if (!now?.progress || (now.progress.phase !== 'evaluate' && now.status === 'running')) continue
      looks++
      if (now.progress.done < done || now.counts.passed < passed)
        falls.push(`${done} done, ${passed} passed; then ${now.progress.done}, ${now.counts.passed}`)
      latest.done = Math.max(latest.done, now.progress.done)
      latest.passed = Math.max(latest.passed, now.counts.passed)
      status = now.status
    }
  }
  const readers = Promise.all([read(), read(), read()])
  const killedAt: number[] = []
  for (const part of [0.1, 0.3, 0.5, 0.7]) {
    await until(() => latest.done >= part * all || status !== 'running', { everyMs: 2 })
    await service.kill()
    killedAt.push(latest.done)
    await service.start()
  }
  await readers
  await steady.close()
  console.log(`killed at ${killedAt.join(', ')} of ${all}; ${looks} looks`)
  expect(falls).toEqual([])
  expect([status, latest.done]).toEqual(['succeeded', all])
  expect(killedAt.filter((done) => done < all).length).toBeGreaterThan(1)
})
