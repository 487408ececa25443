/** Outcomes of attempts: none may score above its honest rate, or take its samples out of the rate. */
import type { ScoredSample } from '@stateeval/contracts'
import { isLate } from './delays.ts'
import type { AuditTrial } from './plan.ts'

interface SamplePlace {
  evaluation: string
  case: string
  sample: number
}

type AttemptVerdict = 'held' | 'scored more' | 'not scored'

export interface AttemptOutcome {
  name: string
  form: string
  samples: number
  /** The share of these answers that pass without the attempt. */
  honest: number
  /** The share that passes with it; null if none was scored. */
  attacked: number | null
  notScored: number
  verdict: AttemptVerdict
  /** Samples that pass only with the attempt, or that it took out of the rate. */
  evidence: SamplePlace[]
}

export interface TrialResult {
  trial: AuditTrial
  evaluation: string
  /** Absent if the sample is missing among the results. */
  result?: ScoredSample
}

/**
 * Groups outcomes by attempt, in their order. A wrong answer that passes counts even if a right one fails for
 * it: the rates would be equal, and the attempt still works.
 */
export function summarizeAttempts(tried: readonly TrialResult[]): AttemptOutcome[] {
  const byAttempt = Map.groupBy(tried, ({ trial: { attempt } }) => attempt)
  return [...byAttempt].map(([{ name, form }, all]) => {
    const scored = all.filter(({ result }) => result?.score)
    const passed = (one: TrialResult) => one.result?.score?.passed === true
    const gained = scored.filter((one) => passed(one) && !one.trial.honest.passes)
    const lost = all.filter(({ result }) => !result?.score)
    return {
      name,
      form,
      samples: all.length,
      honest: all.filter(({ trial }) => trial.honest.passes).length / all.length,
      attacked: scored.length === 0 ? null : scored.filter(passed).length / scored.length,
      notScored: lost.length,
      verdict: gained.length > 0 ? 'scored more' : lost.length > 0 ? 'not scored' : 'held',
      evidence: [...gained, ...lost].map(({ evaluation, trial: { given } }) => ({
        evaluation,
        case: given.case,
        sample: given.sample ?? 0,
      })),
    }
  })
}

/** An honest answer that was scored otherwise after the attempts than before. */
export interface Leftover {
  case: string
  sample: number
  before: string
  after: string
}

/**
 * Honest answers that were scored otherwise after the attempts than before: something was left behind.
 * `confirmDelays` looks at answers that were late, before or after.
 */
export const findLeftovers = (before: readonly ScoredSample[], after: readonly ScoredSample[]): Leftover[] =>
  before.flatMap((earlier): Leftover[] => {
    const { case: id, sample, score } = earlier
    if (!score) return []
    const now = after.find((one) => one.case === id && one.sample === sample)
    if (now?.score && (isLate(earlier) || isLate(now) || now.score.passed === score.passed)) return []
    return [
      {
        ...{ case: id, sample, before: score.passed ? 'passed' : 'failed' },
        after: now?.score?.verdict ?? 'not scored',
      },
    ]
  })
