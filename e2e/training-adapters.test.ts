/**
 * A benchmark of a running suite as an environment of verifiers and of NeMo Gym. Each is driven by the real
 * package from PyPI, with a model behind an endpoint; rewards equal those of an evaluation of the same
 * answers. Part of the long tests.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { Case, ReferenceAnswer } from '@stateeval/contracts'
import { type ScriptedModel, startScriptedModel, startSuite, type Suite } from '@stateeval/testkit'
import { longPythonTools } from '../scripts/python-tools.ts'
import { callerAt } from '../services/evaluation/test/over-http.ts'
import { runGym, startGym } from './training/gym.ts'
import { answersOf } from './training/model.ts'
import { inPython } from './training/python.ts'

jest.setTimeout(1_800_000)
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
}, 600_000)
afterAll(async () => {
  await model?.close()
  await suite?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

type Rewards = Record<string, number[]>
/** What an evaluation says of the same answers, by case. */
async function evaluated(mode: 'program' | 'tools', samples: number): Promise<Rewards> {
  const { id } = await evaluation.begin({ benchmark, model: 'mine', mode, samples })
  expect((await evaluation.ended(id)).status).toBe('succeeded')
  const { result } = await evaluation.report(id)
  const rewards: Rewards = {}
  for (const { case: name, score } of result.samples) (rewards[name] ??= []).push(Number(score!.passed))
  expect(new Set(Object.values(rewards).flat())).toEqual(new Set([0, 1]))
  return rewards
}

interface Rollout {
  ok: boolean
  traces: {
    rewards: { stateeval: { score: number } | null }
    metrics: Record<string, number>
    info: { stateeval: { episode: string; case: string; unfinished?: true; score?: { verdict: string } } }
  }[]
}

withVerifiers('vf-eval completes 30 rollouts in both modes', async () => {
  const evaluate = async (name: string, ...args: string[]) => {
    const source = args.includes('--env.taskset.stream') ? [] : ['--env.taskset.benchmark', benchmark]
    await inPython(verifiers, suite.urls['evaluation']!, folder, 'vf-eval', [
      ...['stateeval-verifiers', ...source, '-m', 'scripted'],
      ...['--client.base-url', model.baseUrl, '--client.api-key-var', 'NO_KEY', '--no-push', '--no-rich'],
      ...['--output-dir', folder, '--run.name', name, ...args],
    ])
    return lines<Rollout>(join(folder, name, 'traces.jsonl')).map(({ ok, traces }) => ({ ok, ...traces[0]! }))
  }
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
    expect(rewards).toEqual(await evaluated(mode, samples))
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
        expect(await runGym(gym, mode)).toEqual(await evaluated(mode, 1))
    } finally {
      await gym.stop()
    }
  }
})
