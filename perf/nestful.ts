/**
 * How fast answers of NESTFUL are scored on one core: the published samples, each answered by its gold calls
 * and by four mutants of them, read by both policies and judged by both. Runs of the calls are recorded
 * beforehand. Needs the published data (STATEEVAL_DATASETS).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nestful } from '@stateeval/benchmark-nestful'
import { createWorld } from '@stateeval/benchmark-nestful/backend'
import type {
  CallsRequest,
  Candidate,
  ExecutionResult,
  JsonValue,
  JsonObject,
  TaskCase,
} from '@stateeval/contracts'
import { type Benchmark, createRng, runEpisode } from '@stateeval/program'
import { completeLimits, type WorldHost } from '@stateeval/sandbox'
import type { Bench } from './result.ts'

const mutantsOfEach = 4
const scoringMs = 4_000
const rounds = 3
const files = [
  'v1/executable/executable',
  'v1/non-executable/non-executable-glaive',
  'v1/non-executable/non-executable-sgd',
].flatMap((name) => [`${name}-data.json`, `${name}-spec.json`])
const options = { prompting: 'direct' } as const

export async function run(): Promise<Bench> {
  const { benchmark, cases } = readBenchmark()
  const candidates = (await Promise.all(cases.map((c) => candidatesOf(benchmark, c)))).flat()
  const rates = Array.from({ length: rounds }, () => perSecond(benchmark, candidates))
  const sorted = rates.toSorted((a, b) => a - b)
  const rate = sorted[1]!
  return {
    about: `${candidates.length} answers to ${cases.length} published samples, the gold calls and ${mutantsOfEach} mutants of each, judged by both policies on one core, in CPU time. There is no peer, because the released evaluator's code is not included.`,
    parts: [
      {
        name: 'scoring, one core (peer: the target)',
        unit: 'answers/s',
        ours: rate,
        peer: 5000,
        ratio: rate / 5000,
        spread: (sorted.at(-1)! - sorted[0]!) / rate,
        aim: 1,
      },
    ],
    notes: `The median of ${rounds} rounds of ${scoringMs / 1000} seconds of CPU time.`,
  }
}

function readBenchmark(): { benchmark: Benchmark; cases: TaskCase[] } {
  const folder = join(process.env['STATEEVAL_DATASETS'] ?? 'datasets', 'nestful')
  if (!existsSync(join(folder, files[0]!)))
    throw new Error(
      'set STATEEVAL_DATASETS to the folder with the published data; scripts/datasets --download nestful FOLDER gets them',
    )
  const artifacts: Record<string, Uint8Array> = {}
  const benchmark = nestful({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  }) as unknown as Benchmark
  const set = benchmark.building!.fromDataset!(
    Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
  )
  Object.assign(artifacts, set.artifacts)
  return { benchmark, cases: set.lines.map((line) => benchmark.parse(line) as TaskCase) }
}

interface Answered {
  case: TaskCase
  candidate: Candidate
}

/** What the episodes of the reference and of its mutants lead to. */
async function candidatesOf(benchmark: Benchmark, c: TaskCase): Promise<Answered[]> {
  const mutants = Array.from({ length: mutantsOfEach }, (_, n) =>
    benchmark.mutants!.mutate(c, options, createRng(`${c.id}/${n}`)),
  )
  const players = [
    benchmark.player(c, { ...options, policy: 'sound' }),
    ...mutants.map((mutation) => mutation && benchmark.player(c, options, mutation.mutant)),
  ]
  return Promise.all(
    players.flatMap((player) => {
      if (!player) return []
      const led = runEpisode(benchmark.episode, c, options, {
        reply: player,
        execute: () => {
          throw new Error('no code is run')
        },
        executeCalls,
      })
      return [led.then(({ candidate }) => ({ case: c, candidate }))]
    }),
  )
}

const world = createWorld({} as WorldHost)
async function executeCalls({ calls: [call] }: CallsRequest): Promise<ExecutionResult> {
  const open = await world.open({}, completeLimits({}), '')
  const { content } = await open.call!(call!.name, JSON.parse(call!.arguments) as JsonObject)
  const observed = await open.observe()
  const ending = { status: 'completed' as const, result: [JSON.parse(content) as JsonValue] }
  const rest = { output: '', wallMs: 0, sandbox: 'none' }
  return { observations: [{ ending, ...rest, world: observed.world, log: [], faults: [] }], runtime: 'here' }
}

/** By CPU time, so that what else the machine does counts little. */
function perSecond(benchmark: Benchmark, answered: readonly Answered[]): number {
  const from = process.cpuUsage()
  const cpuMs = () => {
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000
  }
  let count = 0
  while (cpuMs() < scoringMs)
    for (const one of answered) {
      benchmark.score(one)
      count++
    }
  return (1000 * count) / cpuMs()
}
