/** Answers as long as an endpoint may give them: evaluation and scoring answer others while they are read. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { BenchmarkResource, Case, ScoredSample } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { type ScriptedModel, type Servers, startScriptedModel, startServers, startSuite, type Suite } from '@stateeval/testkit'
import { longest } from '@stateeval/testkit/long-texts'
import { callerAt, caseIn } from './over-http.ts'

jest.setTimeout(600_000)

let servers: Servers
let suite: Suite
let set: BenchmarkResource
let cases: Case[]
let endpoint: ScriptedModel | undefined
const caller = callerAt(() => suite.urls['evaluation']!)

beforeAll(async () => {
  servers = await startServers()
  suite = await startSuite({ servers })
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
  set = await caller.built({ scenario: 'session-service', strategy: 'coverage', programs: 11, keep: 6, seed: 3 })
  cases = await caller.cases(set.id)
}, 600_000)
afterAll(async () => {
  await suite?.stop()
  await endpoint?.close()
  await servers?.stop()
})

const filled = (head: string, unit: string, tail: string) => {
  const left = longest - head.length - tail.length
  return head + unit.repeat(Math.ceil(left / unit.length)).slice(0, left) + tail
}

test('hostile answers of two million characters are read beside everything else', async () => {
  const code = (c: Case) => emit(c.program, 'javascript')!
  const answers: ((c: Case) => string)[] = [
    () => filled('Here\n', '\n', 'x'),
    (c) => filled('', '\n', `\n\`\`\`javascript\n${code(c)}\n\`\`\``),
    (c) => filled(`${code(c)}\n`, '```\n', 'x'),
    (c) => filled('', '<think>\n', `</think>\n\`\`\`js\n${code(c)}\n\`\`\``),
    () => filled('const a = 1;\n', ' \n', '\nRESULT = { a };'),
    (c) => filled(`\`\`\`js\n${code(c)}\n\`\`\`\n`, 'Answer: ```\n', ''),
  ]
  const server = (endpoint = await startScriptedModel((request) => {
    const c = caseIn(cases, request)
    return { say: answers[cases.indexOf(c)]!(c) }
  }))
  await caller.model('long-winded', { baseUrl: server.baseUrl, model: 'x' })
  const { id } = await caller.begin({ benchmark: set.id, model: 'long-winded' })
  let over = false
  const waits: number[] = []
  const watching = (async () => {
    while (!over) {
      const begun = performance.now()
      await Promise.all(['evaluation', 'scoring', 'translation'].map((name) => fetch(`${suite.urls[name]!}/health/live`)))
      waits.push(performance.now() - begun)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const ended = await caller.ended(id)
  over = true
  await watching
  expect(ended).toMatchObject({ status: 'succeeded', counts: { samples: cases.length, scored: cases.length } })
  console.info(
    `slowest answers of /health/live: ${waits
      .sort((a, b) => b - a)
      .slice(0, 5)
      .map(Math.round)
      .join(', ')} ms of ${waits.length}`,
  )
  expect(Math.max(...waits)).toBeLessThan(1000)
  const { body } = await caller.call<{ items: ScoredSample[] }>('GET', `/v1/evaluations/${id}/results?limit=50`)
  const verdicts = cases.map((c) => body.items.find((one) => one.case === c.id)?.score?.verdict)
  expect(verdicts).toEqual(['no_code', 'passed', 'passed', 'passed', 'result_error', 'passed'])
})
