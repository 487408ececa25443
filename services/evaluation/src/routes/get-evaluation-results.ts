import type { ScoredSample } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { itemId } from '../engine/item.ts'
import type { SampleOutcome } from '../flows/sample.ts'
import { opinionsAt } from '../owners/opinions.ts'
import { existingEvaluation, placeOf } from '../resources.ts'

export const getEvaluationResults: Route<'getEvaluationResults'> = async ({ params: { id }, query: { limit = 50, cursor } }, context) => {
  const owner = await existingEvaluation(context, id)
  const { total = 0 } = owner.stages.samples ?? {}
  const from = placeOf(cursor)
  const to = Math.min(from + limit, total)
  const places = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
  const ended = await context.results.many(places.map((index) => itemId({ owner: id, stage: 'samples', index })))
  const opinions = await opinionsAt(context, owner, places)
  const items: ScoredSample[] = []
  // While it runs, what is not there yet is left out.
  for (const [at, one] of ended.entries()) {
    if (!one) continue
    const secondOpinion = opinions.get(from + at)
    const { scored } = (await context.artifacts.unpack(one.payload)) as SampleOutcome
    items.push({ ...scored, ...(secondOpinion && { secondOpinion }) })
  }
  return { status: 200, body: { items, ...(to < total && { next: String(to) }) } }
}
