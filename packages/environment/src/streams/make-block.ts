/**
 * Makes a block of tasks: generated, run and translated by the same flows and jobs as a build. The seed
 * determines everything, so making a block again gives the same bytes.
 */
import {
  BuildOptions,
  type BenchmarkCase,
  canonicalJson,
  type Program,
  ProblemError,
  sha256,
  streamBlockSize,
  type StreamOptions,
} from '@stateeval/contracts'
import { bindFlow, generationFlow, type GenerationOutcome, type ProgramOutcome } from '@stateeval/flows'
import { type BenchmarkSet, selectOptions, type Scenario } from '@stateeval/program'
import {
  type ArtifactCache,
  type CacheHolder,
  createChecker,
  pauseUnlessAborted,
  type ServicePlatform,
  formatStorableError,
  type ThreadPool,
} from '@stateeval/service-kit'
import type { ItemFlow } from '@stateeval/workflow'
import type { ItemNeed } from '@stateeval/flows'
import { type SuiteCatalog, getBuild, createProgramItem, listScenarios } from '@stateeval/sets'
import { createGate } from '../episodes/gate.ts'
import { buildNeedJob, meetNeed, type NeedParts } from '../episodes/needs.ts'
import { type BlockPart, computeJobMark, planLayout, formatSetName } from './layout.ts'
import type { KnownStream } from './stored.ts'

export interface MakerParts extends NeedParts, CacheHolder, Pick<ServicePlatform, 'log'> {
  catalog: SuiteCatalog
  threads: ThreadPool
  artifactCache: ArtifactCache
}

type MadeBlock = Omit<BenchmarkSet, 'manifest'> & { digest: string }

/** Programs of a block that are run at once. */
const together = 8
/** How often more programs are asked for, where some turn out to be no tasks. */
const maxRounds = 4

/** Reasons for which a program is missing that depend on the installation, so no task may depend on them. */
const saysNothing = /^infrastructure error$|refused$|^the reference code ended with/

/** The restrictions on a scenario's APIs, and the choice of programs. */
export const restrictDifficulty = ({
  apis,
  branches,
  pathDepth,
  bindings,
  distractors,
  difficulty,
}: StreamOptions) => ({
  ...(apis && { only: apis }),
  ...(branches !== undefined && { branches }),
  ...(pathDepth && { pathDepth }),
  ...(bindings && { bindings }),
  ...(distractors !== undefined && { distractors }),
  ...(difficulty !== undefined && { difficulty }),
})

/**
 * Throws 'unprocessable' if the options leave too few programs. Notes the jobs of generations, also where it
 * throws.
 */
export async function makeBlock(
  context: MakerParts,
  { id, seed, salt, stored }: KnownStream,
  block: number,
  signal: AbortSignal,
  generations: string[],
): Promise<MadeBlock> {
  const { options, kind } = stored
  const owner = { id }
  const mark = `${formatSetName(id, block)}/${computeJobMark(seed, salt, block)}`
  const gate = createGate(together)

  /** The reason of a failure, as callers may read it. */
  function told(reason: string): string {
    context.log.warn({ stream: id, block, reason }, 'a block of tasks could not be made')
    return formatStorableError(reason)
  }

  /** Leads an item to its end; its jobs are named after the block. */
  async function led<Out>(flow: ItemFlow<ItemNeed>, name: string): Promise<Out> {
    let next = await flow.start()
    for (let rev = 0; ; rev++) {
      if ('done' in next) return next.done as Out
      if (next.afterMs) await pauseUnlessAborted(next.afterMs, signal)
      if (signal.aborted)
        throw new ProblemError('unavailable', 'the service is stopping; send the request again')
      const need = await flow.need(next.state)
      const step = `${mark}/${name}/${rev}`
      if (need.kind === 'generate') generations.push((await buildNeedJob(context, step, need.payload)).id)
      next = await flow.resume(next.state, await meetNeed(context, owner, step, need, signal))
    }
  }

  const { catalog } = context
  const scenarios = await listScenarios(catalog, options)

  async function tasksOf(part: BlockPart, n: number) {
    const scenario = scenarios.find(({ id: name }) => name === part.scenario)!
    const wanted = part.places.length
    const ends = new Map<string, Promise<ProgramOutcome>>()
    for (let round = 0, asked = wanted; round < maxRounds; round++) {
      const build = buildBlockOptions(stored, scenario, part, asked)
      const scenarioOptions = selectOptions(scenario, options.scenarioOptions)
      const generation = await led<GenerationOutcome>(
        bindFlow(generationFlow, {
          scenario: scenario.id,
          options: build,
          difficulty: restrictDifficulty(options),
          ...(scenarioOptions && { scenarioOptions }),
        }),
        `p${n}/g${asked}`,
      )
      if (!generation.ok)
        throw new ProblemError(
          'unavailable',
          `programs of block ${block} could not be generated: ${told(generation.reason)}; send the request again`,
        )
      const { programs, statistics } = generation.result
      const endOf = async (program: Program) => {
        const item = await createProgramItem({ ...context, ...catalog }, kind, program, build)
        return led<ProgramOutcome>(item, `p${n}/${program.id.slice(0, 16)}`)
      }
      for (const program of programs)
        if (!ends.has(program.id))
          ends.set(
            program.id,
            gate(() => endOf(program)),
          )
      // All of them, so that nothing is left running where one fails.
      const settled = await Promise.allSettled(programs.map(({ id }) => ends.get(id)!))
      const outcomes = settled.map((end) => {
        if (end.status === 'rejected') throw end.reason
        return end.value
      })
      const passing = outcomes.find((end) => end.status === 'dropped' && saysNothing.test(end.reason))
      if (passing?.status === 'dropped')
        throw new ProblemError(
          'unavailable',
          `a program of block ${block} could not be run: ${told(passing.detail)}; send the request again`,
        )
      const passed = outcomes.filter(({ status }) => status === 'passed').slice(0, wanted)
      if (passed.length === wanted) return { part, build, ends: passed, generation: statistics }
      if (programs.length < asked) throw createTooFewError(part, passed.length, statistics.dropped)
      asked += 2 * (wanted - passed.length)
    }
    throw createTooFewError(part, 0, {})
  }

  const ids = scenarios.map(({ id: scenario }) => scenario)
  const { build } = getBuild(catalog, kind)
  const lines: string[] = Array.from({ length: streamBlockSize }, () => '')
  for (const [n, part] of planLayout(ids, options, seed, block).entries()) {
    const { build: asked, ends, generation } = await tasksOf(part, n)
    const set = await build.assemble([{ scenario: part.scenario, ends, generation }], asked, stored.versions)
    if (set?.lines.length !== part.places.length)
      throw new Error(`block ${block} of ${id} has ${set?.lines.length ?? 0} of ${part.places.length} tasks`)
    for (const [at, place] of part.places.entries()) lines[place] = set.lines[at]!
  }
  return {
    lines,
    ids: lines.map((line) => (JSON.parse(line) as BenchmarkCase).id),
    readme: '',
    digest: sha256(lines.join('\n')),
  }
}

/** Programs are run in JavaScript alone, so that tasks are the same whatever an installation can run. */
const buildBlockOptions = (
  { options }: KnownStream['stored'],
  { id }: Scenario,
  { length, seed, places }: BlockPart,
  programs: number,
): BuildOptions =>
  createChecker(BuildOptions).complete({
    scenario: id,
    programs,
    keep: places.length,
    seed,
    length,
    strategy: 'coverage',
    languages: ['javascript'],
    ...(options.scenarioOptions && { scenarioOptions: { ...options.scenarioOptions } }),
  })

function createTooFewError(
  { scenario, length, places }: BlockPart,
  found: number,
  dropped: Record<string, number>,
) {
  const most = Object.entries(dropped).sort(([, a], [, b]) => b - a)[0]
  const why =
    most && most[1] > 0 ? `; ${most[1]} drawn programs were dropped for ${most[0].replaceAll('_', ' ')}` : ''
  return new ProblemError(
    'unprocessable',
    `the options leave ${found} of ${places.length} tasks of ${scenario} with ${length} calls${why}; create a stream with a wider pathDepth, more apis, or another length`,
  )
}

/** The digest of a task's canonical bytes; equal tasks have equal digests. */
export const computeTaskDigest = (task: BenchmarkCase) => sha256(canonicalJson(task))
