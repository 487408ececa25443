/**
 * A file of answers gives the same result as the endpoint that answered: to the byte, for each kind of
 * benchmark and each policy, whatever the endpoint did. STATEEVAL_LONG plays all kinds, and more cases.
 */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { benchmarks } from '@stateeval/benchmarks'
import type { BenchmarkCase, BenchmarkResource, GivenAnswer, Message } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import {
  isLong,
  type CommandLine,
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  startCommandLine,
  startScriptedModel,
  stateeval,
} from '@stateeval/testkit'
import { conversations } from '../benchmarks/complexfuncbench/sample/index.ts'
import { hereWith } from '../benchmarks/complexfuncbench/test/here.ts'
import { callerAt } from '../services/evaluation/test/over-http.ts'

const host = { scenario: (id: string) => scenarios.find((one) => one.id === id)! }
const kinds = benchmarks.map((make) => make(host))
const ofKind = (kind: string) => kinds.find((one) => one.kind === kind)!
const root = join(import.meta.dirname, '..')
const files = {
  'conversations.jsonl': conversations
    .split('\n')
    .slice(0, isLong ? 12 : 6)
    .join('\n'),
}

let line: CommandLine
const caller = callerAt(() => line.suite.urls['evaluation']!)

interface AnswerTask {
  benchmark: Pick<(typeof kinds)[number], 'player' | 'policies'>
  set: string
  options: Record<string, string>
  /** Of each case; a set of one case has several. */
  samples?: number
}

const build = {
  scenario: 'session-service',
  programs: 12,
  keep: isLong ? 12 : 6,
  seed: 1,
  languages: ['javascript'],
}
/** Functions of a world take less than requests to it, and a default run needs either. */
const programs = async () =>
  (await caller.buildSet({ ...build, scenario: isLong ? build.scenario : 'elevenlabs-mcp' })).id
const nested = async () => (await caller.buildSet({ ...build, seed: 3 }, { kind: 'nestful' })).id
const documented = async () => (await caller.buildSet(build, { kind: 'llm-only' })).id
async function conversationSet(): Promise<string> {
  const path = '/v1/benchmarks/datasets'
  const { body } = await caller.call<BenchmarkResource>('POST', path, { kind: 'complexfuncbench', files })
  return body.id
}
async function publishedSet(): Promise<string> {
  const [from, to] = [join(root, 'benchmarks/stateeval-published/sample'), join(line.scratch, 'published')]
  for (const part of ['session', 'voice.jsonl'])
    await cp(join(from, part), join(to, part), { recursive: true })
  return (await stateeval('import', 'stateeval', to, '--no-check', '--json')).value.id as string
}
async function requestSet(): Promise<string> {
  const folder = join(root, 'benchmarks/wapiibench/sample')
  const { value } = await stateeval('evaluate', '--benchmark', folder, '--model', 'reference', '--json')
  return (await caller.get<{ benchmark: string }>(`/v1/evaluations/${value.evaluation}`)).benchmark
}
const talking = hereWith(files).benchmark

interface PlannedTask extends Omit<AnswerTask, 'set'> {
  set: () => Promise<string>
  /** It is played with STATEEVAL_LONG only. */
  isLong?: true
}
const tasks: Record<string, PlannedTask> = {
  programs: { benchmark: ofKind('stateeval'), set: programs, options: {}, isLong: true },
  'tools of a live world': { benchmark: ofKind('stateeval'), set: programs, options: { mode: 'tools' } },
  'nested calls': {
    benchmark: ofKind('nestful'),
    set: nested,
    options: { setup: 'one-shot', layout: 'hermes' },
  },
  'nested calls by tools': {
    benchmark: ofKind('nestful'),
    set: nested,
    options: { setup: 'tools' },
    isLong: true,
  },
  'published programs': {
    benchmark: ofKind('stateeval-published'),
    set: publishedSet,
    options: {},
    isLong: true,
  },
  'programs from documentation': {
    ...{ benchmark: ofKind('llm-only'), set: documented, options: {}, samples: 6 },
    isLong: true,
  },
  'API calls': { benchmark: ofKind('wapiibench'), set: requestSet, options: {}, isLong: true },
  dialogues: { benchmark: talking, set: conversationSet, options: {} },
  'dialogues in texts': {
    benchmark: talking,
    set: conversationSet,
    options: { layout: 'qwen' },
    isLong: true,
  },
}
const played = Object.keys(tasks).filter((name) => isLong || !tasks[name]?.isLong)

beforeAll(async () => {
  line = await startCommandLine()
})
afterAll(() => line?.stop())

/**
 * The reference's replies, and by the number of the case, or of the question about the only case, what may
 * come in their place: a server that is down, a prompt that a moderation rejects, at the beginning or later,
 * a dialogue that outgrows the context, an answer that is cut, and words in place of calls, which make a
 * dialogue of one reply.
 */
function replyTo(
  { benchmark, options }: AnswerTask,
  cases: readonly BenchmarkCase[],
  request: ScriptedRequest,
): Script {
  const { messages } = request
  const asked = cases.findIndex((c) =>
    messages.some(({ role, content }) => role !== 'tool' && content?.includes(c.instruction.trim())),
  )
  // The prompt of an only case may have other words.
  const [at, n] = cases.length > 1 ? [asked, asked] : [0, request.count]
  const answer =
    cases[at] &&
    benchmark.player(cases[at], { prompting: 'direct', ...options })?.({
      role: 'model',
      messages: messages as Message[],
    })
  if (!answer) throw new Error(`no case, or no reply: ${JSON.stringify(messages).slice(0, 500)}`)
  const turn = messages.filter(({ role }) => role === 'assistant').length
  const { text, finish, toolCalls } = answer
  const rejected = { status: 400, message: 'this prompt is blocked', code: 'content_filter' }
  if (n === 1 && turn === 0) return { status: 500, message: 'out of memory' }
  if (n === 2 && turn === 0) return rejected
  if (n === 3 && turn === 1) return { status: 400, message: 'too long', code: 'context_length_exceeded' }
  if (n === 5 && turn === 1) return rejected
  if (n === 0 && toolCalls) return { say: 'There is nothing to do.' }
  return {
    say: n === 4 ? text.slice(0, text.length / 2) : text,
    finish: n === 4 ? 'length' : finish,
    ...(toolCalls && {
      toolCalls: toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })),
    }),
  }
}

test.each(played)('%s: a file of the answers has the same result', async (name) => {
  const planned = tasks[name]!
  const task: AnswerTask = { ...planned, set: await planned.set() }
  const cases = await caller.cases(task.set)
  const models: ScriptedModel[] = []
  try {
    const model = await startScriptedModel((request) => replyTo(task, cases, request))
    models.push(model)
    await caller.model('mine', { baseUrl: model.baseUrl, model: name, retries: 0 })
    for (const policy of task.benchmark.policies ?? [undefined]) {
      const options = { ...task.options, ...(policy !== undefined && { policy }) }
      const { samples } = task
      const repeated = samples === undefined ? {} : { samples }
      const request = { benchmark: task.set, model: 'mine', ...options, ...repeated }
      const { body: begun } = await caller.call<{ id: string; field?: string }>(
        'POST',
        '/v1/evaluations',
        request,
      )
      // Cases of published dialogues have no live world.
      if (begun.field === '/policy') continue
      const { id } = begun
      const ended = await caller.ended(id)
      expect([ended.status, ended.error]).toEqual(['succeeded', undefined])
      const { result } = await caller.report(id)
      const { value } = (await stateeval('answers', id, '--json')) as { value: GivenAnswer[] }
      const file = join(line.scratch, 'answers.jsonl')
      await writeFile(file, value.map((one) => JSON.stringify(one)).join('\n'))
      const args = Object.entries({ ...options, ...repeated }).flatMap(([option, value]) => [
        `--${option}`,
        String(value),
      ])
      const again = await stateeval(
        'evaluate',
        '--benchmark',
        task.set,
        '--answers',
        file,
        '--label',
        'mine',
        ...args,
        '--json',
      )
      expect([again.code, again.err]).toEqual([0, expect.anything()])
      expect(JSON.stringify(again.value.result)).toBe(JSON.stringify(result))
      // It is a test only if something went wrong in it, at any turn.
      const { failed, moderation, ...others } = result.notScoredByReason ?? {}
      const isDialogue = name === 'tools of a live world' || name.startsWith('dialogues')
      expect([failed, moderation, others]).toEqual([1, isDialogue ? 2 : 1, {}])
      expect(result.overall.scored).toBeGreaterThan(0)
    }
  } finally {
    await Promise.all(models.map((one) => one.close()))
  }
})
