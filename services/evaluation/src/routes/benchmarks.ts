/** Sets of test cases: built from programs, imported, listed, as files; cancelled and deleted. */
import { Readable } from 'node:stream'
import { type BenchmarkResource, BuildOptions, ProblemError } from '@stateeval/contracts'
import {
  type Benchmark,
  type BenchmarkSet,
  benchmarkSetOf,
  faultsOfOptions,
  manifestFile,
  readBenchmarkFolder,
} from '@stateeval/program'
import { checker, pageOf } from '@stateeval/service-kit'
import { chooseAgents } from '../choices/agents.ts'
import { checkLanguages, languagesOf } from '../choices/options.ts'
import type { EvaluationContext, Route } from '../context.ts'
import { isEnded } from '../owners/owner.ts'
import { scenariosOf } from '../owners/programs.ts'
import { beginStage, newStage } from '../owners/stage.ts'
import { benchmarkResource, existingBenchmark, readyBenchmark } from './resources.ts'

export const listBenchmarks: Route<'listBenchmarks'> = async ({ query: { limit = 50, cursor } }, context) => {
  const { items, ...rest } = pageOf(await context.owners.page('benchmark', cursor, limit + 1), limit)
  const shown = await Promise.all(items.map((owner) => benchmarkResource(context, owner)))
  return { status: 200, body: { items: shown, ...rest } }
}

export const getBenchmark: Route<'getBenchmark'> = async ({ params }, context) => ({
  status: 200,
  body: await benchmarkResource(context, await existingBenchmark(context, params.id)),
})

export const getBenchmarkFile: Route<'getBenchmarkFile'> = async ({ params: { id, file } }, context) => {
  const { manifest } = await readyBenchmark(context, id)
  if (file === 'manifest.json') return { status: 200, body: manifestFile(manifest), etag: manifest.digest }
  const etag = manifest.files[file] ?? manifest.digest
  if (file === 'README.md') return { status: 200, body: await context.sets.readme(id), etag }
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) yield `${await context.sets.line(id, n)}\n`
  }
  return { status: 200, body: Readable.from(lines()), etag }
}

export const getBenchmarkArtifact: Route<'getBenchmarkArtifact'> = async (
  { params: { id, sha256 } },
  context,
) => {
  const { manifest } = await readyBenchmark(context, id)
  // Artifacts are shared by all services; only those of the folder are given away here.
  if (!manifest.files[`artifacts/${sha256}`])
    throw new ProblemError('not-found', `the benchmark ${id} has no artifact ${sha256}`)
  const bytes = await context.artifacts.get(sha256)
  if (!bytes)
    throw new ProblemError(
      'not-found',
      `the artifact ${sha256}, which the manifest of ${id} names, is not stored here any more; import its folder again`,
    )
  return { status: 200, body: bytes, etag: sha256 }
}

export const cancelBenchmark: Route<'cancelBenchmark'> = async ({ params: { id } }, context) => {
  await existingBenchmark(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await benchmarkResource(context, await existingBenchmark(context, id)) }
}

export const deleteBenchmark: Route<'deleteBenchmark'> = async ({ params: { id } }, context) => {
  if (!isEnded(await existingBenchmark(context, id)))
    throw new ProblemError('conflict', `the benchmark ${id} is being built; cancel it first`)
  for (const { id: active } of await context.active.page(undefined, 10_000)) {
    const evaluation = await context.owners.evaluation(active)
    if (evaluation?.benchmark === id && !isEnded(evaluation))
      throw new ProblemError('conflict', `the evaluation ${active} uses the benchmark ${id}; cancel it first`)
  }
  await context.owners.remove(id)
  await context.sets.remove(id)
  return { status: 204 }
}

export const createBenchmark: Route<'createBenchmark'> = async ({ body, idempotencyKey }, context) => {
  const kind = kindOf(context.benchmarks, body.kind)
  const scenarios = scenariosOf(context, body.build)
  if (scenarios.length === 0)
    throw new ProblemError(
      'unprocessable',
      `there is no scenario ${JSON.stringify(body.build.scenario)}; there are: ${context.scenarios.map(({ id }) => id).join(', ')}, all`,
      '/build/scenario',
    )
  const worlds = [...new Set(scenarios.map(({ world }) => world))]
  if (body.build.languages) await checkLanguages(context, worlds, body.build.languages, '/build/languages')
  const languages = body.build.languages ?? (await languagesOf(context, worlds))
  const build = checker(BuildOptions).complete({ ...structuredClone(body.build), languages })
  if (build.keep > build.programs)
    throw new ProblemError(
      'unprocessable',
      `keep is ${build.keep} of only ${build.programs} programs; ask for more programs, or keep fewer`,
      '/build/keep',
    )
  const [fault] = faultsOfOptions(scenarios, build.scenarioOptions ?? {})
  if (fault)
    throw new ProblemError(
      'unprocessable',
      `${fault.name}: ${fault.says}`,
      `/build/scenarioOptions/${fault.name}`,
    )
  const { build: _, budget, kind: _k, ...terms } = body
  const choice = await chooseAgents(context, build, { ...terms, ...(budget && { budget }) })
  context.bus.check()
  const id = context.newId('bm', idempotencyKey)
  const { owner, created } = await context.owners.create({
    id,
    entity: 'benchmark',
    status: 'running',
    stage: 'generate',
    stages: { generate: newStage(scenarios.length, context.window) },
    createdAt: context.now().toISOString(),
    kind,
    origin: 'build',
    ...(choice ?? { build }),
    ...(budget && { budget }),
  })
  if (created) await beginStage(context, owner)
  return {
    status: 202,
    body: await benchmarkResource(context, owner),
    headers: { location: `/v1/benchmarks/${id}` },
  }
}

/** The kind that is asked for, or the first that is built from programs. */
function kindOf(benchmarks: readonly Benchmark[], wanted: string | undefined): string {
  const kinds = benchmarks.flatMap(({ id, build }) => (build ? [id] : []))
  const kind = wanted ?? kinds[0]
  if (kind !== undefined && kinds.includes(kind)) return kind
  throw new ProblemError(
    'unprocessable',
    `no benchmark ${JSON.stringify(kind)} is built from programs; there are: ${kinds.join(', ')}`,
    '/kind',
  )
}

export const importBenchmark: Route<'importBenchmark'> = async ({ body }, context) => {
  const { manifest, readme = '' } = body
  const { lines, ids, artifacts } = readBenchmarkFolder(body, context.findBenchmark)
  return storeImport(context, { set: { manifest, lines, ids, readme }, artifacts })
}

export const importDataset: Route<'importDataset'> = async ({ body: { kind, files } }, context) => {
  const make = context.findBenchmark(kind)
  if (!make?.fromDataset)
    throw new ProblemError(
      'unprocessable',
      `there is no published data for the kind ${JSON.stringify(kind)}`,
      '/kind',
    )
  const { artifacts, warnings, ...contents } = make.fromDataset(files)
  return storeImport(context, {
    set: benchmarkSetOf(make, { ...contents, artifacts: Object.keys(artifacts) }),
    artifacts: Object.values(artifacts),
    ...(warnings && { warnings }),
  })
}

/** A set with the files that its cases name. */
interface ImportedSet {
  set: BenchmarkSet
  artifacts: Iterable<Uint8Array>
  /** What was odd and is taken as it is. */
  warnings?: readonly string[]
}

/** Stores a set as a benchmark that is ready. The same contents are the same resource. */
async function storeImport(
  context: EvaluationContext,
  { set, artifacts, warnings = [] }: ImportedSet,
): Promise<{ status: 201; body: BenchmarkResource; headers: { location: string } }> {
  const { manifest, lines } = set
  const id = context.newId('bm', `import/${manifest.digest}`)
  for (const bytes of artifacts) await context.artifacts.put(bytes)
  await context.sets.store(id, set)
  const at = context.now().toISOString()
  const { owner } = await context.owners.create({
    id,
    entity: 'benchmark',
    status: 'succeeded',
    stage: 'import',
    stages: { import: { total: lines.length, partitions: 1 } },
    createdAt: at,
    finishedAt: at,
    kind: manifest.kind,
    origin: 'import',
    manifest,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  })
  return {
    status: 201,
    body: await benchmarkResource(context, owner),
    headers: { location: `/v1/benchmarks/${id}` },
  }
}
