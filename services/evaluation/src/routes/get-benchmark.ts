import type { Route } from '../context.ts'
import { benchmarkResource, existingBenchmark } from '../resources.ts'

export const getBenchmark: Route<'getBenchmark'> = async ({ params }, context) => ({
  status: 200,
  body: await benchmarkResource(context, await existingBenchmark(context, params.id)),
})
