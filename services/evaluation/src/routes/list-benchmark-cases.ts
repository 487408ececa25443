import { fillPage } from '@stateeval/service-kit'
import type { Route } from '../context.ts'
import { placeOf } from '../places.ts'
import { readyBenchmark } from '../resources.ts'

export const listBenchmarkCases: Route<'listBenchmarkCases'> = async (
  { params: { id }, query: { limit = 50, cursor } },
  context,
) => {
  const { manifest } = await readyBenchmark(context, id)
  const from = placeOf(cursor)
  async function* cases() {
    for (let n = from; n < manifest.counts.kept; n++) yield await context.sets.case(id, n)
  }
  const { items, more } = await fillPage(cases(), limit)
  return { status: 200, body: { items, ...(more && { next: String(from + items.length) }) } }
}
