/**
 * Adapters of environments by the real packages from PyPI, and a training over the environment server. Part
 * of the long tests.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, ReferenceAnswer } from '@stateeval/contracts'
import { isLong, startSuite, type Suite } from '@stateeval/testkit'
import '../packages/testkit/src/dialogue/register.ts'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { listReferenceReplies } from '../packages/testkit/src/dialogue/player.ts'
import { startEverybody } from './dialogue/everybody.ts'
import { exampleFolder } from '../packages/contracts/src/examples/imports.ts'
import { longPythonTools } from '../scripts/python-tools.ts'
import { send } from './episodes/agent.ts'
import { python } from './episodes/python.ts'

const tools = longPythonTools('environments')
if (!tools.ok) console.info(`skipped: adapters of environments: ${tools.reason}`)
const withPackages = tools.ok ? test : test.skip
const inPython = isLong && python !== undefined ? test : test.skip

let suite: Suite | undefined
let url = ''
let benchmark = ''
let name = ''
let answer = ''

beforeAll(async () => {
  if (!isLong) return
  suite = await startSuite({ only: ['evaluation', 'execution', 'scoring'] })
  url = suite.urls['evaluation']!
  const imported = await send<BenchmarkResource>(url, 'POST', '/v1/benchmarks/import', exampleFolder)
  benchmark = imported.body.id
  const { body } = await send<{ items: { id: string }[] }>(url, 'GET', `/v1/benchmarks/${benchmark}/cases`)
  name = body.items[0]!.id
  const path = `/v1/benchmarks/${benchmark}/cases/${name}/reference`
  answer = (await send<ReferenceAnswer>(url, 'GET', path)).body.answer!
})
afterAll(async () => {
  await suite?.stop()
})

async function run(command: string, file: string, ...args: string[]): Promise<string> {
  const source = join(import.meta.dirname, '../clients/python/src')
  const env = {
    ...process.env,
    PYTHONPATH: source,
    STATEEVAL_URL: url,
    PYTHONDONTWRITEBYTECODE: '1',
    NO_COLOR: '1',
  }
  const { stdout } = await promisify(execFile)(command, [file, ...args], { env, maxBuffer: 2 ** 26 })
  return stdout.trim().split('\n').at(-1)!
}

withPackages("OpenEnv's client completes 20 episodes over its WebSocket, and one over HTTP", async () => {
  const file = join(import.meta.dirname, 'episodes/openenv_client.py')
  const bin = tools.ok ? tools.bin('python') : ''
  const wrong = '```javascript\nRESULT = {}\n```'
  expect(JSON.parse(await run(bin, file, benchmark, name, answer, wrong))).toEqual({
    rewards: Array.from({ length: 20 }, (_, n) => n % 2),
    overHttp: 1,
    schema: expect.arrayContaining(['action', 'observation', 'state']),
  })
})

withPackages("OpenEnv's client plays dialogues with a world and a judge", async () => {
  const dialogues = [caseOf(0), caseOf(1), caseOf(2)]
  const everybody = await startEverybody(dialogues, () => 0)
  await send(url, 'PUT', '/v1/models/judge', { baseUrl: everybody.judge, model: 'j' })
  const imported = await send<BenchmarkResource>(url, 'POST', '/v1/benchmarks/import', folderOf(dialogues))
  // Right, wrong in its last answer, and nothing done.
  const plan = dialogues.map((c, at) => {
    const right = listReferenceReplies(c).map(({ text, toolCalls = [] }) => ({ text, tool_calls: toolCalls }))
    const [yes, none] = ['Yes.', 'None, I think.'].map((text) => ({ text, tool_calls: [] }))
    return { case: c.id, replies: [right, [...right.slice(0, -1), none], [yes, yes, none]][at] }
  })
  const file = join(import.meta.dirname, 'episodes/openenv_dialogues.py')
  const bin = tools.ok ? tools.bin('python') : ''
  expect(JSON.parse(await run(bin, file, imported.body.id, JSON.stringify(plan)))).toEqual([1, 0.5, 0])
  await everybody.close()
})

inPython('a tiny policy learns from rewards alone, with each of five seeds', async () => {
  const file = join(import.meta.dirname, '../clients/python/examples/train.py')
  for (const seed of [1, 2, 3, 4, 5]) {
    const text = await run(python!, file, '--benchmark', benchmark, '--seed', String(seed))
    const { first, last } = JSON.parse(text) as { first: number; last: number }
    console.info(`seed ${seed}: mean reward ${first} in the first tenth, ${last} in the last`)
    expect(last - first).toBeGreaterThanOrEqual(0.2)
  }
})
