/**
 * The rate of passed samples, with the interval that fits the number of samples per case, and its ends if
 * samples without a score counted as failed or as passed.
 */
import type { RateBracket, Rate, ScoredSample } from '@stateeval/contracts'
import { computeBracket } from '@stateeval/contracts/bracket'
import { createRng } from '@stateeval/program'
import { computeClusteredInterval } from './bootstrap.ts'
import { explanations } from './explanations.ts'
import type { CaseCount } from './pass-at-k.ts'
import { computeWilson } from './proportions.ts'
import { roundNumber } from './rounded.ts'

/** One sample of a case; null stands for one without a score. */
interface SampleOutcome {
  case: string
  passed: boolean | null
}

/** Tells whether a sample has a score; an infrastructure error says nothing about the candidate. */
export const isScored = ({ score }: Pick<ScoredSample, 'score'>): boolean =>
  score !== null && score.verdict !== 'infrastructure_error'

/** The ends of a rate by its samples without a score, rounded; undefined if it has none. */
export function computeRateBracket(
  passed: number,
  scored: number,
  unscored: number,
): RateBracket | undefined {
  const bracket = computeBracket(passed, scored, unscored)
  return bracket && [roundNumber(bracket[0]), roundNumber(bracket[1])]
}

/** The resamples for one rate: a report has one for every group, and should take about a second. */
export const countReportDraws = (cases: number) =>
  Math.max(1000, Math.min(4000, Math.floor(1_000_000 / cases)))

const sortByContent = (counts: readonly CaseCount[]) =>
  counts.toSorted(
    (a, b) => a.samples - b.samples || a.passed - b.passed || (a.unscored ?? 0) - (b.unscored ?? 0),
  )

const noCount: CaseCount = { samples: 0, passed: 0 }
/** A case's count with one more sample. */
export const withSample = (
  { samples, passed, unscored = 0 }: CaseCount = noCount,
  outcome: boolean | null,
): CaseCount =>
  outcome === null
    ? { samples, passed, unscored: unscored + 1 }
    : { samples: samples + 1, passed: passed + (outcome ? 1 : 0), ...(unscored > 0 && { unscored }) }

/**
 * How many scored samples each case has, how many of them passed, and how many have no score; independent of
 * the order of samples.
 */
export function tallyCases(outcomes: readonly SampleOutcome[]): CaseCount[] {
  const counts = new Map<string, CaseCount>()
  for (const { case: id, passed } of outcomes) counts.set(id, withSample(counts.get(id), passed))
  return sortByContent([...counts.values()])
}

export const rateOutcomes = (outcomes: readonly SampleOutcome[]): Rate => rateCases(tallyCases(outcomes))

/** `passes`: whether a scored sample counts as passed, if that is not its final score. */
export const listOutcomes = (
  samples: readonly ScoredSample[],
  passes = ({ score }: ScoredSample) => score?.passed === true,
): SampleOutcome[] =>
  samples.map((sample) => ({ case: sample.case, passed: isScored(sample) ? passes(sample) : null }))

/** The pass rate of samples; those without a score count in its bracket alone. */
export const rateSamples = (
  samples: readonly ScoredSample[],
  passes?: (sample: ScoredSample) => boolean,
): Rate => rateOutcomes(listOutcomes(samples, passes))

/**
 * The rate, its 95 % interval, and the interval's method: Wilson's if each case has one sample, otherwise a
 * bootstrap that draws whole cases. Its seed is fixed, so the same samples give the same bytes in reports
 * and in comparisons.
 */
export function rateCases(all: readonly CaseCount[]): Rate {
  const passed = all.reduce((sum, one) => sum + one.passed, 0)
  const scored = all.reduce((sum, one) => sum + one.samples, 0)
  const unscored = all.reduce((sum, one) => sum + (one.unscored ?? 0), 0)
  const cases = all.filter(({ samples }) => samples > 0)
  const several = cases.length < scored
  const bracket = computeRateBracket(passed, scored, unscored)
  return {
    passed,
    scored,
    rate: scored ? roundNumber(passed / scored) : null,
    interval: several
      ? computeClusteredInterval(sortByContent(cases), createRng('report'), {
          count: countReportDraws(cases.length),
        })
      : computeWilson(passed, scored),
    ...(scored > 0 && { method: several ? 'clustered' : 'wilson' }),
    ...(bracket && { unscored, bracket }),
  }
}

/** Explanations of these rates' intervals, by name of their method, and of brackets if there are any. */
export function explainIntervals(rates: readonly Pick<Rate, 'method' | 'bracket'>[]): Record<string, string> {
  const used = (['wilson', 'clustered', 'bracket'] as const).filter((name) =>
    rates.some((rate) => (name === 'bracket' ? rate.bracket : rate.method === name)),
  )
  return Object.fromEntries(used.map((name) => [name, explanations[name]]))
}
