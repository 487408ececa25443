/**
 * Episodes over HTTP on real servers: programs and dialogues with a live world, on two replicas of the
 * evaluation service. Steps are repeated, sent elsewhere, and come after a lease is over.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type BenchmarkResource,
  canonicalJson,
  type EpisodeResource,
  type EpisodeTurn,
  type ReferenceAnswer,
  sha256,
  type StreamReference,
  type StreamResource,
  type StreamTask,
} from '@stateeval/contracts'
import { formatItemSession } from '@stateeval/flows'
import { listCollectionNames, type RunningService } from '@stateeval/service-kit'
import {
  isLong,
  pickForRun,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import '../packages/testkit/src/dialogue/register.ts'
import { exampleFolder } from '../packages/contracts/src/examples/imports.ts'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { player } from '../packages/testkit/src/dialogue/player.ts'
import { formatSetName } from '@stateeval/environment'
import { drive, send } from './episodes/agent.ts'
import { python, runInPython } from './episodes/python.ts'

const cases = [caseOf(0), caseOf(1, { deletes: true })]
let suite: Suite
let other: Suite
let judge: ScriptedModel
let [one, two] = ['', '']
let dialogues = ''

beforeAll(async () => {
  const only = ['evaluation', 'trace-generation', 'translation', 'execution', 'scoring'] as const
  suite = await startSuite({ only })
  other = await startSuite({ only: ['evaluation'], servers: suite.servers, env: suite.env })
  one = suite.urls['evaluation']!
  two = other.urls['evaluation']!
  judge = await startScriptedModel(({ messages }) => {
    const [, answered, expected] = /\nAnswer: (.*)\nExpected: (.*)\n/s.exec(messages[0]!.content) ?? []
    return { say: answered === expected ? 'Yes.' : 'No.' }
  })
  await send(one, 'PUT', '/v1/models/judge', { baseUrl: judge.baseUrl, model: 'j' })
  dialogues = (await send<BenchmarkResource>(one, 'POST', '/v1/benchmarks/import', folderOf(cases))).body.id
})
afterAll(async () => {
  await other?.stop()
  await suite?.stop()
  await judge?.close()
})

const open = async (request: object, base = one) => {
  const { status, body } = await send<EpisodeResource>(base, 'POST', '/v1/episodes', request)
  expect([status, status === 201 || body]).toEqual([201, true])
  return body
}
const stepped = (base: string, id: string, step: number, reply: object) =>
  send<EpisodeTurn>(base, 'POST', `/v1/episodes/${id}/steps`, { step, reply })

test('a dialogue with a world is led on two replicas, and a repeated step changes nothing', async () => {
  for (const c of cases) {
    const episode = await open({ benchmark: dialogues, case: c.id, judge: 'judge' })
    const turns = await drive(episode, player(c), async (step, reply) => {
      // The same at the same time and again: one effect, one answer.
      const [here, there] = await Promise.all(
        [one, two].map((base) => stepped(base, episode.id, step, reply)),
      )
      const again = await stepped(step % 2 ? one : two, episode.id, step, reply)
      expect([here!.status, there!.status, again.status]).toEqual([200, 200, 200])
      expect([there!.body, again.body]).toEqual([here!.body, here!.body])
      const conflict = await stepped(two, episode.id, step, { text: 'something else' })
      expect(conflict.status).toBe(409)
      return here!.body
    })
    expect(turns[0]).toMatchObject({ step: 0, done: false, conversation: 0, tools: expect.any(Array) })
    expect(turns[1]!.messages.map(({ role }) => role)).toEqual(['tool', 'tool'])
    expect(turns.at(-1)).toMatchObject({ done: true, reward: 1, score: { verdict: 'passed' } })
    // Nothing of the score is told before the end.
    expect(JSON.stringify(turns.slice(0, -1))).not.toMatch(/reward|score|verdict|expected/)
    const { body } = await send<EpisodeResource>(two, 'GET', `/v1/episodes/${episode.id}`)
    expect(body).toMatchObject({ status: 'done', turn: turns.at(-1)! })
    expect((await stepped(one, episode.id, turns.length, { text: '' })).status).toBe(409)
  }
})

test('a program is run and scored; a case is drawn by seed', async () => {
  const { body: set } = await send<BenchmarkResource>(one, 'POST', '/v1/benchmarks/import', exampleFolder)
  const episode = await open({ benchmark: set.id, seed: 5, timeLimit: 60 })
  expect(episode.turn!.messages.map(({ role }) => role)).toContain('user')
  const path = `/v1/benchmarks/${set.id}/cases/${episode.case}/reference`
  const { answer } = (await send<ReferenceAnswer>(one, 'GET', path)).body
  const right = await stepped(two, episode.id, 1, { text: answer, usage: { completionTokens: 80 } })
  expect(right.body).toMatchObject({ step: 1, done: true, reward: 1, score: { passed: true } })
  const wrong = await open({ benchmark: set.id, case: episode.case, timeLimit: 60 })
  const { body } = await stepped(one, wrong.id, 1, { text: '```javascript\nRESULT = {}\n```' })
  expect(body).toMatchObject({ done: true, reward: 0, score: { passed: false } })
})

test('whatever an agent replies is answered', async () => {
  const { body: set } = await send<BenchmarkResource>(one, 'POST', '/v1/benchmarks/import', exampleFolder)
  const replyTo = async (mode: string, reply: object) => {
    const { id } = await open({ benchmark: set.id, mode })
    const { status, body } = await stepped(one, id, 1, reply)
    return [status, body.done, body.score?.verdict, body.messages?.at(-1)?.content]
  }
  const submit = (text: string) => ({ toolCalls: [{ id: 'a', name: 'submit_result', arguments: text }] })
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(
    await Promise.all([
      // In a default run, the rewards of texts of this length are tested in rewards.long.test.ts.
      replyTo('program', { text: '\u0000'.repeat(pickForRun(100_000, 1_900_000)) }),
      replyTo('program', { text: `\`\`\`js\nRESULT = ${deep}\n\`\`\`` }),
      replyTo('tools', submit(`{"a":${deep}}`)),
      replyTo('tools', submit('{"a":1e999}')),
    ]),
  ).toEqual([
    [200, true, 'no_code', undefined],
    [200, true, 'syntax_error', undefined],
    [200, false, undefined, expect.stringContaining('nested too deeply')],
    [200, false, undefined, expect.stringContaining('the number at /a is beyond')],
  ])
})

test('a lease that is over can be renewed, and limits hold', async () => {
  const { platform } = suite.services['evaluation'] as RunningService
  const request = { benchmark: dialogues, case: cases[0]!.id, judge: 'judge' }
  const { id } = await open(request)
  await platform.mongo
    .collection<{ until: Date }>('episode-leases')
    .updateOne({ _id: id }, { $set: { until: new Date(Date.now() - 1000) } })
  expect((await send<EpisodeResource>(two, 'GET', `/v1/episodes/${id}`)).body.status).toBe('expired')
  const late = await send<{ detail: string }>(two, 'POST', `/v1/episodes/${id}/steps`, {
    step: 1,
    reply: { text: 'Nothing.' },
  })
  expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining('/renew')])
  const renewed = await send<EpisodeResource>(two, 'POST', `/v1/episodes/${id}/renew`, { leaseSeconds: 60 })
  expect(renewed.body).toMatchObject({ status: 'open', expiresAt: expect.any(String) })
  expect((await stepped(two, id, 2, { text: 'Too early.' })).status).toBe(409)
  expect((await stepped(two, id, 1, { text: 'Nothing.' })).body).toMatchObject({ step: 1, done: false })
  expect((await send(one, 'DELETE', `/v1/episodes/${id}`)).status).toBe(204)
  expect((await send(one, 'GET', `/v1/episodes/${id}`)).status).toBe(404)
  // The sweep removes what it left in all services: its turns, jobs, and the log of its world.
  const { db } = platform.mongo
  const session = formatItemSession(id, 0)
  await until(async () => {
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
      for (const { _id } of await db.collection<{ _id: unknown }>(name).find({}).toArray())
        if (String(_id).startsWith(id) || String(_id).startsWith(session)) return false
    return true
  })
  await send(one, 'PUT', '/v1/projects/default/limits', { episodes: 0 })
  const refused = await send<{ detail: string }>(one, 'POST', '/v1/episodes', request)
  expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('0 episodes are open')])
  await send(one, 'PUT', '/v1/projects/default/limits', {})
})

/** Short tasks, so that a block takes a moment. */
const shortTasks = {
  scenario: isLong ? 'session-service' : 'elevenlabs-mcp',
  length: { min: 3, max: 3 },
  branches: 0,
}
/** A loaded machine may take longer for a block than a request waits. */
const patiently = <T>(base: string, method: string, path: string, body?: object) =>
  until(
    async () => {
      const answer = await send<T>(base, method, path, body)
      return answer.status === 503 ? null : answer
    },
    { withinMs: 200_000 },
  )
async function taskAt(base: string, id: string, index: number): Promise<StreamTask> {
  const { status, body } = await patiently<StreamTask>(base, 'GET', `/v1/streams/${id}/tasks/${index}`)
  expect([status, status === 200 || body]).toEqual([200, true])
  return body
}
const refused = async (method: string, path: string, body?: object) => {
  const { status, body: problem } = await patiently<{ detail: string }>(one, method, path, body)
  return [status, problem.detail]
}

test('an episode whose benchmark was deleted says so', async () => {
  const copy = folderOf([caseOf(7)])
  const { body: set } = await send<BenchmarkResource>(one, 'POST', '/v1/benchmarks/import', copy)
  const { id } = await open({ benchmark: set.id, judge: 'judge' })
  expect((await send(one, 'DELETE', `/v1/benchmarks/${set.id}`)).status).toBe(204)
  // On the replica that has not read the case.
  const late = await send<{ detail: string }>(two, 'POST', `/v1/episodes/${id}/steps`, {
    step: 1,
    reply: { text: 'Nothing.' },
  })
  expect([late.status, late.body.detail]).toEqual([
    409,
    expect.stringContaining(`${set.id} of this episode was deleted`),
  ])
  expect((await send<EpisodeResource>(two, 'GET', `/v1/episodes/${id}`)).body.status).toBe('open')
})

test('a held-out stream gives nothing away until it is revealed, and then all that was committed to', async () => {
  const seed = 'a-seed-that-nobody-guesses'
  const request = { options: shortTasks, purpose: 'held-out', seed }
  const { body: stream } = await send<StreamResource>(one, 'POST', '/v1/streams', request)
  const path = `/v1/streams/${stream.id}`
  expect(stream).toMatchObject({ status: 'sealed', purpose: 'held-out', blockSize: 64 })
  // Two replicas, in no order: one block, made once. From the second half on, the next one would be made too.
  const answers = await Promise.all(
    [31, 0, 17, 0].map((index, at) => taskAt(at % 2 ? two : one, stream.id, index)),
  )
  expect(answers[3]).toEqual(answers[1])
  expect(new Set(answers.map(({ digest }) => digest)).size).toBe(3)
  expect(answers[1]).not.toHaveProperty('difficulty')

  const episode = await patiently<EpisodeResource>(two, 'POST', '/v1/episodes', {
    stream: stream.id,
    index: 17,
  })
  expect(episode.body).toMatchObject({ stream: stream.id, index: 17, case: answers[2]!.task, status: 'open' })
  const { body: wrong } = await send<EpisodeTurn>(one, 'POST', `/v1/episodes/${episode.body.id}/steps`, {
    step: 1,
    reply: { text: '```javascript\nRESULT = {}\n```' },
  })
  expect(wrong).toMatchObject({
    done: true,
    reward: 0,
    score: { passed: false, evidence: { differences: [] } },
  })
  const openTask = (request: object) => refused('POST', '/v1/episodes', { stream: stream.id, ...request })
  expect(await openTask({ index: 0, prompting: 'few-shot' })).toEqual([
    422,
    expect.stringContaining('few-shot'),
  ])
  expect(await openTask({})).toEqual([422, expect.stringContaining('index')])
  expect(await openTask({ index: 0, benchmark: 'bm_1' })).toEqual([
    422,
    expect.stringContaining('one of the two'),
  ])
  expect(await refused('GET', `${path}/tasks/17/reference`)).toEqual([409, expect.stringContaining('sealed')])

  // Nothing that an API key or a backup reaches holds the seed, or what the jobs of the block left.
  const listed = await send(one, 'GET', '/v1/streams')
  expect(canonicalJson([stream, answers, episode, wrong, listed])).not.toContain(seed)
  const { mongo } = (suite.services['evaluation'] as RunningService).platform
  const left: string[] = []
  for (const name of await listCollectionNames(mongo))
    for (const document of await mongo.shared(name).find({}).toArray()) {
      expect(JSON.stringify(document)).not.toContain(seed)
      if (/^(trace-generation|execution|translation)\./.test(name)) left.push(`${name} ${document._id}`)
    }
  expect(left.filter((name) => name.includes(formatSetName(stream.id, 0)) || name.includes('gen_'))).toEqual(
    [],
  )

  if (python !== undefined)
    expect(await runInPython('stream.py', two, stream.id)).toEqual({
      sealed: `<Stream ${stream.id} sealed>`,
      refusal: `${stream.id} is sealed; reveal it first`,
      tasks: [16, 17].map((index) => [
        expect.stringMatching(new RegExp(`@${index}$`)),
        { stream: stream.id, index, mode: 'program' },
        expect.any(String),
      ]),
      case: answers[2]!.task,
      reward: 0,
      otherCase: expect.not.stringContaining(answers[2]!.task),
      isSameCommitment: true,
      verified: true,
      verifiedOtherSeed: false,
    })
  const revealed = (await send<StreamResource>(two, 'POST', `${path}/reveal`)).body
  expect(revealed).toMatchObject({ status: 'revealed', seed, salt: expect.stringMatching(/^[0-9a-f]{32}$/) })
  const { kind, salt, versions, commitment } = revealed
  expect(commitment).toBe(stream.commitment)
  expect(sha256(canonicalJson({ kind, options: revealed.options, salt, seed, versions }))).toBe(commitment)
  expect((await send(one, 'POST', `${path}/reveal`)).body).toEqual(revealed)
  expect(await openTask({ index: 1 })).toEqual([409, expect.stringContaining('public')])
  await until(async () => (await send<StreamTask>(one, 'GET', `${path}/tasks/17`)).body.difficulty)
  const reference = (await send<StreamReference>(one, 'GET', `${path}/tasks/17/reference`)).body
  expect(reference).toMatchObject({
    index: 17,
    task: answers[2]!.task,
    answer: expect.stringContaining('RESULT'),
  })
  // Evidence of what was answered before is public now, too.
  const { body: shown } = await send<EpisodeResource>(one, 'GET', `/v1/episodes/${episode.body.id}`)
  expect(shown.turn?.score?.evidence.differences.length).toBeGreaterThan(0)

  await send(one, 'PUT', '/v1/projects/default/limits', { streams: 1 })
  expect(await refused('POST', '/v1/streams', { options: shortTasks })).toEqual([
    429,
    expect.stringContaining('1 streams'),
  ])
  await send(one, 'PUT', '/v1/projects/default/limits', {})
  expect((await send(one, 'DELETE', path)).status).toBe(204)
  // A replica believes for two seconds what it knew of a stream.
  await until(async () => (await send(two, 'GET', `${path}/tasks/17`)).status === 404)
})
