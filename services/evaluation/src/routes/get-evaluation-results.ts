import type { ScoredSample } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { itemId } from '../engine/item.ts'
import type { SampleOutcome } from '../flows/sample-flow.ts'
import { existingEvaluation, placeOf } from '../resources.ts'

export const getEvaluationResults: Route<'getEvaluationResults'> = async ({ params: { id }, query: { limit = 50, cursor } }, context) => {
  const { stages } = await existingEvaluation(context, id)
  const { total = 0 } = stages.samples ?? {}
  const from = placeOf(cursor)
  const to = Math.min(from + limit, total)
  const ended = await context.results.many(
    Array.from({ length: Math.max(0, to - from) }, (_, at) => itemId({ owner: id, stage: 'samples', index: from + at })),
  )
  const items: ScoredSample[] = []
  // While it runs, what is not there yet is left out.
  for (const one of ended) if (one) items.push(((await context.artifacts.unpack(one.payload)) as SampleOutcome).scored)
  return { status: 200, body: { items, ...(to < total && { next: String(to) }) } }
}
