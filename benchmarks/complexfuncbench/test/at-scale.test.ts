/**
 * A thousand dialogues at once, and dialogues whose services are killed: services as processes, on real
 * servers. All of it is part of the long tests.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReportResult } from '@stateeval/contracts'
import {
  isLong,
  namespace,
  type ScriptedModel,
  type ServiceProcess,
  type Servers,
  startProcess,
  startScriptedModel,
  startServers,
} from '@stateeval/testkit'
import { type Caller, callerAt } from '../../../services/evaluation/test/over-http.ts'
import { conversations } from '../sample/index.ts'
import { type Here, hereWith } from './here.ts'
import { endpointOf, judge, ways } from './model.ts'

const whenLong = isLong ? test : test.skip
if (!isLong) console.log('skipped: a thousand dialogues and kills are part of the long tests')

const lines = conversations.trim().split('\n')
const [dialogueCount, maxMiB] = [1000, 1200]

/** The n-th copy of the sample’s conversations, with an id and a query of its own. */
const copyOf = (n: number) =>
  lines[n % lines.length]!.replace(
    /^\{"id":"([A-Za-z-]+)-\d+"/,
    (_, domain: string) => `{"id":"${domain}-${1000 + n}"`,
  ).replace('"content":"', `"content":"(${n}) `)

let servers: Servers
let judging: ScriptedModel
beforeAll(async () => {
  if (!isLong) return
  servers = await startServers()
  judging = await startScriptedModel(judge)
})
afterAll(async () => {
  await judging?.close()
  await servers?.stop()
})

interface Running {
  caller: Caller
  processes: Record<'evaluation' | 'scoring', ServiceProcess>
  set: string
  stop(): Promise<void>
}

/** Services of their own, with a set imported and everybody named. */
async function started(text: string, model: string): Promise<Running> {
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    STATEEVAL_MAX_LAG_MS: '0',
    LOG_LEVEL: 'silent',
  }
  const [evaluation, scoring] = await Promise.all([
    startProcess('evaluation', env),
    startProcess('scoring', env),
  ])
  const caller = callerAt(() => evaluation.url)
  const files = { 'some.jsonl': text }
  const { status, body } = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files,
  })
  expect([status, status === 201 || body]).toEqual([201, true])
  await caller.model('mine', { baseUrl: model, model: 'm', concurrency: 64, timeoutMs: 600_000 })
  await caller.model('judge', { baseUrl: judging.baseUrl, model: 'j', concurrency: 64 })
  return {
    caller,
    processes: { evaluation, scoring },
    set: body.id,
    stop: async () => {
      await Promise.all([evaluation.kill(), scoring.kill()])
    },
  }
}

async function resultOf({ caller, set }: Running, more: object = {}): Promise<ReportResult> {
  const { id } = await caller.begin({ benchmark: set, model: 'mine', judge: 'judge', ...more })
  const { status, error } = await caller.ended(id)
  expect([status, error]).toEqual(['succeeded', undefined])
  return (await caller.report(id)).result
}

const wayIn = ({ cases }: Here) => {
  const places = new Map(cases.map(({ id }, at) => [id, at]))
  return (id: string) => places.get(id)!
}
const verdictsOf = ({ samples }: ReportResult) => samples.map(({ score }) => score?.verdict)

whenLong('a thousand dialogues in parallel', async () => {
  const text = Array.from({ length: dialogueCount }, (_, n) => copyOf(n)).join('\n')
  const here = hereWith({ 'some.jsonl': text })
  const model = await startScriptedModel(endpointOf(here, wayIn(here)))
  const running = await started(text, model.baseUrl)
  try {
    const result = await resultOf(running)
    const peaks = Object.values(running.processes).map((one) => Math.round(one.peakMiB()))
    console.log(
      `${dialogueCount} dialogues, ${model.requests.length} replies; peaks of evaluation and scoring ${peaks.join(' and ')} MiB`,
    )
    const expected = here.cases.map((_, at) => ways[at % ways.length]!.verdict)
    // Without a live API, what is equal by response only is what the judge says.
    expect(verdictsOf(result)).toEqual(expected)
    for (const peak of peaks) expect(peak).toBeLessThan(maxMiB)
  } finally {
    await running.stop()
    await model.close()
  }
})

whenLong('services are killed again and again: the result is the same', async () => {
  const here = hereWith({ 'some.jsonl': conversations })
  const endpoint = endpointOf(here, wayIn(here))
  const model = await startScriptedModel((request) => {
    const script = endpoint(request)
    return 'say' in script ? { ...script, afterMs: 100 } : script
  })
  const [calm, killed] = await Promise.all([
    started(conversations, model.baseUrl),
    started(conversations, model.baseUrl),
  ])
  try {
    const expected = await resultOf(calm)
    const { caller, processes, set } = killed
    const { id } = await caller.begin({ benchmark: set, model: 'mine', judge: 'judge' })
    let hits = 0
    for (let kills = 0; kills < 8; kills++) {
      await new Promise((resolve) => setTimeout(resolve, 50 + 60 * kills))
      const part = kills % 2 === 0 ? processes.evaluation : processes.scoring
      const now = await caller.get<{ status: string }>(`/v1/evaluations/${id}`)
      if (now.status === 'running') hits++
      await part.kill()
      await part.start()
    }
    console.log(`${hits} of 8 kills hit a running evaluation`)
    expect(hits).toBeGreaterThan(2)
    expect(await caller.ended(id)).toMatchObject({ status: 'succeeded' })
    expect(JSON.stringify((await caller.report(id)).result)).toBe(JSON.stringify(expected))
  } finally {
    await Promise.all([calm.stop(), killed.stop()])
    await model.close()
  }
})
