import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { isEnded } from '../owners/owner.ts'
import { existingBenchmark } from '../resources.ts'

export const deleteBenchmark: Route<'deleteBenchmark'> = async ({ params: { id } }, context) => {
  if (!isEnded(await existingBenchmark(context, id)))
    throw new ProblemError('conflict', `the benchmark ${id} is being built; cancel it first`)
  for (const { id: active } of await context.active.page(undefined, 10_000)) {
    const evaluation = await context.owners.evaluation(active)
    if (evaluation?.benchmark === id && !isEnded(evaluation))
      throw new ProblemError('conflict', `the evaluation ${active} uses the benchmark ${id}; cancel it first`)
  }
  await context.owners.remove(id)
  await context.sets.remove(id)
  return { status: 204 }
}
