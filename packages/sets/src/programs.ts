/** The programs of a build, from its generations, and the set made from their outcomes. */
import {
  type BuildOptions,
  listWorldArtifacts,
  parseWorldId,
  type Program,
  toSampleNumber,
} from '@stateeval/contracts'
import {
  type GenerationOutcome,
  type ItemNeed,
  type ProgramFlowContext,
  programFlow,
  type ProgramOutcome,
} from '@stateeval/flows'
import { generatorVersion } from '@stateeval/generate'
import {
  listArtifacts,
  type Benchmark,
  type BenchmarkSet,
  buildBenchmarkSet,
  type BenchmarkBuild,
  type BuiltPart,
  metricsVersion,
  type Scenario,
} from '@stateeval/program'
import type { ArtifactCache, CacheHolder, ThreadPool } from '@stateeval/service-kit'
import type { ItemFlow } from '@stateeval/workflow'
import {
  bindThreadFlow,
  isLongReply,
  isLongRun,
  type BuildOwner,
  type ItemEnds,
  loadOutcome,
} from '@stateeval/jobs'
import { type BaselineChecks, storePassedBaseline } from './baseline-check.ts'
import type { SuiteCatalog } from './catalog.ts'

type ScenarioSource = Pick<SuiteCatalog, 'scenarios' | 'loadScenario'>

/** The scenarios that a build or stream names; empty where there is none. */
export async function listScenarios(
  { scenarios, loadScenario }: ScenarioSource,
  { scenario }: Pick<BuildOptions, 'scenario'>,
): Promise<readonly Scenario[]> {
  if (parseWorldId(scenario) === null)
    return scenarios.filter(({ id }) => scenario === 'all' || scenario === id)
  const one = await loadScenario(scenario)
  return one ? [one] : []
}

/** The result of a generation. It is cached, because every program of the stage comes from it. */
export const loadGenerated = (context: CacheHolder & ItemEnds, owner: Pick<BuildOwner, 'id'>, at: number) =>
  context.cache(`generated/${owner.id}/${at}`, async () => {
    const item = { workflow: owner.id, stage: 'generate', index: at }
    const outcome = await loadOutcome<GenerationOutcome>(context, item)
    if (!outcome) throw new Error(`${owner.id} has no programs of scenario ${at}`)
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.result
  })

export function getBuild(
  context: { benchmark(id: string): Benchmark },
  kind: string,
): { benchmark: Benchmark; build: BenchmarkBuild } {
  const benchmark = context.benchmark(kind)
  const build = benchmark.building?.build
  if (!build) throw new Error(`sets of ${kind} are not built from programs in this version`)
  return { benchmark, build }
}

interface ProgramItemSources extends Pick<SuiteCatalog, 'benchmark' | 'scenario'> {
  artifactCache: ArtifactCache
  threads: ThreadPool
}

/** The item that turns a program into a test case. */
export async function createProgramItem(
  context: ProgramItemSources,
  kind: string,
  program: Program,
  options: BuildOptions,
  agents?: Pick<ProgramFlowContext, 'agents' | 'models'>,
): Promise<ItemFlow<ItemNeed>> {
  // Held as long as the item is in progress.
  const hashes = [...listArtifacts(program), ...listWorldArtifacts(program.scenario)]
  const artifacts = Object.fromEntries(await context.artifactCache.load(hashes))
  const scenario = context.scenario(program.scenario)
  const plain = { program, artifacts, options, sample: toSampleNumber(options.seed), ...agents }
  return bindThreadFlow(
    context.threads,
    [programFlow, { ...plain, scenario, build: getBuild(context, kind).build }],
    ['program', { ...plain, scenario: scenario.id, benchmark: kind }],
    (answer) => isLongReply(answer) || isLongRun(answer),
  )
}

/** The versions of everything that generates a set of these scenarios. */
export const collectVersions = (scenarios: readonly Scenario[]): Record<string, string> => ({
  generator: generatorVersion,
  metrics: metricsVersion,
  ...Object.fromEntries(scenarios.map(({ id, version }) => [`scenario ${id}`, version])),
})

/** The dependencies of putting a set together. */
export interface SetSources extends CacheHolder, ItemEnds, BaselineChecks, ScenarioSource {
  benchmark(id: string): Benchmark
}

/**
 * The set, with its baseline check known; null if no program passed. `outcomes` are those of all programs,
 * in order.
 */
export async function assembleSet(
  context: SetSources,
  owner: BuildOwner,
  outcomes: readonly ProgramOutcome[],
): Promise<BenchmarkSet | null> {
  const { build: options } = owner
  const { benchmark, build } = getBuild(context, owner.kind)
  // Also for the cases, which are parsed below.
  const scenarios = await listScenarios(context, options)
  const parts: BuiltPart[] = []
  for (const [at, { scenario, first, count }] of (owner.sets ?? []).entries()) {
    const { statistics: generation } = await loadGenerated(context, owner, at)
    parts.push({ scenario, ends: outcomes.slice(first, first + count), generation })
  }
  const benchmarkSet = await build.assemble(parts, options, collectVersions(scenarios))
  if (!benchmarkSet) return null
  const set = buildBenchmarkSet(benchmark, benchmarkSet)
  // Every oracle was replayed just now, in each language.
  const runtimes = outcomes.flatMap((outcome) => (outcome.status === 'passed' ? outcome.runtimes : []))
  await storePassedBaseline(context, set, options.languages, runtimes)
  return set
}
