/** The rate of passed samples, with the interval that fits how many samples a case has. */
import type { Rate } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { clusteredInterval } from './bootstrap.ts'
import { explanations } from './explanations.ts'
import type { CaseCount } from './pass-at-k.ts'
import { wilson } from './proportions.ts'
import { rounded } from './rounded.ts'

/** One scored sample of a case. */
interface SampleOutcome {
  case: string
  passed: boolean
}

/** How often cases are drawn anew for one rate: a report has one for every group, and is to take a second. */
export const reportDraws = (cases: number) => Math.max(1000, Math.min(4000, Math.floor(1_000_000 / cases)))

/**
 * How many samples each case has, and how many of them passed; the same list, in whatever order samples come.
 */
export function caseCounts(outcomes: readonly SampleOutcome[]): CaseCount[] {
  const counts = new Map<string, CaseCount>()
  for (const { case: id, passed } of outcomes) {
    const before = counts.get(id) ?? { samples: 0, passed: 0 }
    counts.set(id, { samples: before.samples + 1, passed: before.passed + (passed ? 1 : 0) })
  }
  return [...counts.values()].sort((a, b) => a.samples - b.samples || a.passed - b.passed)
}

/**
 * The rate, its 95 % interval, and how that was found: Wilson's where each case has one sample; where a case
 * has several, a bootstrap that draws whole cases. Its seed is fixed: the same samples give the same bytes.
 */
export function rateOf(outcomes: readonly SampleOutcome[]): Rate {
  const [passed, scored] = [outcomes.filter((one) => one.passed).length, outcomes.length]
  const counts = caseCounts(outcomes)
  const several = counts.length < scored
  return {
    passed,
    scored,
    rate: scored ? rounded(passed / scored) : null,
    interval: several
      ? clusteredInterval(counts, createRng('report'), { count: reportDraws(counts.length) })
      : wilson(passed, scored),
    ...(scored > 0 && { method: several ? 'clustered' : 'wilson' }),
  }
}

/** What the intervals of these rates say, by the names of how they were found. */
export function explained(rates: readonly Pick<Rate, 'method'>[]): Record<string, string> {
  const usedMethods = (['wilson', 'clustered'] as const).filter((method) =>
    rates.some((rate) => rate.method === method),
  )
  return Object.fromEntries(usedMethods.map((method) => [method, explanations[method]]))
}
