import type { Route } from '../context.ts'
import { placeOf, readyBenchmark } from '../resources.ts'

export const listBenchmarkCases: Route<'listBenchmarkCases'> = async ({ params: { id }, query: { limit = 50, cursor } }, context) => {
  const { manifest } = await readyBenchmark(context, id)
  const from = placeOf(cursor)
  const to = Math.min(from + limit, manifest.counts.kept)
  const items = []
  for (let n = from; n < to; n++) items.push(await context.sets.case(id, n))
  return { status: 200, body: { items, ...(to < manifest.counts.kept && { next: String(to) }) } }
}
