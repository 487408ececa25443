/** Keeps attempts within each model's limits, and lets the endpoint's answers move them. */
import type { ModelSettings } from '@stateeval/contracts'
import { promptTokens } from '../estimate.ts'
import { createPace, type Pace, type PaceTools } from '../pace.ts'
import type { Attempt, ModelRequest, Try } from '../request.ts'

/** Completions are unknown beforehand: what may come at most, where it is said, and never more than this. */
const expectedCompletion = 512

function expected({ parameters = {} }: ModelSettings): number {
  const most = parameters['max_tokens'] ?? parameters['max_completion_tokens']
  return typeof most === 'number' && most >= 0 ? Math.min(most, expectedCompletion) : expectedCompletion
}

const heldBack = async ({ before }: ModelRequest) => (before ? before() : null)

export function paced(attempt: Try, tools: PaceTools): Try {
  const paces = new Map<string, Pace>()
  const paceOf = (settings: ModelSettings) => {
    const { baseUrl, model, concurrency, requestsPerMinute, tokensPerMinute } = settings
    const key = JSON.stringify([baseUrl, model, concurrency, requestsPerMinute, tokensPerMinute])
    const pace = paces.get(key) ?? createPace(settings, tools)
    paces.set(key, pace)
    return pace
  }
  return async (model, request, signal) => {
    const turn = await paceOf(model.settings).enter(promptTokens(request) + expected(model.settings), signal)
    if (turn === null) return { status: 'transient', reason: 'stopped' }
    const held = await heldBack(request).catch((error: unknown) => {
      turn.end({ ok: false, tokens: 0 })
      throw error
    })
    const ended: Attempt = held === null ? await attempt(model, request, signal) : { status: 'refused', kind: 'held', reason: held }
    turn.end({
      ok: ended.status === 'done',
      ...(ended.status === 'done' && { tokens: ended.usage.promptTokens + ended.usage.completionTokens }),
      ...(ended.status !== 'done' && { tokens: 0 }),
      ...(ended.status === 'transient' && {
        ...(ended.busy && { busy: true }),
        ...(ended.afterMs !== undefined && { afterMs: ended.afterMs }),
      }),
    })
    return ended
  }
}
