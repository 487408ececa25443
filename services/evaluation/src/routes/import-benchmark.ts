/** Imported sets: an exported folder, published data, or what a seed makes. */
import type { BenchmarkResource } from '@stateeval/contracts'
import type { ProjectArtifacts, ServicePlatform } from '@stateeval/service-kit'
import type { ImportedSet } from '../imported-set.ts'
import type { BenchmarkSets } from '@stateeval/sets'
import { type ResourceReader, type OwnerSource, describeBenchmark } from '@stateeval/jobs'
import type { OperationRoute } from './route.ts'

interface BenchmarkImporter extends OwnerSource, ResourceReader, Pick<ServicePlatform, 'newId' | 'now'> {
  sets: BenchmarkSets
  artifacts: ProjectArtifacts
}

/** Each body is the set, as ../bodies.ts reads it. */
export const importBenchmark: OperationRoute<'importBenchmark', BenchmarkImporter> = async (
  { body },
  context,
) => storeImport(context, body)
export const importDataset: OperationRoute<'importDataset', BenchmarkImporter> = async ({ body }, context) =>
  storeImport(context, body)
export const makeBenchmark: OperationRoute<'makeBenchmark', BenchmarkImporter> = async ({ body }, context) =>
  storeImport(context, body)

/** Stores a set as a benchmark that is ready. The same contents are the same resource. */
async function storeImport(
  context: BenchmarkImporter,
  { set, artifacts, warnings }: ImportedSet,
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
    body: await describeBenchmark(context, owner),
    headers: { location: `/v1/benchmarks/${id}` },
  }
}
