/** Sets that come from outside: benchmark folders, and published data. */
import { type BenchmarkResource, type Manifest, ProblemError, sha256 } from '@stateeval/contracts'
import type { EvaluationContext, Route } from '../context.ts'
import { idOf } from '../flows/manifest.ts'
import { readFolder } from '../import-folder.ts'
import { benchmarkResource } from '../resources.ts'

export const importBenchmark: Route<'importBenchmark'> = async ({ body }, context) => {
  const { manifest, readme = '' } = body
  return storeImport(context, { manifest, readme, ...readFolder(body, context.findBenchmark) })
}

export const importDataset: Route<'importDataset'> = async ({ body: { benchmark, files } }, context) => {
  const make = context.findBenchmark(benchmark)
  if (!make?.fromDataset)
    throw new ProblemError(
      'unprocessable',
      `there is no published data for ${JSON.stringify(benchmark)}`,
      '/benchmark',
    )
  const { lines, artifacts, about, readme, warnings } = make.fromDataset(files)
  const rest = {
    schema: 1 as const,
    benchmark,
    ...about,
    files: {
      'cases.jsonl': sha256(lines.map((line) => `${line}\n`).join('')),
      'README.md': sha256(readme),
      ...Object.fromEntries(Object.keys(artifacts).map((hash) => [`artifacts/${hash}`, hash])),
    },
  }
  const manifest = { ...rest, id: idOf({ ...rest, id: '' }) }
  const ids = lines.map((line) => make.parse(line).id)
  return storeImport(context, { manifest, lines, ids, readme, artifacts: Object.values(artifacts), warnings })
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

/** Stores a set as a benchmark that is ready. The same contents are the same resource. */
async function storeImport(
  context: EvaluationContext,
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
