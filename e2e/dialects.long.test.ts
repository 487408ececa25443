/**
 * Evaluations of models at endpoints that play each dialect, over the services: programs, dialogues of
 * ComplexFuncBench, NESTFUL by tools, and tools of a live world. Whoever answers as the reference does
 * passes, in any dialect. STATEEVAL_LONG plays all dialects, and each task whole and streamed; a default run
 * does so in turn.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { benchmarks } from '@stateeval/benchmarks'
import {
  type BenchmarkResource,
  type Case,
  type DialectId,
  dialectIds,
  type Message,
  type Report,
} from '@stateeval/contracts'
import { type StoredAnswer, type KeptAnswer, readerVersion } from '@stateeval/models'
import { scenarios } from '@stateeval/scenarios'
import {
  isLong,
  pickForRun,
  playedDialects,
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  startScriptedModel,
  startSuite,
  type Suite,
} from '@stateeval/testkit'
import { conversations } from '../benchmarks/complexfuncbench/sample/index.ts'
import { hereWith } from '../benchmarks/complexfuncbench/test/here.ts'
import { callerAt } from '../services/evaluation/test/over-http.ts'

/** One that teaches, one that wants other forms, and one with much around its answers. */
const played: readonly DialectId[] = isLong ? dialectIds : ['openai', 'mistral', 'openrouter']

let suite: Suite
const caller = callerAt(() => suite.urls['evaluation']!)
const host = { scenario: (id: string) => scenarios.find((one) => one.id === id)! }
const kinds = benchmarks.map((make) => make(host))
const ofKind = (kind: string) => kinds.find((one) => one.kind === kind)!
const files = { 'conversations.jsonl': conversations.split('\n').slice(0, 2).join('\n') }

/** A set with its cases, and the options of its evaluations. */
interface Task {
  benchmark: Pick<(typeof kinds)[number], 'player'>
  options: object
  set: string
  cases: Case[]
}
const tasks: Record<string, Task> = {}
/** Whether answers are streamed: both in a long run, else every other test's are. */
const streamings = (at: number) => (isLong ? [false, true] : [at % 2 === 1])

/** The reference's reply to the messages of a case. */
function reply({ benchmark, options, cases }: Task, { messages }: ScriptedRequest): Script {
  const of = cases.find(({ instruction }) =>
    messages.some(({ role, content }) => role !== 'tool' && content?.includes(instruction.trim())),
  )
  const answer =
    of &&
    benchmark.player(of, { prompting: 'direct', ...options })?.({
      role: 'model',
      messages: messages as Message[],
    })
  if (!answer) throw new Error(`no case, or no reply: ${JSON.stringify(messages).slice(0, 500)}`)
  const { text, finish, toolCalls } = answer
  return {
    say: text,
    finish,
    ...(toolCalls && {
      toolCalls: toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })),
    }),
  }
}

async function prepare(name: string, set: string, task: Pick<Task, 'benchmark' | 'options'>): Promise<void> {
  tasks[name] = { ...task, set, cases: await caller.cases(set) }
}

beforeAll(async () => {
  suite = await startSuite()
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  const { id } = await caller.importSample(pickForRun(1, 2))
  await prepare('programs', id, { benchmark: ofKind('stateeval'), options: {} })
  await prepare('tools of a live world', id, { benchmark: ofKind('stateeval'), options: { mode: 'tools' } })
  const imported = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/datasets', {
    kind: 'complexfuncbench',
    files,
  })
  await prepare('dialogues', imported.body.id, { benchmark: hereWith(files).benchmark, options: {} })
  const build = { scenario: 'session-service', programs: 6, keep: 2, seed: 3 }
  const nested = await caller.buildSet(build, { kind: 'nestful' })
  await prepare('nested calls', nested.id, { benchmark: ofKind('nestful'), options: { setup: 'tools' } })
})
afterAll(async () => {
  await suite?.stop()
})

test.each(
  played.flatMap((dialect, row) =>
    ['programs', 'tools of a live world', 'dialogues', 'nested calls'].map(
      (task, column): [DialectId, string, boolean[]] => [dialect, task, streamings(row + column)],
    ),
  ),
)('%s: %s', async (dialect, name, streamed) => {
  const task = tasks[name]!
  const endpoints: ScriptedModel[] = []
  try {
    for (const stream of streamed) {
      const endpoint = await startScriptedModel((request) => reply(task, request), playedDialects[dialect])
      endpoints.push(endpoint)
      await caller.model('mine', {
        baseUrl: endpoint.baseUrl,
        model: 'm',
        dialect,
        stream,
        parameters: { max_tokens: 4000, temperature: 0 },
      })
      const { id } = await caller.begin({ benchmark: task.set, model: 'mine', ...task.options })
      const { status, error } = await caller.ended(id)
      expect([status, error]).toEqual(['succeeded', undefined])
      const { result, run }: Report = await caller.report(id)
      const { length } = task.cases
      expect(result.overall).toMatchObject({ scored: length, passed: length })
      expect(run.usage?.completionTokens).toBeGreaterThan(0)
    }
  } finally {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()))
  }
})

test.each(
  ['programs', 'nested calls'].flatMap((name, at) =>
    streamings(at).map((stream): [string, boolean] => [name, stream]),
  ),
)(
  '%s, streamed %s: a reply that another version has read is read again, not asked again',
  async (name, stream) => {
    const task = tasks[name]!
    const { length } = task.cases
    const endpoint = await startScriptedModel((request) => reply(task, request))
    const evaluate = async () => {
      const { id } = await caller.begin({ benchmark: task.set, model: 'reader', ...task.options })
      expect(await caller.ended(id)).toMatchObject({ status: 'succeeded' })
      return { id, ...(await caller.report(id)) }
    }
    try {
      await caller.model('reader', { baseUrl: endpoint.baseUrl, model: 'm', stream })
      const first = await evaluate()
      expect(first.result.overall).toMatchObject({ scored: length, passed: length })
      const asked = endpoint.requests.length
      const stored = suite.services['evaluation']!.platform.mongo.shared<StoredAnswer>('answers')
      let count = 0
      for (const { _id, text } of await stored.find().toArray()) {
        const { reply: own, toolCalls: _, ...answer } = JSON.parse(text) as KeptAnswer
        if (answer.by !== first.id || !own) continue
        count++
        const misread = { ...answer, text: 'misread', reply: { ...own, reader: readerVersion - 1 } }
        await stored.updateOne({ _id }, { $set: { text: JSON.stringify(misread) } })
      }
      expect(count).toBe(asked)
      for (const _ of [1, 2]) {
        const again = await evaluate()
        expect(again.result.overall).toMatchObject({ scored: length, passed: length })
        expect([again.run.kept, again.run.usage?.requests]).toEqual([asked, 0])
      }
      expect(endpoint.requests).toHaveLength(asked)
      // An evaluation's own answers stay as they were read for it.
      const { text } = await caller.call('GET', `/v1/evaluations/${first.id}/recording`)
      expect(text.match(/"text":"misread"/g)).toHaveLength(asked)
    } finally {
      await endpoint.close()
    }
  },
)

/** A message of the model as it goes back. */
interface SentReply {
  role: string
  content: string | null
  tool_calls?: object[]
  reasoning_content?: string
}
const thought = '<think>\nI had better look first.\n</think>\n\n'
/** Where a model thinks, and what of it goes back: what its vendor demands. */
const thinking: readonly [
  where: string,
  dialect: DialectId,
  inText: boolean,
  checks: (reply: SentReply) => void,
][] = [
  [
    'reasoning_content',
    'deepseek',
    false,
    // DeepSeek refuses calls without their thought, and refused other messages with one.
    ({ tool_calls: calls, reasoning_content: back, content }) => {
      expect(back).toBe(calls ? 'let me see' : undefined)
      expect(content ?? '').not.toContain('<think>')
    },
  ],
  [
    'the text',
    'vllm',
    true,
    // Chat templates cut it themselves, or want it (MiniMax M2): it stays what the model wrote.
    ({ content }) => expect(content?.startsWith(thought)).toBe(true),
  ],
]

test.each(
  thinking.flatMap(([where, ...rest], row) =>
    ['dialogues', 'tools of a live world', 'nested calls'].map(
      (task, column) => [where, task, streamings(row + column), ...rest] as const,
    ),
  ),
)('a model that thinks in %s: %s', async (_, name, streamed, dialect, inText, check) => {
  const task = tasks[name]!
  const sent: SentReply[] = []
  const { thoughts, ...plain } = playedDialects[dialect]
  const think = (request: ScriptedRequest): Script => {
    sent.push(...(request.messages as SentReply[]).filter(({ role }) => role === 'assistant'))
    const script = reply(task, request)
    return inText && 'say' in script ? { ...script, say: `${thought}${script.say}` } : script
  }
  for (const stream of streamed) {
    const endpoint = await startScriptedModel(
      think,
      inText ? plain : { ...plain, ...(thoughts && { thoughts }) },
    )
    try {
      await caller.model('thinker', {
        baseUrl: endpoint.baseUrl,
        model: `${name} ${stream}`,
        dialect,
        stream,
      })
      const { id } = await caller.begin({
        benchmark: task.set,
        model: 'thinker',
        fresh: true,
        ...task.options,
      })
      expect(await caller.ended(id)).toMatchObject({ status: 'succeeded' })
      const { length } = task.cases
      expect((await caller.report(id)).result.overall).toMatchObject({ scored: length, passed: length })
    } finally {
      await endpoint.close()
    }
  }
  if (name !== 'nested calls') expect(sent.filter((one) => one.tool_calls).length).toBeGreaterThan(1)
  for (const one of sent) check(one)
})
