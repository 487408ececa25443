/** Imported sets: an exported folder, or published data. */
import { setImmediate } from 'node:timers/promises'
import { type BenchmarkResource, ProblemError } from '@stateeval/contracts'
import { type BenchmarkSet, benchmarkSetOf, readBenchmarkFolder } from '@stateeval/program'
import type { Artifacts, Platform } from '@stateeval/service-kit'
import type { Catalog } from '../catalog.ts'
import type { Sets } from '../owners/sets.ts'
import type { ProgressReader } from '../owners/stage.ts'
import type { OwnerSource } from './existing.ts'
import { benchmarkResource } from './resources.ts'
import type { Route } from './route.ts'

interface Importer extends OwnerSource, ProgressReader, Pick<Platform, 'newId' | 'now'> {
  findBenchmark: Catalog['findBenchmark']
  sets: Sets
  artifacts: Artifacts
}

export const importBenchmark: Route<'importBenchmark', Importer> = async ({ body }, context) => {
  const { manifest } = body
  const { lines, ids, artifacts, readme } = readBenchmarkFolder(body, context.findBenchmark)
  return storeImport(context, { set: { manifest, lines, ids, readme }, artifacts })
}

export const importDataset: Route<'importDataset', Importer> = async ({ body: { kind, files } }, context) => {
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

export const makeBenchmark: Route<'makeBenchmark', Importer> = async (
  { body: { kind, samples, seed = 1 } },
  context,
) => {
  const make = context.findBenchmark(kind)
  if (!make?.fromSeed)
    throw new ProblemError(
      'unprocessable',
      `there is no kind ${JSON.stringify(kind)} whose samples a seed makes`,
      '/kind',
    )
  const { artifacts, warnings, ...contents } = await inTurns(make.fromSeed({ samples, seed }))
  return storeImport(context, {
    set: benchmarkSetOf(make, { ...contents, artifacts: Object.keys(artifacts) }),
    artifacts: Object.values(artifacts),
    ...(warnings && { warnings }),
  })
}

/** Goes through all steps; other requests are answered between them. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
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
  context: Importer,
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
