/** Evaluations: their list, samples and answers; cancelled. */
import type { SampleAnswer, ScoredSample } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { dialogueAt } from '../owners/evaluation-items.ts'
import { opinionsAt } from '../owners/opinions.ts'
import { samplePage } from '../owners/sample-page.ts'
import { pageOf } from '../paging.ts'
import { evaluationResource, existingEvaluation } from '../resources.ts'

export const listEvaluations: Route<'listEvaluations'> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const found = await context.owners.page('evaluation', cursor, limit + 1)
  const { items, ...rest } = pageOf(found, limit)
  const shown = await Promise.all(items.map((owner) => evaluationResource(context, owner)))
  return { status: 200, body: { items: shown, ...rest } }
}

export const getEvaluation: Route<'getEvaluation'> = async ({ params }, context) => ({
  status: 200,
  body: await evaluationResource(context, await existingEvaluation(context, params.id)),
})

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

/** Characters after which a page ends: one answer may have two million. */
const enough = 4_000_000

export const getEvaluationAnswers: Route<'getEvaluationAnswers'> = async (
  { params: { id }, query },
  context,
) => {
  const owner = await existingEvaluation(context, id)
  const page = await samplePage(context, owner, query)
  const items: SampleAnswer[] = []
  let { next } = page
  let length = 0
  for await (const { place, outcome } of page.outcomes) {
    const { scored, answer, finish } = outcome
    if (length > enough) {
      next = String(place)
      break
    }
    const dialogue = outcome.log && (await dialogueAt(context, owner, place, outcome.log))
    const item = {
      case: scored.case,
      sample: scored.sample,
      answer,
      ...(finish !== undefined && { finish }),
      ...dialogue,
    }
    items.push(item)
    length += dialogue ? JSON.stringify(item).length : (answer?.length ?? 0)
  }
  return { status: 200, body: { items, ...(next !== undefined && { next }) } }
}

export const cancelEvaluation: Route<'cancelEvaluation'> = async ({ params: { id } }, context) => {
  await existingEvaluation(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await evaluationResource(context, await existingEvaluation(context, id)) }
}
