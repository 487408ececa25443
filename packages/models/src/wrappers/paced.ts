/** Keeps attempts within each model's limits, and adapts the limits to the endpoint's answers. */
import type { ModelSettings } from '@stateeval/contracts'
import { estimatePromptTokens } from '../estimate.ts'
import { createPace, type EndpointPace, type PaceTools, type TurnOutcome } from '../pace.ts'
import type { ModelAttempt, ModelRequest, TryModel } from '../request.ts'

/** Completions are unknown beforehand: what may come at most, where it is said, and never more than this. */
const expectedCompletion = 512

function expected({ parameters = {} }: ModelSettings): number {
  const maxTokens = parameters['max_tokens'] ?? parameters['max_completion_tokens']
  return typeof maxTokens === 'number' && maxTokens >= 0
    ? Math.min(maxTokens, expectedCompletion)
    : expectedCompletion
}

/** Nobody waits for an endpoint that names a longer time: the caller is refused and can continue later. */
const longestAskedMs = 10 * 60_000

const duration = (ms: number) =>
  ms < 2 * 3_600_000
    ? `${Math.ceil(ms / 60_000)} minutes`
    : ms < 48 * 3_600_000
      ? `${Math.ceil(ms / 3_600_000)} hours`
      : `${Math.ceil(ms / 86_400_000)} days`

/** Refuses an attempt whose endpoint asks for a pause that nobody would wait for. */
const withoutLongPause = (ending: ModelAttempt): ModelAttempt =>
  ending.status === 'transient' && (ending.afterMs ?? 0) > longestAskedMs
    ? {
        status: 'refused',
        kind: 'unreachable',
        reason: `${ending.reason}: the endpoint asked to retry in ${duration(ending.afterMs ?? 0)} (maximum wait: ${longestAskedMs / 60_000} minutes); resume later, or raise its rate limit`,
      }
    : ending

const heldBack = async ({ before }: ModelRequest) => (before ? before() : null)

export function paced(attempt: TryModel, tools: PaceTools): TryModel {
  const paces = new Map<string, EndpointPace>()
  /** Attempts in a row that brought no answer. */
  const silences = new WeakMap<EndpointPace, { tries: number; wasAnswered: boolean }>()
  const paceOf = (settings: ModelSettings) => {
    const { baseUrl, model, concurrency, requestsPerMinute, tokensPerMinute } = settings
    const key = JSON.stringify([baseUrl, model, concurrency, requestsPerMinute, tokensPerMinute])
    const pace = paces.get(key) ?? createPace(settings, tools)
    paces.set(key, pace)
    return pace
  }
  return async (model, request, signal) => {
    const pace = paceOf(model.settings)
    const turn = await pace.enter(estimatePromptTokens(request) + expected(model.settings), signal)
    if (turn === null) {
      const { away } = pace
      return away === null || signal.aborted
        ? { status: 'transient', reason: 'stopped' }
        : { status: 'refused', kind: 'unreachable', reason: away }
    }
    let outcome: TurnOutcome = { ok: false, tokens: 0 }
    try {
      const heldReason = await heldBack(request)
      if (heldReason !== null) return { status: 'refused', kind: 'held', reason: heldReason }
      const attemptEnd = await attempt(model, request, signal)
      const ending = withoutLongPause(attemptEnd)
      outcome = outcomeOf(ending, ending !== attemptEnd)
      if (ending.status === 'done') silences.set(pace, { tries: 0, wasAnswered: true })
      if (ending.status === 'transient') {
        const { tries, wasAnswered } = silences.get(pace) ?? { tries: 0, wasAnswered: false }
        const silence = { tries: tries + 1, wasAnswered }
        silences.set(pace, silence)
        if (ending.spent) await request.spent?.(ending.spent)
        return { ...ending, silence }
      }
      // Within the turn: who comes next asks what was spent, and must hear of this one.
      await request.settle?.({ ...ending, retries: 0 })
      return ending
    } finally {
      turn.end(outcome)
    }
  }
}

/** Translates an attempt into a statement about the endpoint's pace; `away`: it should not be asked now. */
function outcomeOf(ending: ModelAttempt, away: boolean): TurnOutcome {
  switch (ending.status) {
    case 'done':
      return { ok: true, tokens: ending.usage.promptTokens + ending.usage.completionTokens }
    case 'refused':
      return { ok: false, tokens: 0, ...(away && { away: ending.reason }) }
    case 'transient': {
      const { busy, afterMs } = ending
      return { ok: false, tokens: 0, ...(busy && { busy }), ...(afterMs !== undefined && { afterMs }) }
    }
  }
}
