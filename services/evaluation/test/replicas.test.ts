/**
 * Two replicas of the evaluation service on one database: two evaluations at once, one of them stopped and
 * resumed while a replica is killed. Nothing is lost, nothing is counted twice. Part of the long tests.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
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

const whenLong = isLong ? test : test.skip
let servers: Servers | undefined
let suite: Suite | undefined
let model: ScriptedModel | undefined
const replicas: ServiceProcess[] = []
const [one, other] = [0, 1].map((at) => callerAt(() => replicas[at]!.url)) as [
  ReturnType<typeof callerAt>,
  ReturnType<typeof callerAt>,
]

beforeAll(async () => {
  if (!isLong) return
  servers = await startServers()
  suite = await startSuite({ servers, only: ['trace-generation', 'translation', 'execution', 'scoring'] })
  for (let n = 0; n < 2; n++) replicas.push(await startProcess('evaluation', suite.env))
})
afterAll(async () => {
  for (const replica of replicas) await replica.kill()
  await suite?.stop()
  await model?.close()
  await servers?.stop()
})

whenLong(
  'two evaluations on two replicas, one cancelled and resumed, one replica killed and started again',
  async () => {
    const set = await one.buildSet({
      scenario: 'session-service',
      strategy: 'coverage',
      programs: 12,
      keep: 10,
      seed: 8,
    })
    const cases = await other.cases(set.id)
    model = await startScriptedModel((request) => ({ ...solver(cases)(request), afterMs: 300 }))
    await one.model('first', { baseUrl: model.baseUrl, model: 'a', concurrency: 3 })
    await other.model('second', { baseUrl: model.baseUrl, model: 'b', concurrency: 3 })
    const samples = 4
    const stayed = await one.begin({ benchmark: set.id, model: 'first', samples })
    const stopped = await other.begin({ benchmark: set.id, model: 'second', samples })
    await until(() => model!.requests.length >= 16, { everyMs: 5 })
    // Asked of the replica that did not begin it; the same again, as nobody knows who heard.
    expect((await one.call('POST', `/v1/evaluations/${stopped.id}/cancel`)).status).toBe(200)
    expect(
      (await other.call<{ status: string }>('POST', `/v1/evaluations/${stopped.id}/cancel`)).body.status,
    ).toBe('cancelled')
    await replicas[1]!.kill()
    expect((await one.call('POST', `/v1/evaluations/${stopped.id}/resume`, {})).status).toBe(202)
    await replicas[1]!.start()
    const [first, second] = await Promise.all([other.ended(stayed.id), one.ended(stopped.id)])
    const all = cases.length * samples
    for (const ended of [first, second])
      expect(ended).toMatchObject({
        status: 'succeeded',
        counts: { samples: all, scored: all, notScored: 0 },
      })

    const reports = await Promise.all([one.report(stayed.id), other.report(stopped.id)])
    for (const { result } of reports) {
      expect(new Set(result.samples.map((sample) => `${sample.case}/${sample.sample}`)).size).toBe(all)
      expect(result.overall.scored).toBe(all)
    }
    const sent = model.requests.length
    const repeated = reports.reduce((sum, { run }) => sum + (run.repeated ?? 0), 0)
    expect(sent).toBeGreaterThanOrEqual(2 * all)
    // What a kill or a stop cut short is asked again; that is at most what was on its way.
    expect(sent).toBeLessThanOrEqual(2 * all + 12)
    console.log(`${sent} requests for ${2 * all} questions, ${repeated} of them marked as repeated`)

    // Undisturbed, both give the same results, and need no request: every answer is kept.
    for (const [at, name] of ['first', 'second'].entries()) {
      const again = await one.ended((await one.begin({ benchmark: set.id, model: name, samples })).id)
      expect(JSON.stringify((await one.report(again.id)).result)).toBe(JSON.stringify(reports[at]!.result))
    }
    expect(model.requests).toHaveLength(sent)
  },
)
