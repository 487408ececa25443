/** The rate of passed samples, with the interval that fits the number of samples per case. */
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

/** The resamples for one rate: a report has one for every group, and should take about a second. */
export const reportDraws = (cases: number) => Math.max(1000, Math.min(4000, Math.floor(1_000_000 / cases)))

const byContent = (counts: readonly CaseCount[]) =>
  counts.toSorted((a, b) => a.samples - b.samples || a.passed - b.passed)

/** How many samples each case has, and how many of them passed; independent of the order of samples. */
export function caseCounts(outcomes: readonly SampleOutcome[]): CaseCount[] {
  const counts = new Map<string, CaseCount>()
  for (const { case: id, passed } of outcomes) {
    const before = counts.get(id) ?? { samples: 0, passed: 0 }
    counts.set(id, { samples: before.samples + 1, passed: before.passed + (passed ? 1 : 0) })
  }
  return byContent([...counts.values()])
}

export const rateOf = (outcomes: readonly SampleOutcome[]): Rate => rateOfCases(caseCounts(outcomes))

/**
 * The rate, its 95 % interval, and the interval's method: Wilson's if each case has one sample, otherwise a
 * bootstrap that draws whole cases. Its seed is fixed, so the same samples give the same bytes in reports
 * and in comparisons.
 */
export function rateOfCases(cases: readonly CaseCount[]): Rate {
  const passed = cases.reduce((sum, one) => sum + one.passed, 0)
  const scored = cases.reduce((sum, one) => sum + one.samples, 0)
  const several = cases.length < scored
  return {
    passed,
    scored,
    rate: scored ? rounded(passed / scored) : null,
    interval: several
      ? clusteredInterval(byContent(cases), createRng('report'), { count: reportDraws(cases.length) })
      : wilson(passed, scored),
    ...(scored > 0 && { method: several ? 'clustered' : 'wilson' }),
  }
}

/** Explanations of these rates' intervals, by name of their method. */
export function explained(rates: readonly Pick<Rate, 'method'>[]): Record<string, string> {
  const usedMethods = (['wilson', 'clustered'] as const).filter((method) =>
    rates.some((rate) => rate.method === method),
  )
  return Object.fromEntries(usedMethods.map((method) => [method, explanations[method]]))
}
