import { Readable } from 'node:stream'
import type { Route } from '../context.ts'
import { manifestFile } from '../flows/manifest.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkFile: Route<'getBenchmarkFile'> = async ({ params: { id, file } }, context) => {
  const { manifest } = await readyBenchmark(context, id)
  if (file === 'manifest.json') return { status: 200, body: manifestFile(manifest), etag: manifest.id }
  const etag = manifest.files[file] ?? manifest.id
  if (file === 'README.md') return { status: 200, body: await context.sets.readme(id), etag }
  async function* lines() {
    for (let n = 0; n < manifest.counts.kept; n++) yield `${await context.sets.line(id, n)}\n`
  }
  return { status: 200, body: Readable.from(lines()), etag }
}
