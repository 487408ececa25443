import type { Route } from '../context.ts'
import { readFolder } from '../import-folder.ts'
import { benchmarkResource } from '../resources.ts'

export const importBenchmark: Route<'importBenchmark'> = async ({ body }, context) => {
  const { lines, ids, artifacts } = readFolder(body, context.findBenchmark)
  const { manifest, readme = '' } = body
  // The same folder is the same resource.
  const id = context.newId('bm', `import/${manifest.id}`)
  for (const bytes of artifacts) await context.artifacts.put(bytes)
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
    benchmark: manifest.benchmark,
    origin: 'import',
    manifest,
  })
  return { status: 201, body: await benchmarkResource(context, owner), headers: { location: `/v1/benchmarks/${id}` } }
}
