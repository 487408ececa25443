/**
 * Limits how fast this process asks a model: requests at a time, requests and tokens a minute. One share of
 * these adapts to the endpoint: it is halved when the endpoint reports that it is busy, and grows by one
 * request in flight with each round of answers. All callers wait as long as the endpoint asks; if that is too
 * long, all are refused at once.
 */
import type { ModelSettings } from '@stateeval/contracts'
import { createBucket } from './bucket.ts'

export interface PaceTools {
  /** Milliseconds, monotonic. */
  clock: () => number
  /** Waits; ends early with the signal. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}
export interface EndpointPace {
  /**
   * Waits for a turn, and gives what ends it. Null where the signal came first, or the endpoint is away:
   * `away` says why.
   */
  enter(tokens: number, signal: AbortSignal): Promise<PacePermit | null>
  /** Why no turn is given now; null where turns are given. */
  readonly away: string | null
  /** Requests at a time now. */
  readonly limit: number
  /** Share of the declared limits that is in use, from 0 to 1. */
  readonly share: number
  readonly open: number
}
interface PacePermit {
  end(outcome: TurnOutcome): void
}
/**
 * The outcome of a turn: tokens used; `busy` if the endpoint reported it, with its requested pause; `away`
 * with the reason if that pause is too long.
 */
export interface TurnOutcome {
  tokens?: number
  ok: boolean
  busy?: boolean
  afterMs?: number
  away?: string
}
const defaultConcurrency = 8
const least = 0.02
/** An endpoint that is away is asked again after this time: its outage may be over. */
const awayMs = 60_000
/** Timers of a runtime have a limit; a longer wait is made of several. */
const longestSleepMs = 600_000

export function createPace(settings: ModelSettings, { clock, pause }: PaceTools): EndpointPace {
  const { concurrency: maxConcurrency = defaultConcurrency, requestsPerMinute, tokensPerMinute } = settings
  let share = 1
  let open = 0
  let quietUntil = Number.NEGATIVE_INFINITY
  let decreasedAt = Number.NEGATIVE_INFINITY
  let closure: { until: number; reason: string } | null = null
  const waiters: (() => void)[] = []
  const limit = () => Math.max(1, Math.floor(maxConcurrency * share + 1e-9))
  const requests = requestsPerMinute === undefined ? null : createBucket(requestsPerMinute, clock)
  const tokens = tokensPerMinute === undefined ? null : createBucket(tokensPerMinute, clock)
  const wake = () => {
    for (let free = limit() - open; free > 0; free--) waiters.shift()?.()
  }

  const away = () => (closure !== null && clock() < closure.until ? closure.reason : null)

  /** Time to wait before a request of so many tokens may be sent; takes the tokens if it may be sent now. */
  const delay = (estimate: number): number => {
    const quiet = quietUntil - clock()
    if (quiet > 0) return quiet
    const wait = Math.max(requests?.wait(1, share) ?? 0, tokens?.wait(estimate, share) ?? 0)
    if (wait > 0) return wait
    requests?.take(1)
    tokens?.take(estimate)
    return 0
  }

  return {
    get limit() {
      return limit()
    },
    get share() {
      return share
    },
    get open() {
      return open
    },
    get away() {
      return away()
    },
    async enter(estimate, signal) {
      const over = () => signal.aborted || away() !== null
      while (open >= limit()) {
        if (over()) return null
        await waitForTurn(waiters, signal)
      }
      if (over()) {
        wake()
        return null
      }
      open++
      for (let ms = delay(estimate); ms > 0; ms = delay(estimate)) {
        await pause(Math.min(ms, longestSleepMs), signal)
        if (over()) {
          open--
          wake()
          return null
        }
      }
      const startedAt = clock()
      return {
        end({ tokens: usedTokens, ok, busy, afterMs = 0, away: reason }) {
          open--
          if (usedTokens !== undefined) tokens?.take(usedTokens - estimate)
          if (reason !== undefined) closure = { until: clock() + awayMs, reason }
          else if (busy) {
            quietUntil = Math.max(quietUntil, clock() + afterMs)
            // Requests that were on their way when it was lowered say nothing new.
            if (startedAt > decreasedAt) {
              share = Math.max(least, share / 2)
              decreasedAt = clock()
            }
          } else if (ok) share = Math.min(1, share + 1 / (maxConcurrency * limit()))
          wake()
        },
      }
    },
  }
}

function waitForTurn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.splice(waiting.indexOf(go), 1)
      resolve()
    }
    waiting.push(go)
    signal.addEventListener('abort', leave, { once: true })
  })
}
