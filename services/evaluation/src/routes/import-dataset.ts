import { ProblemError } from '@stateeval/contracts'
import { sha256 } from '@stateeval/program'
import type { Route } from '../context.ts'
import { idOf } from '../flows/manifest.ts'
import { benchmarkResource } from '../resources.ts'

export const importDataset: Route<'importDataset'> = async ({ body: { benchmark, files } }, context) => {
  const make = context.findBenchmark(benchmark)
  if (!make?.fromDataset)
    throw new ProblemError('unprocessable', `there is no published data for ${JSON.stringify(benchmark)}`, '/benchmark')
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
  // The same data are the same resource.
  const id = context.newId('bm', `import/${manifest.id}`)
  for (const bytes of Object.values(artifacts)) await context.artifacts.put(bytes)
  await context.sets.store(id, { manifest, lines, ids, readme })
  const at = context.now().toISOString()
  const { owner } = await context.owners.create({
    id,
    kind: 'benchmark',
    status: 'succeeded',
    stage: 'import',
    stages: { import: { total: lines.length, window: 1 } },
    createdAt: at,
    finishedAt: at,
    benchmark,
    origin: 'import',
    manifest,
    ...(warnings.length > 0 && { warnings }),
  })
  return { status: 201, body: await benchmarkResource(context, owner), headers: { location: `/v1/benchmarks/${id}` } }
}
