import type { Route } from '../context.ts'
import { benchmarkResource, existingBenchmark } from '../resources.ts'

export const cancelBenchmark: Route<'cancelBenchmark'> = async ({ params: { id } }, context) => {
  await existingBenchmark(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await benchmarkResource(context, await existingBenchmark(context, id)) }
}
