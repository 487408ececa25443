import { pause, type ServerEvent } from '@stateeval/service-kit'
import type { EvaluationContext, Route } from '../context.ts'
import { isEnded } from '../owners/owner.ts'
import { evaluationResource, existingEvaluation } from '../resources.ts'

/** Between two looks at the store: any replica can tell how far an evaluation is, and a reader that comes back misses nothing. */
const everyMs = 700

async function* progress(
  id: string,
  context: EvaluationContext,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let last = ''
  while (!signal.aborted) {
    const owner = await existingEvaluation(context, id)
    const resource = await evaluationResource(context, owner)
    const text = JSON.stringify(resource)
    if (text !== last) yield { event: 'progress', data: resource }
    last = text
    if (isEnded(owner)) {
      yield { event: 'end', data: { status: owner.status } }
      return
    }
    await pause(everyMs, signal)
  }
}

export const getEvaluationEvents: Route<'getEvaluationEvents'> = async (
  { params: { id }, signal },
  context,
) => {
  await existingEvaluation(context, id)
  return { status: 200, events: progress(id, context, signal) }
}
