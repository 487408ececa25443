/**
 * Cases answered by calling tools on live worlds: of each scenario the reference, replayed as calls, passes,
 * and mutants of it are caught; and what holds for other dialogues holds for these. STATEEVAL_LONG takes 40
 * cases and 120 mutants of each scenario, half an hour on two cores, and agents that speak MCP through
 * another make of client.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { benchmarks } from '@stateeval/benchmarks'
import type {
  AgentReply,
  Case,
  EpisodeResource,
  EpisodeTurn,
  Message,
  ReportResult,
  SampleAnswer,
  Score,
} from '@stateeval/contracts'
import type { ReplyPlayer } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import type { RunningService } from '@stateeval/service-kit'
import {
  isLong,
  type CommandLine,
  type Script,
  type ScriptedModel,
  startCommandLine,
  startScriptedModel,
  stateeval,
  until,
} from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'
import { type EvaluationContext, takeAllParts } from '../services/evaluation/src/context.ts'
import { isTurnStored } from '@stateeval/environment'
import { removeEnded } from '@stateeval/jobs'
import { callerAt } from '../services/evaluation/test/over-http.ts'
import { drive, send } from './episodes/agent.ts'
import { solve } from './tool-mode/agent.ts'
import { pythonClient, sdkClient } from './tool-mode/clients.ts'

const size = isLong ? { programs: 60, keep: 40, samples: 3 } : { programs: 4, keep: 2, samples: 1 }
const python = longPythonTools('agents')
if (!python.ok) console.log(`skipped: MCP's client for Python: ${python.reason}`)

let line: CommandLine
let model: ScriptedModel
let cases: Case[]
let set: string
const evaluation = callerAt(() => line.suite.urls['evaluation']!)
const host = { scenario: (id: string) => scenarios.find((one) => one.id === id)! }
const stateEval = benchmarks.map((make) => make(host)).find(({ kind }) => kind === 'stateeval')!
const playerOf = (c: Case): ReplyPlayer => stateEval.player(c, { mode: 'tools', prompting: 'direct' })!

/** A model that answers as the reference does, after a call of no function. */
function answer(messages: Message[]): Script {
  const task = messages.find(({ role }) => role === 'user')?.content ?? ''
  const replies = messages.filter(({ role }) => role === 'assistant').length
  if (replies === 0)
    return { say: '', finish: 'tool_calls', toolCalls: [{ name: 'doItAll', arguments: '{}' }] }
  // What it did wrong is no part of the reference.
  const first = messages.findIndex(({ role }) => role === 'assistant')
  const c = cases.find(({ instruction }) => task.includes(instruction.trim()))!
  const reply = playerOf(c)({ role: 'model', messages: messages.toSpliced(first, 2) })!
  const toolCalls = reply.toolCalls?.map(({ name, arguments: args }) => ({ name, arguments: args }))
  return { say: reply.text, finish: reply.finish, ...(toolCalls && { toolCalls }) }
}

beforeAll(async () => {
  line = await startCommandLine()
  model = await startScriptedModel(({ messages }) => answer(messages as Message[]))
  await evaluation.model('mine', { baseUrl: model.baseUrl, model: 'm' })
  set = (await evaluation.importSample()).id
  cases = await evaluation.cases(set)
})
afterAll(async () => {
  await model?.close()
  await line?.stop()
})

const resultOf = async (request: object): Promise<{ id: string; result: ReportResult }> => {
  const { id } = await evaluation.begin({ mode: 'tools', ...request })
  const { status, error } = await evaluation.ended(id)
  expect([status, error]).toEqual(['succeeded', undefined])
  return { id, result: (await evaluation.report(id)).result }
}

/** What is told of dialogues is told on a set of its own. */
const measured = ['elevenlabs-mcp', ...(isLong ? ['session-service', 'tensor-operation'] : [])]
test.each(measured)('reference and mutants of %s', async (scenario) => {
  const { programs, keep, samples } = size
  const { id: benchmark } = await evaluation.buildSet({ scenario, programs, keep, seed: 1 })
  const { result: reference } = await resultOf({ benchmark, model: 'reference' })
  expect(reference.overall).toMatchObject({ scored: keep, passed: keep })
  expect(reference.samples.map(({ score }) => score?.metrics['milestones'])).toEqual(Array(keep).fill(1))
  const { result } = await resultOf({ benchmark, model: 'mutant', samples, seed: 1 })
  const { survived, disputed, score, operators, survivors, equivalent } = result.mutation!
  const caught = operators.reduce((sum, operator) => sum + operator.caught, 0)
  console.log(
    `${scenario}: ${caught} of ${caught + survived} caught = ${score}, ${equivalent} equivalent; survivors: ${JSON.stringify(survivors)}; ${JSON.stringify(result.verdicts)}`,
  )
  expect(disputed).toBe(0)
  if (isLong) expect(score).toBeGreaterThanOrEqual(0.95)
})

test('an agent calls the tools of a case over episodes, and the same replies get the same reward', async () => {
  const base = line.suite.urls['evaluation']!
  for (const c of cases.slice(0, 2)) {
    const opened = await send<EpisodeResource>(base, 'POST', '/v1/episodes', {
      benchmark: set,
      case: c.id,
      mode: 'tools',
    })
    expect(opened.status).toBe(201)
    const { id } = opened.body
    const stepAt = async (step: number, reply: AgentReply) => {
      const path = `/v1/episodes/${id}/steps`
      const { status, body } = await send<EpisodeTurn>(base, 'POST', path, { step, reply })
      expect([status, status === 200 || body]).toEqual([200, true])
      return body
    }
    const turns = await drive(opened.body, playerOf(c), stepAt)
    const last = turns.at(-1)!
    expect(last).toMatchObject({ done: true, reward: 1, score: { verdict: 'passed' } })
    expect(last.score!.metrics).toMatchObject({ wrong_calls: 0, unexpected_changes: 0, result_keys: 1 })
    // Each input is a conversation of its own, with the tools of its world.
    expect(new Set(turns.flatMap(({ conversation }) => conversation ?? [])).size).toBe(c.oracles.length)
    expect(turns[0]!.tools!.map(({ name }) => name)).toContain('submit_result')
  }
})

test('a wrong call is repaired, counted and shown; rescoring and repeating give the same bytes', async () => {
  const request = { benchmark: set, model: 'mine' }
  const { id, result } = await resultOf(request)
  expect(result.overall).toMatchObject({ scored: cases.length, passed: cases.length })
  const { inputs, wrong } = result.samples.reduce(
    (sum, { case: name, score }) => ({
      inputs: sum.inputs + cases.find((c) => c.id === name)!.oracles.length,
      wrong: sum.wrong + (score?.metrics['wrong_calls'] ?? 0),
    }),
    { inputs: 0, wrong: 0 },
  )
  expect(wrong).toBe(inputs)
  const measures = result.measures!.find(({ group }) => group === 'all')!.values
  expect(measures).toMatchObject({ 'Passed after a wrong call': cases.length, 'RESULT keys right': 1 })
  const [first] = cases
  const { items } = await evaluation.get<{ items: SampleAnswer[] }>(
    `/v1/evaluations/${id}/answers?case=${first!.id}`,
  )
  expect(items[0]?.transcripts?.map(({ input }) => input)).toEqual(first!.oracles.map((_, at) => at))
  expect(items[0]?.transcripts?.[0]?.messages.map(({ role }) => role).slice(0, 4)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ])
  const { result: rescored } = await evaluation.rescored(id)
  expect(JSON.stringify(rescored)).toBe(JSON.stringify(result))
  const { text } = await evaluation.call('GET', `/v1/evaluations/${id}/recording`)
  const { body } = await evaluation.call<{ id: string }>('POST', '/v1/recordings', { text })
  const asked = model.requests.length
  const { result: repeated } = await resultOf({ benchmark: set, recording: body.id })
  expect(JSON.stringify(repeated)).toBe(JSON.stringify(result))
  expect(model.requests).toHaveLength(asked)

  const { result: limited } = await resultOf({ ...request, limits: { turns: 1 } })
  expect(limited.verdicts).toMatchObject({ passed: 0, resource_limit: cases.length })
  expect(limited.samples[0]?.score?.evidence.differences[0]?.says).toBe(
    'submit_result was not called: the dialogue reached its limit of 1 reply',
  )
})

test('prompts are told without a world, and answered from a file; options that do not fit are refused', async () => {
  const file = await stateeval('prompts', '--benchmark', set, '--mode', 'tools', '--json')
  const prompts = file.value as { case: string; input: number; tools: object[]; ends: string }[]
  expect(prompts.map(({ case: name, input }) => [name, input])).toEqual(
    cases.flatMap(({ id, oracles }) => oracles.map((_, at) => [id, at])),
  )
  expect(prompts[0]).toMatchObject({ ends: 'submit_result', tools: expect.any(Array) })
  const toolCalls = [{ id: 'a', name: 'submit_result', arguments: '{"nothing": 1}' }]
  const answers = cases.map(({ id }) => ({ case: id, replies: [{ text: '', toolCalls, finish: 'stop' }] }))
  const { result } = await resultOf({ benchmark: set, answers })
  expect(result.verdicts).toMatchObject({ result_error: cases.length })
  expect(result.samples[0]?.score?.metrics).toMatchObject({ result_keys: 0, unexpected_changes: 0 })
  const refused = async (options: object) =>
    (
      await evaluation.call<{ field: string }>('POST', '/v1/evaluations', {
        benchmark: set,
        model: 'reference',
        ...options,
      })
    ).body.field
  expect(await refused({ mode: 'tools', language: 'python' })).toBe('/language')
  expect(await refused({ mode: 'tools', prompting: 'cot' })).toBe('/prompting')
  expect(await refused({ mode: 'tools', documentation: 'none' })).toBe('/documentation')
  expect(await refused({ limits: { turns: 3 } })).toBe('/limits')
})

test('tool sessions are removed with what they were opened for, also after crashes', async () => {
  const { context } = line.suite.services['evaluation'] as RunningService<EvaluationContext>
  const { mongo } = context.platform
  const listed = async (owner: string) =>
    until(async () => {
      const owned = { _id: { $gte: `${owner}:`, $lt: `${owner};` } }
      const marks = await mongo.shared('execution.tool-session-owners').find(owned).toArray()
      return marks.length > 0 ? marks.map(({ _id }) => _id.slice(owner.length + 1)) : null
    })
  /** What is left of sessions, by collection. */
  const left = async (sessions: readonly string[]) => {
    const names = ['tool-session-owners', 'tool-session-log', 'tool-sessions']
    const all = names.map((name) => mongo.shared(`execution.${name}`).find({}).toArray())
    return (await Promise.all(all)).map(
      (documents) => documents.filter(({ _id }) => sessions.some((id) => _id.includes(id))).length,
    )
  }
  const gone = (sessions: readonly string[]) =>
    until(async () => (await left(sessions)).every((count) => count === 0))

  let release = () => undefined as void
  const waiting = new Promise<void>((resolve) => (release = resolve))
  const slow = await startScriptedModel(async ({ messages }) => {
    await waiting
    return answer(messages as Message[])
  })
  await evaluation.model('slow', { baseUrl: slow.baseUrl, model: 'm' })
  const begun = async () => {
    const { id } = await evaluation.begin({ benchmark: set, model: 'slow', mode: 'tools' })
    return { id, sessions: await listed(id) }
  }
  const [cancelled, deleted] = [await begun(), await begun()]
  for (const { id } of [cancelled, deleted]) await evaluation.call('POST', `/v1/evaluations/${id}/cancel`)
  expect((await evaluation.call('DELETE', `/v1/evaluations/${deleted.id}`)).status).toBe(204)
  expect(await left(deleted.sessions)).toEqual([0, 0, 0])

  // It may be resumed, and finds its dialogues as they were.
  const tidying = {
    ...takeAllParts(context),
    isStored: (id: string, step: number) => isTurnStored(context.environment.documents, id, step),
  }
  await removeEnded(tidying)
  expect((await left(cancelled.sessions))[2]).toBe(cancelled.sessions.length)
  const later = () => new Date(Date.now() + 3_600_000)
  // Killed before each of the removals in turn.
  for (let survived = 0, isDone = false; !isDone; survived++) {
    let removals = 0
    const shared = (name: string) =>
      new Proxy(mongo.shared(name), {
        get: (target, key) =>
          key === 'deleteMany' && removals++ >= survived
            ? () => Promise.reject(new Error('killed'))
            : Reflect.get(target, key).bind(target),
      })
    const dying = { ...tidying, now: later, mongo: { ...mongo, shared: shared as typeof mongo.shared } }
    isDone = await removeEnded(dying).then(
      () => true,
      () => false,
    )
  }
  expect(await left(cancelled.sessions)).toEqual([0, 0, 0])

  const finished = await begun()
  const c = cases[0]!
  const request = { benchmark: set, case: c.id, mode: 'tools' }
  const base = line.suite.urls['evaluation']!
  const { body: episode } = await send<EpisodeResource>(base, 'POST', '/v1/episodes', request)
  const opened = await listed(episode.id)
  release()
  expect((await evaluation.ended(finished.id)).status).toBe('succeeded')
  const path = `/v1/episodes/${episode.id}/steps`
  await drive(
    episode,
    playerOf(c),
    async (step, reply) => (await send<EpisodeTurn>(base, 'POST', path, { step, reply })).body,
  )
  await gone([...finished.sessions, ...opened])
  expect((await evaluation.report(finished.id)).result.overall.passed).toBe(cases.length)
  await slow.close()
})

test('programs and tools are paired case by case', async () => {
  const of = async (...args: string[]) =>
    (await stateeval('evaluate', '--benchmark', set, ...args, '--json')).value as { evaluation: string }
  const [programs, tools] = [
    await of('--model', 'reference'),
    await of('--model', 'mine', '--mode', 'tools', '--limits', 'turns=1'),
  ]
  const { out, code } = await stateeval('compare', programs.evaluation, tools.evaluation)
  expect(code).toBe(0)
  expect(out).toMatch(/reference – mine +\d+ +\+100\.0 %/)
  for (const text of ['McNemar', 'completion tokens', 'seconds', 'Milestones reached', cases[0]!.id])
    expect(out).toContain(text)
})

/** Serves a case until its score is printed; `client` is how an agent gets there. */
async function served(c: Case, work: (url: string) => Promise<string>): Promise<Score> {
  const { createProgram } = await import('../apps/cli/src/program.ts')
  let [out, err] = ['', '']
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  }
  const run = createProgram(streams, new AbortController().signal)
  const code = run(['serve', c.id, '--mcp', '--benchmark', set, '--json'])
  const url = await until(() => /http:\S+\/mcp/.exec(err)?.[0])
  expect(await work(url)).toBe('RESULT was accepted. The task has ended.')
  expect(await code).toBe(0)
  return JSON.parse(out) as Score
}

test('an agent solves a case over MCP, and is scored', async () => {
  const [c] = cases
  const score = await served(c!, async (url) => {
    const client = await sdkClient(url)
    expect(await client.call('doItAll', {})).toMatchObject({ error: true })
    const last = await solve(c!, playerOf(c!), client)
    await client.close()
    return last
  })
  expect(score).toMatchObject({ passed: true, verdict: 'passed', metrics: { wrong_calls: 1 } })
})

;(python.ok ? test : test.skip)(
  'MCP’s own client for Python solves a case, over HTTP and stdio',
  async () => {
    if (!python.ok) return
    const [c] = cases
    await served(c!, async (url) => {
      const client = await pythonClient(python.bin('python'), [url])
      expect(client.first.tools).toContain('submit_result')
      const last = await solve(c!, playerOf(c!), client)
      client.child.kill()
      return last
    })
    const main = join(import.meta.dirname, '../apps/cli/src/main.ts')
    const command = [process.execPath, main, 'serve', c!.id, '--mcp', '--stdio', '--benchmark', set]
    const client = await pythonClient(python.bin('python'), command)
    expect(await solve(c!, playerOf(c!), client)).toBe('RESULT was accepted. The task has ended.')
    client.child.kill()
  },
)
