import type { SampleAnswer } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { dialogueAt } from '../owners/evaluation-items.ts'
import { samplePage } from '../owners/sample-page.ts'
import { existingEvaluation } from '../resources.ts'

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
