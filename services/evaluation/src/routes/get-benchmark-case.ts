import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkCase: Route<'getBenchmarkCase'> = async (
  { params: { id, case: name } },
  context,
) => {
  await readyBenchmark(context, id)
  const n = (await context.sets.ids(id)).indexOf(name)
  if (n < 0) throw new ProblemError('not-found', `the benchmark ${id} has no case ${JSON.stringify(name)}`)
  return { status: 200, body: await context.sets.case(id, n) }
}
