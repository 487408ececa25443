/**
 * The small dialogue benchmark over real servers, with every service as a process: from import to report,
 * with everybody whom a dialogue can ask, and with kills. STATEEVAL_LONG adds a kill of each service in each
 * stage, and two replicas.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReportResult, SampleAnswer } from '@stateeval/contracts'
import { isLong, type Servers, startServers, until } from '@stateeval/testkit'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { listReferenceReplies } from '../packages/testkit/src/dialogue/player.ts'
import { type Everybody, startEverybody, ways } from './dialogue/everybody.ts'
import { type DialogueServices, parts, startDialogueServices } from './dialogue/services.ts'

const whenLong = isLong ? test : test.skip

/** One case for each way to be wrong, and one that deletes by an id that only the world knows. */
const cases = [...ways.map((_, n) => caseOf(n)), caseOf(ways.length, { deletes: true })]
const listing = cases.slice(0, 4)
const wayOf = ({ id }: { id: string }) => Number(id.split('-')[1]) % ways.length

let servers: Servers
let everybody: Everybody
let services: DialogueServices
let set: string

/** Imports a set and names everybody. */
async function prepared({ caller }: DialogueServices, selection = cases, who = everybody): Promise<string> {
  const { body } = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/import', folderOf(selection))
  await caller.model('mine', { baseUrl: who.model, model: 'm', retries: 1, concurrency: 4 })
  await caller.model('judge', { baseUrl: who.judge, model: 'j' })
  await caller.model('user', { baseUrl: who.user, model: 'u' })
  await caller.model('vectors', { baseUrl: who.embeddings, model: 'e', api: 'embeddings' })
  return body.id
}
const everyPart = { judge: 'judge', user: 'user', embeddings: 'vectors' }
const resultOf = async ({ caller }: DialogueServices, request: object): Promise<ReportResult> => {
  const { id } = await caller.ended((await caller.begin(request)).id)
  const { status, error } = await caller.ended(id)
  expect([status, error]).toEqual(['succeeded', undefined])
  return (await caller.report(id)).result
}
const verdicts = ({ samples }: ReportResult) =>
  Object.fromEntries(samples.map(({ case: id, score }) => [id, score?.verdict ?? null]))

beforeAll(async () => {
  servers = await startServers()
  everybody = await startEverybody(cases, wayOf, 20)
  services = await startDialogueServices(servers, everybody.facts)
  set = await prepared(services)
})
afterAll(async () => {
  await services?.stop()
  await everybody?.close()
  await servers?.stop()
})

test('the reference passes, whatever it needs of the world', async () => {
  const result = await resultOf(services, { benchmark: set, model: 'reference', ...everyPart })
  expect(result.overall).toMatchObject({ passed: cases.length, scored: cases.length })
  const { caller } = services
  const refused = await caller.call<{ detail: string }>('POST', '/v1/evaluations', {
    benchmark: set,
    model: 'reference',
  })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    'dialogue needs judge:quality; name a model in judge, or in judge.quality',
  ])
})

test('a model that is wrong in each way is judged for it, also when every service is killed', async () => {
  const { caller, processes } = services
  const request = { benchmark: set, model: 'mine', fresh: true, ...everyPart }
  const { id } = await caller.begin(request)
  let hits = 0
  for (const part of parts) {
    const { progress } = await caller.get<{ progress: { done: number } }>(`/v1/evaluations/${id}`)
    await until(
      async () => {
        const now = await caller.get<{ status: string; progress: { done: number } }>(`/v1/evaluations/${id}`)
        return now.status !== 'running' || now.progress.done > progress.done
      },
      { everyMs: 20 },
    )
    if ((await caller.get<{ status: string }>(`/v1/evaluations/${id}`)).status === 'running') hits++
    await processes[part].kill()
    await processes[part].start()
  }
  expect(hits).toBeGreaterThan(0)
  expect(await caller.ended(id)).toMatchObject({ status: 'succeeded' })
  const { result } = await caller.report(id)
  const expected = cases.map((c) => [c.id, ways[wayOf(c)]![1]])
  expect(verdicts(result)).toEqual(Object.fromEntries(expected))
  // Undisturbed, the same answers give the same bytes.
  expect(JSON.stringify(await resultOf(services, { ...request, fresh: false }))).toBe(JSON.stringify(result))
})

test('dialogues and consultations can be read, recorded and repeated without anybody', async () => {
  const { caller } = services
  const { id } = await caller.ended((await caller.begin({ benchmark: set, model: 'mine', ...everyPart })).id)
  const { result, run } = await caller.report(id)
  expect(Object.keys(run.parties ?? {}).sort()).toEqual(['http:facts', 'judge:quality', 'similar', 'user'])
  const { items } = await caller.get<{ items: SampleAnswer[] }>(
    `/v1/evaluations/${id}/answers?case=dialogue-0`,
  )
  expect(items[0]?.transcripts?.[0]?.messages.map(({ role }) => role)).toEqual([
    'system',
    ...['user', 'assistant', 'tool', 'tool', 'assistant'],
    ...['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
    ...['user', 'assistant', 'tool', 'assistant'],
  ])
  expect(items[0]?.consultations?.map(({ need }) => need.kind)).toEqual(['consult', 'similar', 'http'])
  const { text } = await caller.call('GET', `/v1/evaluations/${id}/recording`)
  const { body: recording } = await caller.call<{ id: string }>('POST', '/v1/recordings', { text })
  const before = everybody.counts()
  const again = await resultOf(services, { benchmark: set, recording: recording.id })
  expect(JSON.stringify(again)).toBe(JSON.stringify(result))
  // Scored again, sessions of worlds are not opened either, nor need execution be there.
  await services.processes.execution.kill()
  expect(JSON.stringify((await caller.rescored(id)).result)).toBe(JSON.stringify(result))
  await services.processes.execution.start()
  expect(everybody.counts()).toEqual(before)
})

test('a limit of time ends dialogues by how long the model took, and a recording repeats that', async () => {
  const { caller } = services
  // Each reply takes 20 ms at least, and a dialogue has six or more.
  const request = { benchmark: set, model: 'mine', fresh: true, limits: { seconds: 0.05 }, ...everyPart }
  const { id } = await caller.ended((await caller.begin(request)).id)
  const repliesIn = async (evaluation: string) => {
    const { items } = await caller.get<{ items: SampleAnswer[] }>(`/v1/evaluations/${evaluation}/answers`)
    return items.map(
      ({ transcripts }) => transcripts?.[0]?.messages.filter(({ role }) => role === 'assistant').length ?? 1,
    )
  }
  for (const replies of await repliesIn(id)) expect(replies).toBeLessThanOrEqual(3)
  const { result } = await caller.report(id)
  const { text } = await caller.call('GET', `/v1/evaluations/${id}/recording`)
  const { body: recording } = await caller.call<{ id: string }>('POST', '/v1/recordings', { text })
  const { limits } = request
  const again = await caller.ended(
    (await caller.begin({ benchmark: set, recording: recording.id, limits })).id,
  )
  expect(await repliesIn(again.id)).toEqual(await repliesIn(id))
  expect(JSON.stringify((await caller.report(again.id)).result)).toBe(JSON.stringify(result))
})

test('limits have bounds', async () => {
  const { caller } = services
  const refused = (limits: object) =>
    caller.call<{ detail: string; errors?: { pointer: string }[] }>('POST', '/v1/evaluations', {
      benchmark: set,
      model: 'reference',
      limits,
      ...everyPart,
    })
  const tooMany = await refused({ turns: 101 })
  expect([tooMany.status, tooMany.body.detail]).toEqual([
    422,
    'a dialogue of dialogue has at most 100 turns; set turns to 100 or less',
  ])
  for (const wrong of [{ turns: 0 }, { seconds: 0 }, { minutes: 1 }])
    expect((await refused(wrong)).status).toBe(400)
  // The reference is checked without them, and then keeps to them.
  const result = await resultOf(services, {
    benchmark: set,
    model: 'reference',
    limits: { turns: 1 },
    ...everyPart,
  })
  expect(result.overall.passed).toBe(0)
})

test('answers from a file are lists of replies', async () => {
  const benchmark = await prepared(services, listing)
  const answers = listing.map((c) => ({ case: c.id, replies: listReferenceReplies(c) }))
  const fromFile = await resultOf(services, { benchmark, answers, label: 'reference', ...everyPart })
  const reference = await resultOf(services, { benchmark, model: 'reference', ...everyPart })
  expect(JSON.stringify(fromFile)).toBe(JSON.stringify(reference))
})

test('plain completions are refused, as a dialogue has tools and roles', async () => {
  const { caller } = services
  await caller.model('plain', { baseUrl: everybody.model, model: 'm', api: 'completions' })
  const refused = await caller.call<{ detail: string }>('POST', '/v1/evaluations', {
    benchmark: set,
    model: 'plain',
    ...everyPart,
  })
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    'the completions API has no tools and no roles, but this evaluation needs tools and roles; name a model of api chat',
  ])
})

const stages = ['baseline check', 'evaluate'] as const
whenLong.each(stages.flatMap((stage) => parts.map((part) => [stage, part] as const)))(
  'in the stage %s, %s is killed again and again: the result is the same',
  async (stage, part) => {
    const expected = await resultOf(services, { benchmark: set, model: 'mine', ...everyPart })
    // A namespace of its own: nothing is known there.
    const fresh = await startDialogueServices(servers, everybody.facts)
    try {
      const { caller, processes } = fresh
      const importing = prepared(fresh)
      if (part === 'evaluation') {
        await processes.evaluation.kill()
        await processes.evaluation.start()
        await importing.catch(() => undefined)
      }
      const { id } = await caller.begin({
        benchmark: part === 'evaluation' ? await prepared(fresh) : await importing,
        model: 'mine',
        ...everyPart,
      })
      const now = () =>
        caller
          .get<{ status: string; progress: { phase: string } }>(`/v1/evaluations/${id}`)
          .catch(() => ({ status: 'running', progress: { phase: '' } }))
      let hits = 0
      for (let kills = 0; kills < 4; kills++) {
        await until(
          async () => {
            const { status, progress } = await now()
            return status !== 'running' || progress.phase === stage
          },
          { everyMs: 10 },
        )
        if ((await now()).status === 'running') hits++
        await new Promise((resolve) => setTimeout(resolve, 10 + 70 * kills))
        await processes[part].kill()
        await processes[part].start()
      }
      expect(hits).toBeGreaterThan(0)
      expect(await caller.ended(id)).toMatchObject({ status: 'succeeded' })
      expect(JSON.stringify((await caller.report(id)).result)).toBe(JSON.stringify(expected))
    } finally {
      await fresh.stop()
    }
  },
)

whenLong('two replicas of every service, one of each killed, give the same result', async () => {
  const expected = await resultOf(services, { benchmark: set, model: 'mine', ...everyPart })
  const two = await startDialogueServices(servers, everybody.facts, { replicas: 1 })
  try {
    const benchmark = await prepared(two)
    const { id } = await two.caller.begin({ benchmark, model: 'mine', samples: 1, ...everyPart })
    for (const replica of two.replicas) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await replica.kill()
      await replica.start()
    }
    expect(await two.caller.ended(id)).toMatchObject({ status: 'succeeded' })
    expect(JSON.stringify((await two.caller.report(id)).result)).toBe(JSON.stringify(expected))
  } finally {
    await two.stop()
  }
})
