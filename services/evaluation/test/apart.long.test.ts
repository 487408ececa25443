/**
 * Steps that read long texts happen in a thread: others get their turns meanwhile, and the outcome is the
 * same.
 */
import {
  type ItemAnswer,
  opinionFlow,
  type SampleContext,
  sampleFlow,
  type SampleState,
} from '@stateeval/flows'
import { afterAll, expect, test } from '@jest/globals'
import { emit } from '@stateeval/program'
import { WritingOptions } from '@stateeval/contracts'
import { createChecker, createThreads } from '@stateeval/service-kit'
import { pickForRun } from '@stateeval/testkit'
import { longest as longestAnswer } from '@stateeval/testkit/long-texts'
import { partial } from '@stateeval/testkit/partial'
import { benchmark, cases } from '../../../benchmarks/stateeval/test/cases.ts'
import { openSource } from '../src/owners/task-source.ts'
import { bindThreadFlow, type SampleStores, sampleItem } from '@stateeval/jobs'

/** A default run reads less, which takes many turns as well. */
const longest = pickForRun(longestAnswer / 4, longestAnswer)
const threads = createThreads(new URL('../src/threads/thread.ts', import.meta.url))
afterAll(() => threads.close())

const [c] = cases(1)
const right = emit(c!.program, 'javascript')!
const sampleContext: SampleContext = {
  benchmark,
  case: c!,
  sample: 0,
  item: 'ev_1/samples/0000000',
  responder: { kind: 'endpoint', name: 'm', settings: { baseUrl: 'http://127.0.0.1/v1', model: 'x' } },
  options: { language: 'javascript', prompting: 'direct', seed: 1 },
}
const values: unknown[] = []
const stores = partial<SampleStores>({
  artifacts: {
    putJson: async (value: unknown) => String(values.push(value) - 1),
    getJson: async (at: string) => values[Number(at)],
  },
  cache: (_, make) => make(),
  threads,
})

/** How often others had their turn while work was done. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; outcome: T }> {
  let turns = 0
  let over = false
  const turn = () => {
    turns++
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  const outcome = await work()
  over = true
  return { turns, outcome }
}

test.each([
  ['newlines', (tail: string) => `Here\n${'\n'.repeat(longest)}${tail}`],
  ['fences', (tail: string) => `${'```text\nx\n```\n'.repeat(longest / 14)}${tail}`],
])('an answer full of %s', async (_, fill) => {
  const text = fill(`\n\`\`\`javascript\n${right}\n\`\`\``)
  const answer: ItemAnswer = {
    ok: true,
    value: {
      text,
      usage: { requests: 1, promptTokens: 1, completionTokens: 1 },
      retries: 0,
      repeated: 0,
      place: 'p',
    },
  }
  const item = sampleItem(stores, sampleContext)
  const first = sampleFlow.start(sampleContext)
  const state = ('state' in first && first.state) as SampleState
  const { turns, outcome } = await turnsDuring(async () => item.resume(state, answer))
  expect(turns).toBeGreaterThan(20)
  const here = sampleFlow.resume(state, answer, sampleContext, [])
  const sent = (step: unknown) => (step as { state: { need: unknown } }).state.need
  expect(sent(outcome)).toEqual(JSON.parse(JSON.stringify(sent(here))))
  expect(sent(here)).toMatchObject({ request: { code: expect.stringContaining('RESULT') } })
})

test('an answer that was given elsewhere is read there from the start', async () => {
  const replayContext: SampleContext = {
    ...sampleContext,
    responder: { kind: 'given', replies: [{ text: `${'\n'.repeat(longest)}no code`, finish: 'stop' }] },
  }
  const { turns, outcome } = await turnsDuring(async () => sampleItem(stores, replayContext).start())
  expect(turns).toBeGreaterThan(20)
  expect(outcome).toMatchObject({ state: { step: 'score' } })
})

test('where no thread knows the benchmark, the candidate is not blamed', async () => {
  const unknown = { ...sampleContext, benchmark: { ...benchmark, kind: 'elsewhere' } }
  const first = sampleFlow.start(unknown)
  const state = ('state' in first && first.state) as SampleState
  const value = { text: '\n'.repeat(longest), usage: { requests: 1 }, retries: 0, repeated: 0, place: 'p' }
  await expect(async () => sampleItem(stores, unknown).resume(state, { ok: true, value })).rejects.toThrow(
    'no thread can begin this sample: this version has no benchmark elsewhere',
  )
})

test('short answers are read in place', () => {
  const first = sampleItem(stores, {
    ...sampleContext,
    responder: { kind: 'given', replies: [{ text: 'no', finish: 'stop' }] },
  }).start()
  expect(first).toMatchObject({ state: { step: 'score' } })
})

test('a second opinion', async () => {
  const by = {
    kind: 'endpoint',
    name: 'm',
    settings: { baseUrl: 'http://127.0.0.1/v1', model: 'x' },
  } as const
  const { read } = benchmark.reporting!.opinions!
  const plain = { by, messages: [] }
  const item = bindThreadFlow(
    threads,
    [opinionFlow, { ...plain, read }],
    ['opinion', { ...plain, benchmark: benchmark.kind }],
  )
  const text = `${'\n'.repeat(longest)}Cause: documentation_misread\nBecause: it did.`
  const answer: ItemAnswer = {
    ok: true,
    value: { text, usage: { requests: 1 }, retries: 0, repeated: 0, place: 'p' },
  }
  const { turns, outcome } = await turnsDuring(async () => item.resume({ step: 'ask' }, answer))
  expect(turns).toBeGreaterThan(20)
  expect(outcome).toMatchObject({ done: { opinion: { cause: 'documentation_misread', because: 'it did.' } } })
})

test('a large specification', async () => {
  const operation = (n: number) => ({
    get: {
      summary: `Reads shelf ${n}, ${'with all that stands on it, '.repeat(20)}`,
      parameters: Array.from({ length: 10 }, (_, at) => ({
        ...{ name: `filter_${at}`, in: 'query', description: 'What is kept.', schema: { type: 'string' } },
      })),
    },
  })
  // 13 MB in a long run.
  const paths = Array.from({ length: pickForRun(200, 8000) }, (_, n) => [`/shelves/${n}`, operation(n)])
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: Object.fromEntries(paths),
  }
  const bundle = { specification: JSON.stringify(document), prompts: {} }
  const options = createChecker(WritingOptions).complete({ id: 'large' })
  const { turns, outcome } = await turnsDuring(() =>
    openSource({ threads }, 'wapiibench', bundle, options, true),
  )
  expect(turns).toBeGreaterThan(20)
  expect(outcome.targets).toHaveLength(paths.length)
})
