/**
 * Generation with replayed oracles: programs are drawn, run in the sandbox on all their inputs, and held
 * against the prediction.
 */
import type { ExecutionInput } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  type ArtifactBytes,
  emit,
  listInputs,
  interpret,
  resolveTensors,
  type Scenario,
} from '@stateeval/program'
import { completeLimits, createSandbox, type SandboxWorld } from '@stateeval/sandbox'
import { compare } from '@stateeval/score'
import { length } from './rounds.ts'
import { type Spent, cpuUse, spentEach } from './spent.ts'

interface Replayed {
  perSecond: number
  programs: number
  runs: number
  /** Programs whose run is not what the state machine predicts. */
  differing: number
  /** Milliseconds of one run in the mean, from asking the sandbox to having the observation. */
  runMs: number
  /** Processor time of a run in the mean, milliseconds. */
  cpu: Spent
}

/** Programs that are not counted: they start the runners, and this process compiles its code meanwhile. */
const uncounted = 100

/**
 * @param workers programs at a time. @param secondWorlds whether each path of a program runs in a second
 *   world, too.
 */
export async function replayed(
  scenario: Scenario,
  world: SandboxWorld,
  { count, workers, secondWorlds }: { count: number; workers: number; secondWorlds: boolean },
): Promise<Replayed> {
  const sandbox = await createSandbox({ concurrency: workers })
  const options = { ...defaultOptions, length, secondWorlds }
  const totals = { runs: 0, differing: 0, ms: 0 }
  const one = async ({
    program,
    artifacts = {},
  }: {
    program: Parameters<typeof listInputs>[0]
    artifacts?: ArtifactBytes
  }) => {
    const inputs = listInputs(program).map((input): ExecutionInput => {
      const resolution = resolveTensors(input, (hash) => artifacts[hash])
      if (!resolution.ok) throw new Error(resolution.says)
      return resolution.value
    })
    const startedAt = performance.now()
    const run = {
      language: 'javascript' as const,
      code: emit(program, 'javascript') as string,
      inputs,
      world,
      limits: completeLimits({}),
    }
    const observations = await sandbox.run(run, new AbortController().signal)
    totals.ms += performance.now() - startedAt
    totals.runs += observations.length
    const agree = observations.every(({ ending, world: state }, at) => {
      const expected = interpret(program, scenario, inputs[at])
      if (ending.status !== 'completed' || !state || !expected.ok) return false
      const comparison = scenario.compareFor?.(program) ?? scenario.compare
      return compare(
        { result: expected.result, world: expected.world },
        { result: ending.result, world: state },
        comparison,
      ).equal
    })
    if (!agree) totals.differing++
  }
  const draw = async (range: { count: number; seed: number }) => {
    const generator = generate(scenario, { ...options, ...range })
    let programs = 0
    const worker = async () => {
      for (let next = generator.next(); !next.done; next = generator.next()) {
        programs++
        await one(next.value)
      }
    }
    await Promise.all(Array.from({ length: workers }, worker))
    return programs
  }
  try {
    await draw({ count: uncounted, seed: 2 })
    Object.assign(totals, { runs: 0, differing: 0, ms: 0 })
    const [startedAt, before] = [performance.now(), cpuUse()]
    const programs = await draw({ count, seed: 1 })
    const seconds = (performance.now() - startedAt) / 1000
    const { runs, differing, ms } = totals
    return {
      perSecond: programs / seconds,
      programs,
      runs,
      differing,
      runMs: ms / runs,
      cpu: spentEach(before, cpuUse(), runs),
    }
  } finally {
    await sandbox.close()
  }
}
