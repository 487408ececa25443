/**
 * `reflect` through the flow of a sample, with the real benchmark: asked, run, shown its error, asked again,
 * scored with both.
 */
import { expect, test } from '@jest/globals'
import { getFirstAnswer } from '@stateeval/program'
import type { ExecutionRequest, JsonValue, Observation } from '@stateeval/contracts'
import { benchmark, cases, predict } from '../../../benchmarks/stateeval/test/cases.ts'
import { type ItemNeed } from '../src/flow.ts'
import type { SampleContext, SampleOutcome } from '../src/sample.ts'
import { sampleFlow } from '../src/sample-flow.ts'
import { codeOf, scoreOf } from './led.ts'

const [c] = cases(1)
const right = getFirstAnswer(benchmark.player(c!, { language: 'javascript', prompting: 'direct' })) as string
const context: SampleContext = {
  benchmark,
  case: c!,
  sample: 0,
  item: 'ev_1/samples/0000000',
  responder: { kind: 'endpoint', name: 'm', settings: { baseUrl: 'http://127.0.0.1/v1', model: 'x' } },
  options: { language: 'javascript', prompting: 'reflect', rounds: 2, seed: 1 },
}

/** Fulfils every need; states cross JSON as they do in the store. */
function lead(
  answers: string[],
  from: SampleContext = context,
): { out: SampleOutcome; questionCount: number; prompts: string[]; requests: ExecutionRequest[] } {
  const prompts: string[] = []
  const requests: ExecutionRequest[] = []
  const run = (request: ExecutionRequest): Observation[] =>
    c!.oracles.map(({ input }) => {
      const observation = predict(c!.program, input)
      if (request.code.trim() === right.split('\n').slice(1, -2).join('\n').trim()) return observation
      return {
        ...observation,
        ending: { status: 'threw', error: { name: 'TypeError', message: 'x is undefined', line: 1 } },
      }
    })
  const fulfil = (need: ItemNeed): unknown => {
    if (need.kind === 'ask') {
      prompts.push(need.payload.messages.map(({ content }) => content).join('\n'))
      return {
        text: answers[prompts.length - 1],
        finish: 'stop',
        usage: { requests: 1, promptTokens: 10, completionTokens: 5 },
      }
    }
    if (need.kind === 'execute') {
      const request = codeOf(need)
      const { seeds = c!.oracles.map((_, input) => `${requests.length}${input}`.padStart(32, '0')) } = request
      requests.push(request)
      return {
        observations: run(request).map((observation, input) => ({ ...observation, seed: seeds[input] })),
        runtime: 'r',
      }
    }
    return scoreOf(benchmark, need)
  }
  let next = sampleFlow.start(from)
  while (!('done' in next)) {
    const state = JSON.parse(JSON.stringify(next.state)) as typeof next.state
    const { entries } = state.log
    next = sampleFlow.resume(
      state,
      { ok: true, value: fulfil(sampleFlow.need(state, from, entries)) as JsonValue },
      from,
      entries,
    )
  }
  return { out: next.done, questionCount: prompts.length, prompts, requests }
}

test('a second try that passes: both verdicts are in the score, all tokens in the usage', () => {
  const { out, questionCount, prompts } = lead(['```js\nRESULT = x.y\n```', right])
  expect(questionCount).toBe(2)
  expect(prompts[1]).toContain('TypeError: x is undefined')
  expect(prompts[1]).toContain('`RESULT = x.y`')
  expect(out.usage).toMatchObject({ requests: 2, promptTokens: 20 })
  expect(out.scored.score).toMatchObject({
    passed: true,
    metrics: { pass: 1, first_pass: 0, attempts: 2 },
    attempts: [{ verdict: 'execution_error' }, { verdict: 'passed' }],
  })
})

test('rounds end it, and the last failure is the verdict', () => {
  const { out, questionCount } = lead([
    '```js\nRESULT = x.y\n```',
    'I don’t know.',
    '```js\nRESULT = x.z\n```',
    right,
  ])
  expect(questionCount).toBe(3)
  expect(out.scored.score?.attempts?.map(({ verdict }) => verdict)).toEqual([
    'execution_error',
    'no_code',
    'execution_error',
  ])
})

test('a first try that passes is one attempt; who cannot be asked again answers once', () => {
  expect(lead([right]).questionCount).toBe(1)
  const replayContext: SampleContext = {
    ...context,
    responder: { kind: 'given', replies: [{ text: '```js\nRESULT = x.y\n```', finish: 'stop' }] },
  }
  expect(lead([], replayContext).out.scored.score).toMatchObject({ verdict: 'execution_error' })
})

test('worlds of runs after which the model was asked again have the same ids when a recording repeats them', () => {
  const answers = ['```js\nRESULT = x.y\n```', right]
  const first = lead(answers)
  const { seeds } = first.out
  expect(Object.keys(seeds ?? {})).toEqual(c!.oracles.map((_, input) => `run 0, input ${input}`))
  expect(first.requests.map(({ seeds: requestSeeds }) => requestSeeds)).toEqual([undefined, undefined])
  const again = lead(answers, { ...context, seeds: seeds! })
  expect(again.requests[0]!.seeds).toEqual(Object.values(seeds!))
  // Nothing was said after the last run: its world may have any ids.
  expect(again.requests[1]!.seeds).toBeUndefined()
  expect(again.out).toEqual(first.out)
})
