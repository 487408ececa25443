/**
 * A benchmark of a running suite as an environment of verifiers and of NeMo Gym. Each is driven by the real
 * package from PyPI, with a model behind an endpoint; rewards equal those of an evaluation of the same
 * answers. Part of the long tests.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Case, ReferenceAnswer } from '@stateeval/contracts'
import '../packages/testkit/src/dialogue/register.ts'
import { type ScriptedModel, startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { callerAt } from '../services/evaluation/test/over-http.ts'
import { type Everybody, startEverybody, ways } from './dialogue/everybody.ts'
import { runGym, startGym } from './training/gym.ts'
import { answersOf } from './training/model.ts'
import { inPython } from './training/python.ts'

const [verifiers, nemoGym] = [longPythonTools('verifiers'), longPythonTools('nemo-gym')]
if (!verifiers.ok) console.info(`skipped: verifiers: ${verifiers.reason}`)
if (!nemoGym.ok) console.info(`skipped: NeMo Gym: ${nemoGym.reason}`)
const withVerifiers = verifiers.ok ? test : test.skip
const withNemoGym = nemoGym.ok ? test : test.skip

let suite: Suite
let model: ScriptedModel
let folder: string
let benchmark: string
let cases: Case[]
/** One dialogue for each way to be wrong, except the last: where the endpoint refuses, there is no reward. */
const dialogues = ways.slice(0, -1).map((_, n) => caseOf(n))
let dialogueSet: string
let everybody: Everybody
const evaluation = callerAt(() => suite.urls['evaluation']!)
const lines = <T>(file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

beforeAll(async () => {
  if (!verifiers.ok && !nemoGym.ok) return
  suite = await startSuite()
  folder = mkdtempSync(join(tmpdir(), 'stateeval-training-'))
  const build = { scenario: 'session-service', programs: 20, keep: 10, seed: 1 }
  benchmark = (await evaluation.buildSet(build)).id
  cases = await evaluation.cases(benchmark)
  model = await startScriptedModel(answersOf(cases))
  await evaluation.model('mine', { baseUrl: model.baseUrl, model: 'm' })
  everybody = await startEverybody(dialogues, ({ id }) => Number(id.split('-')[1]))
  await evaluation.model('talker', { baseUrl: everybody.model, model: 'm' })
  await evaluation.model('judge', { baseUrl: everybody.judge, model: 'j' })
  const imported = await evaluation.call<{ id: string }>('POST', '/v1/benchmarks/import', folderOf(dialogues))
  dialogueSet = imported.body.id
})
afterAll(async () => {
  await everybody?.close()
  await model?.close()
  await suite?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

type Rewards = Record<string, number[]>
/** What an evaluation says of the same answers, by case. */
async function evaluated(request: object): Promise<Rewards> {
  const { id } = await evaluation.begin({ benchmark, model: 'mine', ...request })
  expect((await evaluation.ended(id)).status).toBe('succeeded')
  const { result } = await evaluation.report(id)
  const rewards: Rewards = {}
  for (const { case: name, score } of result.samples)
    (rewards[name] ??= []).push(score!.reward ?? Number(score!.passed))
  expect(Object.values(rewards).flat()).toEqual(expect.arrayContaining([0, 1]))
  return rewards
}
const evaluatedDialogues = () => evaluated({ benchmark: dialogueSet, model: 'talker', judge: 'judge' })

interface Rollout {
  ok: boolean
  traces: {
    rewards: { stateeval: { score: number } | null }
    metrics: Record<string, number>
    info: { stateeval: { episode: string; case: string; unfinished?: true; score?: { verdict: string } } }
  }[]
}

/** Rollouts of vf-eval, from the benchmark unless the options name another source. */
async function rollouts(name: string, endpoint: string, ...args: string[]) {
  const namesSource = args.some((arg) => /^--env\.taskset\.(stream|benchmark)$/.test(arg))
  await inPython(verifiers, suite.urls['evaluation']!, folder, 'vf-eval', [
    ...['stateeval-verifiers', ...(namesSource ? [] : ['--env.taskset.benchmark', benchmark])],
    ...['-m', 'scripted', '--client.base-url', endpoint, '--client.api-key-var', 'NO_KEY'],
    ...['--no-push', '--no-rich', '--output-dir', folder, '--run.name', name, ...args],
  ])
  return lines<Rollout>(join(folder, name, 'traces.jsonl')).map(({ ok, traces }) => ({ ok, ...traces[0]! }))
}

withVerifiers('vf-eval completes 30 rollouts in both modes', async () => {
  const evaluate = (name: string, ...args: string[]) => rollouts(name, model.baseUrl, ...args)
  for (const [mode, samples] of [
    ['program', 2],
    ['tools', 1],
  ] as const) {
    const rewards: Rewards = {}
    for (const { ok, info, rewards: given, metrics } of await evaluate(
      mode,
      '--env.taskset.mode',
      mode,
      '-r',
      `${samples}`,
    )) {
      const reward = given.stateeval!.score
      ;(rewards[info.stateeval.case] ??= []).push(reward)
      expect([ok, metrics['passed'], info.stateeval.score!.verdict === 'passed']).toEqual([
        true,
        reward,
        reward === 1,
      ])
    }
    expect(rewards).toEqual(await evaluated({ mode, samples }))
  }
  const options = { scenario: 'session-service', length: { min: 3, max: 3 } }
  const { body: stream } = await evaluation.call<{ id: string }>('POST', '/v1/streams', { options, seed: 1 })
  const fromStream = ['--env.taskset.stream', stream.id, '--env.taskset.start', '5', '-n', '2']
  const streamed = await evaluate('stream', ...fromStream)
  expect(streamed.map(({ ok, rewards }) => [ok, rewards.stateeval!.score])).toEqual([
    [true, 0],
    [true, 0],
  ])
  // A limit of verifiers' own ends a rollout early: no reward, and nothing is left behind.
  const [short] = await evaluate(
    'short',
    '--env.taskset.mode',
    'tools',
    '--env.agent.max-turns',
    '1',
    '-n',
    '1',
  )
  expect(short).toMatchObject({
    ok: true,
    rewards: { stateeval: { score: 0 } },
    info: { stateeval: { unfinished: true } },
  })
  const { status } = await evaluation.call('GET', `/v1/episodes/${short!.info.stateeval.episode}`)
  expect(status).toBe(404)
})

withVerifiers('vf-eval plays dialogues with a world and a judge', async () => {
  const source = ['--env.taskset.benchmark', dialogueSet, '--env.taskset.judge', 'judge']
  const rewards: Rewards = {}
  for (const { ok, info, rewards: given } of await rollouts('dialogues', everybody.model, ...source)) {
    expect(ok).toBe(true)
    ;(rewards[info.stateeval.case] ??= []).push(given.stateeval!.score)
  }
  expect(rewards).toEqual(await evaluatedDialogues())
})

withVerifiers('asyncio drives 20 episodes at once, and renews a lease that expired', async () => {
  const [{ id: name }] = cases as [Case]
  const { answer } = await evaluation.get<ReferenceAnswer>(
    `/v1/benchmarks/${benchmark}/cases/${name}/reference`,
  )
  const file = join(import.meta.dirname, 'training/async_client.py')
  const args = [file, benchmark, name, answer!]
  expect(JSON.parse(await inPython(verifiers, suite.urls['evaluation']!, folder, 'python', args))).toEqual({
    rewards: Array.from({ length: 20 }, (_, n) => n % 2),
    status: 'expired',
    late: 1,
  })
})

withNemoGym('both agents of NeMo Gym complete 20 rollouts, each in either mode', async () => {
  for (const agent of ['simple', 'gymnasium'] as const) {
    const gym = await startGym(nemoGym, {
      url: suite.urls['evaluation']!,
      folder: join(folder, agent),
      benchmark,
      agent,
      model: model.baseUrl,
    })
    try {
      for (const mode of ['program', 'tools'] as const)
        expect(await runGym(gym, mode)).toEqual(await evaluated({ mode }))
    } finally {
      await gym.stop()
    }
  }
})

withNemoGym('the gymnasium agent of NeMo Gym plays dialogues with a world and a judge', async () => {
  const gym = await startGym(nemoGym, {
    url: suite.urls['evaluation']!,
    folder: join(folder, 'dialogues'),
    benchmark: dialogueSet,
    judge: 'judge',
    agent: 'gymnasium',
    model: everybody.model,
  })
  try {
    expect(await runGym(gym)).toEqual(await evaluatedDialogues())
  } finally {
    await gym.stop()
  }
})
