/** A set that came from outside, stored as a benchmark that is ready. The same contents are the same resource. */
import type { BenchmarkResource, Manifest } from '@stateeval/contracts'
import { benchmarkResource } from './resources.ts'
import type { Artifacts, Platform } from '@stateeval/service-kit'
import type { Owners } from './owners/owners.ts'
import type { Sets } from './owners/sets.ts'
import type { ProgressReader } from './owners/stage.ts'

interface ImportParts extends ProgressReader, Pick<Platform, 'newId' | 'now'> {
  artifacts: Artifacts
  sets: Sets
  owners: Owners
}

interface ImportedSet {
  manifest: Manifest
  lines: readonly string[]
  ids: readonly string[]
  readme: string
  artifacts: Iterable<Uint8Array>
  /** What was odd and is taken as it is. */
  warnings?: readonly string[]
}

export async function storeImport(
  context: ImportParts,
  { manifest, lines, ids, readme, artifacts, warnings = [] }: ImportedSet,
): Promise<{ status: 201; body: BenchmarkResource; headers: { location: string } }> {
  const id = context.newId('bm', `import/${manifest.id}`)
  for (const bytes of artifacts) await context.artifacts.put(bytes)
  await context.sets.store(id, { manifest, lines, ids, readme })
  const at = context.now().toISOString()
  const { owner } = await context.owners.create({
    id,
    kind: 'benchmark',
    status: 'succeeded',
    stage: 'import',
    stages: { import: { total: lines.length, partitions: 1 } },
    createdAt: at,
    finishedAt: at,
    benchmark: manifest.benchmark,
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
