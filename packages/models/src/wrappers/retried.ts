/**
 * Retries failures that a retry may fix: after a random pause that doubles, or after the endpoint's
 * requested pause.
 */
import type {
  AskModel,
  LastingFailure,
  ModelAttempt,
  ModelRequest,
  SettledReply,
  TryModel,
} from '../request.ts'

interface RetryTools {
  /** Waits; ends early with the signal. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 up to 1. */
  random: () => number
  /** Tries after the first, where the model doesn't say. */
  retries: number
  /** The first pause at most, in milliseconds; doubled with each. */
  backoffMs: number
}
/** An endpoint that is down is not back in a moment: callers are refused soon and can continue later. */
const unreachableRetries = 3
const longestPauseMs = 60_000
/**
 * How many times longer one waits for an endpoint that is busy and does not say how long: the usual retries
 * outlast a limit per minute.
 */
const busyFactor = 4

export function retried(
  attempt: TryModel,
  { pause, random, retries: usual, backoffMs }: RetryTools,
): AskModel {
  return async (model, request, signal) => {
    const maxRetries = model.settings.retries ?? usual
    let reason = 'stopped'
    /** Tries in a row that did not reach the endpoint. */
    let away = 0
    let tries = 0
    let waitedMs = 0
    let silence: Transient['silence']
    /** The lasting failure that all tries so far met. */
    let lasting: LastingFailure | undefined
    while (!signal.aborted) {
      const ending = await attempt(model, settledAfter(tries, request, tries >= maxRetries), signal)
      if (ending.status !== 'transient') return withTries(ending, tries)
      reason = ending.reason
      lasting = tries === 0 || lasting?.kind === ending.lasting?.kind ? ending.lasting : undefined
      away = ending.unreachable ? away + 1 : 0
      silence = ending.silence
      if (tries >= maxRetries || away > unreachableRetries) break
      tries++
      // From half to the whole, so that those who failed together don't come back together, nor at once.
      const shortest = ending.busy ? backoffMs * busyFactor : backoffMs
      const wait = Math.min(longestPauseMs, shortest * 2 ** (tries - 1)) * (0.5 + random() / 2)
      // Some busy endpoints ask for no pause at all, which would use up all tries at once.
      const asked = ending.afterMs ?? 0
      const ms = asked < backoffMs ? Math.max(asked, wait) : asked
      waitedMs += ms
      await pause(ms, signal)
    }
    if (signal.aborted) return { status: 'failed', reason: 'stopped', retries: tries }
    if (away > 0) return { status: 'refused', kind: 'unreachable', reason, retries: tries }
    if (lasting && tries > 0 && waitedMs >= lasting.afterMs) {
      // Others were not answered either, or nobody ever was: it is not this question's.
      if (silence && (silence.tries > tries + 1 || !silence.wasAnswered))
        return {
          status: 'refused',
          kind: lasting.kind,
          reason: `${reason}: ${lasting.remedy}`,
          retries: tries,
        }
      if (lasting.ofQuestion)
        return {
          status: 'refused',
          kind: 'request',
          reason: `${reason}: it answers other prompts, so it blocks this one`,
          retries: tries,
        }
    }
    return {
      status: 'failed',
      reason: `${reason} (given up after ${tries + 1} ${tries === 0 ? 'try' : 'tries'})`,
      retries: tries,
    }
  }
}

/** An ending with all the tries that it took. */
const withTries = (ending: Settling, tries: number): SettledReply =>
  ending.status === 'done'
    ? { ...ending, usage: { ...ending.usage, requests: ending.usage.requests + tries }, retries: tries }
    : { ...ending, retries: tries }
type Transient = Extract<ModelAttempt, { status: 'transient' }>
type Settling = Exclude<ModelAttempt, { status: 'transient' }>

const settledAfter = (
  tries: number,
  { settle, ...request }: ModelRequest,
  isLastTry: boolean,
): ModelRequest => ({
  ...request,
  ...(isLastTry && { isLastTry }),
  ...(settle && { settle: (ending) => settle(withTries(ending, tries)) }),
})
