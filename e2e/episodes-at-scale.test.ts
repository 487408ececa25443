/**
 * A thousand episodes at a concurrency of 64 from the client for Python: connections drop, steps are
 * repeated, leases run out, and execution and evaluation are killed. Every reward is that of an undisturbed
 * run. Part of the long tests.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { AgentReply, BenchmarkResource, ReferenceAnswer } from '@stateeval/contracts'
import { isLong, type Servers, startServers } from '@stateeval/testkit'
import { exampleFolder } from '../packages/contracts/src/examples/imports.ts'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { listReferenceReplies } from '../packages/testkit/src/dialogue/player.ts'
import { type Everybody, startEverybody } from './dialogue/everybody.ts'
import { type DialogueServices, startDialogueServices } from './dialogue/services.ts'
import { driveInPython, type Plan, python } from './episodes/python.ts'

const whenLong = isLong && python !== undefined ? test : test.skip
if (isLong && python === undefined) console.info('skipped: there is no Python 3.11')

/** Episodes, and the most memory that the evaluation service may take, in MiB. */
const [total, maxMiB] = [Number(process.env['EPISODES'] ?? 1000), 450]
const cases = Array.from({ length: 10 }, (_, n) => caseOf(n))
let servers: Servers
let everybody: Everybody
let services: DialogueServices

beforeAll(async () => {
  if (!isLong) return
  servers = await startServers()
  everybody = await startEverybody(cases, () => 0)
  services = await startDialogueServices(servers, everybody.facts)
})
afterAll(async () => {
  await services?.stop()
  await everybody?.close()
  await servers?.stop()
})

const said = (replies: ReturnType<typeof listReferenceReplies>): AgentReply[] =>
  replies.map(({ text, finish, toolCalls }) => ({
    text,
    finish,
    ...(toolCalls && { toolCalls: [...toolCalls] }),
  }))

/** What may be done in each kind of case, rightly and wrongly. */
async function ways(): Promise<Plan['episodes']> {
  const { caller } = services
  const imported = async (folder: object) =>
    (await caller.call<BenchmarkResource>('POST', '/v1/benchmarks/import', folder)).body.id
  await caller.model('judge', { baseUrl: everybody.judge, model: 'j' })
  const dialogues = await imported(folderOf(cases))
  const programs = await imported(exampleFolder)
  const { items } = await caller.get<{ items: { id: string }[] }>(`/v1/benchmarks/${programs}/cases`)
  const [{ id }] = items as [{ id: string }]
  const { answer } = await caller.get<ReferenceAnswer>(`/v1/benchmarks/${programs}/cases/${id}/reference`)
  const program = (text: string) => ({
    request: { benchmark: programs, case: id, timeLimit: 120 },
    replies: [{ text }],
  })
  const ofCases = cases.flatMap((c) => {
    const request = { benchmark: dialogues, case: c.id, judge: 'judge' }
    const right = said(listReferenceReplies(c))
    return [
      { request, replies: right },
      // The last answer is wrong; nothing is done at all.
      { request, replies: [...right.slice(0, -1), { text: 'None, I think.' }] },
      { request, replies: [{ text: 'Yes.' }, { text: 'Yes.' }, { text: c.task.answer }] },
    ]
  })
  return [
    ...ofCases,
    program(answer!),
    program('```javascript\nRESULT = {}\n```'),
    program('I would rather not.'),
  ]
}

whenLong('a thousand disturbed episodes have the rewards of undisturbed ones', async () => {
  const { processes } = services
  const { url } = processes.evaluation
  const all = await ways()
  const undisturbed = await driveInPython({ url, concurrency: 4, disturbed: false, episodes: all })
  expect(new Set(undisturbed.rewards)).toEqual(new Set([0, 0.5, 1]))
  const episodes = Array.from({ length: total }, (_, n) => all[n % all.length]!)
  const kills: Promise<void>[] = []
  const kill = async (part: 'execution' | 'evaluation') => {
    await processes[part].kill()
    await processes[part].start()
  }
  let peak = 0
  const driven = await driveInPython({ url, concurrency: 64, disturbed: true, episodes }, (done) => {
    if (done === Math.floor(total * 0.3)) kills.push(kill('execution'))
    if (done === Math.floor(total * 0.6)) {
      peak = processes.evaluation.peakMiB()
      kills.push(kill('evaluation'))
    }
  })
  await Promise.all(kills)
  expect(driven.rewards).toEqual(episodes.map((_, n) => undisturbed.rewards[n % all.length]))
  expect(Math.min(...Object.values(driven.counts))).toBeGreaterThan(0)
  peak = Math.max(peak, processes.evaluation.peakMiB())
  console.info(JSON.stringify({ ...driven, rewards: driven.rewards.length, peakMiB: Math.round(peak) }))
  expect(peak).toBeLessThan(maxMiB)
})
