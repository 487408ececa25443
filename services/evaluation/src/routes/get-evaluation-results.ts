import type { ScoredSample } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { opinionsAt } from '../owners/opinions.ts'
import { samplePage } from '../owners/sample-page.ts'
import { existingEvaluation } from '../resources.ts'

export const getEvaluationResults: Route<'getEvaluationResults'> = async (
  { params: { id }, query },
  context,
) => {
  const owner = await existingEvaluation(context, id)
  const { places, next, outcomes } = await samplePage(context, owner, query)
  const opinions = await opinionsAt(context, owner, places)
  const items: ScoredSample[] = []
  for await (const { place, outcome } of outcomes) {
    const secondOpinion = opinions.get(place)
    items.push({ ...outcome.scored, ...(secondOpinion && { secondOpinion }) })
  }
  return { status: 200, body: { items, ...(next !== undefined && { next }) } }
}
