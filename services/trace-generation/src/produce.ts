/** Runs a generation from its first program to its last, block by block. */
import { createHash } from 'node:crypto'
import type { GenerateResult, GenerationOptions, GenerationStatistics, Program } from '@stateeval/contracts'
import { type GeneratedProgram, type GenerationSummary, operationsOf } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'
import { Refusal } from '@stateeval/service-kit'
import type { Context } from './context.ts'
import { feasibleWith } from './coverage.ts'
import { blockSize, type StoredGeneration } from './store.ts'
import { draw } from './thread/draw.ts'

/** Watchers see progress within this time; in milliseconds. */
const tellEveryMs = 500

export async function produce(
  generation: StoredGeneration,
  scenario: Scenario,
  context: Context,
  signal: AbortSignal,
): Promise<GenerateResult> {
  const { store, bus, now, artifacts } = context
  const { _id: id, options } = generation
  const made: GeneratedProgram[] = []
  let savedAt = now().getTime()

  /** Keeps what came since the last full block. */
  const keep = async () => {
    const block = Math.floor((made.length - 1) / blockSize)
    const programs = made.slice(block * blockSize).map(({ program }) => program)
    await store.saveBlock(id, block, programs)
  }
  const tell = async () => {
    savedAt = now().getTime()
    await store.progress(id, made.length)
    await bus.publishEvent('generation', id, 'progress', { done: made.length, total: options.count, phase: 'generate' })
  }

  await tell()
  const summary = await draw({ ...options, seed: seedNumber(options.seed) }, signal, async ({ artifacts: files = {}, ...program }) => {
    // Before any program that names them can be seen.
    await Promise.all(Object.values(files).map(async (file) => store.noteArtifact(id, await artifacts.put(file))))
    made.push(program)
    if (made.length % blockSize === 0) await keep()
    if (now().getTime() - savedAt > tellEveryMs) await tell()
  })
  if (made.length % blockSize !== 0) await keep()
  const statistics = statisticsOf(made, summary, scenario, options)
  const end = await store.end(id, { status: 'succeeded', done: made.length, statistics, finishedAt: now() })
  if (end.status === 'cancelled') throw new Refusal('it was cancelled')
  await tell()
  const flags = Object.fromEntries(made.filter((one) => one.flags.length > 0).map((one) => [one.program.id, one.flags]))
  return { programs: made.map(({ program }): Program => program), flags, statistics }
}

function statisticsOf(
  made: readonly GeneratedProgram[],
  { drops, exhausted }: GenerationSummary,
  scenario: Scenario,
  options: GenerationOptions,
): GenerationStatistics {
  const last = made.at(-1)
  const apis = operationsOf(scenario, options.apis).length
  const adjacentPairs = last?.adjacentCovered ?? 0
  const pairs = made.flatMap(({ adjacent }) => adjacent)
  const feasible = feasibleWith(scenario, options, pairs)
  return {
    programs: made.length,
    branches: made.filter(({ program }) => program.branch).length,
    deadBranches: made.filter(({ flags }) => flags.includes('dead_branch')).length,
    exhausted,
    dropped: drops,
    apis,
    adjacentPairs,
    atc: adjacentPairs / apis ** 2,
    feasible,
    atcFeasible: adjacentPairs / feasible,
    transitionPairs: last?.pairsCovered ?? 0,
  }
}

/** Seeds may be texts; the generator wants a number. */
const seedNumber = (seed: GenerationOptions['seed']) =>
  typeof seed === 'number' ? seed : createHash('sha256').update(seed).digest().readUIntBE(0, 6)
