/**
 * Answers as long as an endpoint may give them: evaluation answers others while they are read. With
 * STATEEVAL_LONG; that reading takes linear time is tested in every run (packages/score, benchmarks).
 */
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, Case, ScoredSample } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import {
  isLong,
  patience,
  type ScriptedModel,
  type Servers,
  type ServiceProcess,
  startProcess,
  startScriptedModel,
  startServers,
  startSuite,
  type Suite,
} from '@stateeval/testkit'
import { oneOf } from '@stateeval/testkit/each-time'
import { longest } from '@stateeval/testkit/long-texts'
import { callerAt, caseIn } from './over-http.ts'

const whenLong = isLong ? test : test.skip

let servers: Servers
let suite: Suite
let service: ServiceProcess
let set: BenchmarkResource
let cases: Case[]
let endpoint: ScriptedModel | undefined
const caller = callerAt(() => service.url)

beforeAll(async () => {
  servers = await startServers()
  suite = await startSuite({ servers, only: ['trace-generation', 'translation', 'execution', 'scoring'] })
  service = await startProcess('evaluation', suite.env)
  set = await caller.buildSet({
    scenario: 'elevenlabs-mcp',
    strategy: 'coverage',
    programs: 11,
    keep: 6,
    seed: 3,
  })
  cases = await caller.cases(set.id)
})
afterAll(async () => {
  await service?.kill()
  await suite?.stop()
  await endpoint?.close()
  await servers?.stop()
})

/**
 * Asks a service in a thread of its own, which waits for nobody else, whether it lives; gives how long its
 * answers took, the slowest first.
 */
function watcher(url: string) {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const waits = []
    let over = false
    parentPort.once('message', () => { over = true })
    const ask = async () => {
      while (!over) {
        const begun = performance.now()
        await (await fetch(workerData + '/health/live')).text()
        waits.push(performance.now() - begun)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      parentPort.postMessage(waits.sort((a, b) => b - a))
    }
    void ask()`
  const thread = new Worker(code, { eval: true, workerData: url, execArgv: [], env: {} })
  return {
    async end(): Promise<number[]> {
      const answer = new Promise<number[]>((resolve, reject) =>
        thread.once('message', resolve).once('error', reject),
      )
      thread.postMessage('end')
      const waits = await answer
      await thread.terminate()
      return waits
    },
  }
}

const filled = (head: string, unit: string, tail: string) => {
  const left = longest - head.length - tail.length
  return head + unit.repeat(Math.ceil(left / unit.length)).slice(0, left) + tail
}

whenLong('hostile answers of two million characters are read beside everything else', async () => {
  const code = (c: Case) => emit(c.program, 'javascript')!
  const answers: ((c: Case) => string)[] = [
    () => filled('Here\n', '\n', 'x'),
    (c) => filled('', '\n', `\n\`\`\`javascript\n${code(c)}\n\`\`\``),
    (c) => filled(`${code(c)}\n`, '```\n', 'x'),
    (c) => filled('', '<think>\n', `</think>\n\`\`\`js\n${code(c)}\n\`\`\``),
    // Longer than code may be.
    () => filled('const a = 1;\n', ' \n', '\nRESULT = { a };'),
    (c) => filled(`\`\`\`js\n${code(c)}\n\`\`\`\n`, 'Answer: ```\n', ''),
  ]
  const server = (endpoint = await startScriptedModel((request) => {
    const c = caseIn(cases, request)
    return { say: answers[cases.indexOf(c)]!(c) }
  }))
  await caller.model('long-winded', { baseUrl: server.baseUrl, model: 'x' })
  let id = ''
  // Reading one of these in place takes a second each time; a busy machine is slow now and then.
  await oneOf(5, async () => {
    ;({ id } = await caller.begin({ benchmark: set.id, model: 'long-winded' }))
    const watch = watcher(service.url)
    const ended = await caller.ended(id)
    const waits = await watch.end()
    expect(ended).toMatchObject({
      status: 'succeeded',
      counts: { samples: cases.length, scored: cases.length },
    })
    console.info(
      `the slowest of ${waits.length} answers of /health/live: ${waits.slice(0, 5).map(Math.round).join(', ')} ms`,
    )
    expect(waits[0]).toBeLessThan(patience(500))
  })
  const { body } = await caller.call<{ items: ScoredSample[] }>(
    'GET',
    `/v1/evaluations/${id}/results?limit=50`,
  )
  const verdicts = cases.map((c) => body.items.find((one) => one.case === c.id)?.score?.verdict)
  expect(verdicts).toEqual(['no_code', 'passed', 'passed', 'passed', 'syntax_error', 'passed'])
})
