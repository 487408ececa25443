/** Checks a report against thresholds and a baseline. */
import type { GateCheck, GateComparison, GateRequest, GateVerdict, ReportResult } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { testPair } from '../statistics/compare-models.ts'
import { explanations } from '../statistics/explanations.ts'
import { computeRateBracket, countReportDraws } from '../statistics/rate.ts'
import { computeMean, roundNumber, roundP } from '../statistics/rounded.ts'
import { listGateNotes } from './notes.ts'
import { listFlips, type PairedCase, pairSamples } from './pairs.ts'
import {
  formatTyped,
  describeDetectable,
  describeRates,
  formatTellingPercent,
  countNoun,
  describeTest,
} from './sentences.ts'

type GateThresholds = Omit<GateRequest, 'baseline'>

/** The part of a report that the gate reads: the result of a whole report. */
type GatedResult = Pick<ReportResult, 'digest' | 'options' | 'version' | 'overall' | 'notScored' | 'samples'>

const [alpha, power] = [0.05, 0.8]
const listed = 100

/**
 * The verdict on a report. `baseline` is the result of another evaluation of the same benchmark under the
 * same policy, which the caller has checked; with it, the drop is checked. Samples without a score are
 * always checked, because a pass rate does not include them. `draws` is the number of bootstrap resamples
 * for the difference.
 */
export function judgeGate(
  result: GatedResult,
  thresholds: GateThresholds,
  baseline?: GatedResult,
  { draws }: { draws?: number } = {},
): Omit<GateVerdict, 'evaluation' | 'baseline'> {
  const { unscored = 'failed' } = thresholds
  const pairs = baseline && pairSamples(result, baseline, { unscored })
  const comparison = pairs && compareWithBaseline(pairs.cases, thresholds.seed ?? 1, draws)
  const checks = [
    ...(thresholds.minRate === undefined ? [] : [checkRate(result, thresholds.minRate, unscored)]),
    checkUnscored(result, thresholds),
    ...(comparison ? [checkRegression(comparison, thresholds)] : []),
  ]
  return {
    passed: checks.every(({ passed }) => passed),
    digest: result.digest,
    samples: result.samples.length,
    notScored: result.notScored,
    overall: result.overall,
    checks,
    notes: baseline && comparison ? listGateNotes(result, baseline, comparison, pairs, thresholds) : [],
    ...(comparison && { comparison }),
    explanations: collectExplanations(result, comparison),
  }
}

function checkRate(
  { overall, notScored }: GatedResult,
  minRate: number,
  unscored: NonNullable<GateThresholds['unscored']>,
): GateCheck {
  const minimum = `the minimum of ${formatTyped(minRate)} %`
  // Reports of earlier versions have no brackets.
  const bracket = computeRateBracket(overall.passed, overall.scored, notScored)
  const [low] = (unscored === 'failed' && bracket) || [overall.rate]
  if (overall.rate === null || low === null)
    return {
      name: 'rate',
      passed: false,
      says: `No sample has a score, so no pass rate can reach ${minimum}.`,
    }
  // The rate has six decimals: 1 of 3 reaches a minimum of 1/3.
  const passed = low >= roundNumber(minRate)
  const failed =
    low < overall.rate ? `, with ${countNoun(notScored, 'sample')} without a score as failed,` : ''
  const says = passed
    ? `The pass rate of ${formatTellingPercent(low)}${failed} reaches ${minimum}.`
    : `The pass rate of ${formatTellingPercent(low, minRate)}${failed} is lower than ${minimum}.`
  return { name: 'rate', passed, says }
}

function checkUnscored(
  { notScored, samples: { length } }: GatedResult,
  { maxUnscored, maxUnscoredShare }: GateThresholds,
): GateCheck {
  const limit = maxUnscoredShare === undefined ? (maxUnscored ?? 0) : maxUnscoredShare * length
  // A share of a whole number: 0.07 of 100 is 7, not 7.000000000000001 or a little less.
  const passed = notScored <= roundNumber(limit)
  if (notScored === 0) return { name: 'unscored', passed, says: 'Every sample has a score.' }
  const allowed =
    maxUnscoredShare === undefined ? String(limit) : `${formatTyped(maxUnscoredShare)} % of ${length}`
  const subject = `${countNoun(notScored, 'sample')} ${notScored === 1 ? 'has' : 'have'} no score`
  return { name: 'unscored', passed, says: `${subject}; at most ${allowed} may have none.` }
}

/**
 * The drop against the baseline. It fails where the pass rate dropped by more than `maxRegression` (0 without
 * it) and, with `significant`, a two-sided paired test finds the difference significant at 5 %. As only drops
 * count, a true difference of zero fails such a gate in at most 2.5 % of evaluations.
 */
function checkRegression(comparison: GateComparison, thresholds: GateThresholds): GateCheck {
  const { maxRegression = 0, significant = false } = thresholds
  const { difference } = comparison
  if (difference === null)
    return {
      name: 'regression',
      passed: false,
      says: 'No sample has a score in both the evaluation and its baseline, so nothing can be compared.',
    }
  const tooFar = -difference > roundNumber(maxRegression)
  const isRegression = tooFar && (!significant || comparison.significant)
  const allowed = thresholds.maxRegression === undefined ? '' : describeAllowance(tooFar, maxRegression)
  const tested = significant ? [describeTest(comparison), describeDetectable(comparison)] : []
  return {
    name: 'regression',
    passed: !isRegression,
    says: [describeRates(comparison, -maxRegression), ...(allowed ? [allowed] : []), ...tested].join(' '),
  }
}

const describeAllowance = (tooFar: boolean, maxRegression: number) =>
  tooFar
    ? `That is more than the allowed drop of ${formatTyped(maxRegression)} points.`
    : `A drop of ${formatTyped(maxRegression)} points is allowed.`

function compareWithBaseline(
  cases: readonly PairedCase[],
  seed: number | string,
  count = countReportDraws(cases.length),
): GateComparison {
  const counts = (side: 'evaluation' | 'baseline') => ({
    name: side,
    cases: new Map(cases.map((one) => [one.case, one[side]])),
  })
  const rng = createRng(`gate/${seed}`)
  const tested = testPair(counts('evaluation'), counts('baseline'), rng, { alpha, power, count })
  const { difference, interval, test, exact, p, leastDifference } = tested
  const { regressions, improvements } = listFlips(cases)
  const rateOf = (side: 'evaluation' | 'baseline') =>
    cases.length === 0
      ? null
      : roundNumber(computeMean(cases.map((one) => one[side].passed / one[side].samples)))
  return {
    cases: cases.length,
    samples: cases.reduce((sum, { evaluation }) => sum + evaluation.samples, 0),
    rate: rateOf('evaluation'),
    baselineRate: rateOf('baseline'),
    ...{ difference, interval, test, exact },
    p: roundP(p),
    significant: p < alpha,
    ...{ alpha, power },
    // The formula is of large sets; of so few cases no drop is significant at all.
    leastDifference,
    regressed: regressions.length,
    improved: improvements.length,
    regressions: regressions.slice(0, listed),
    improvements: improvements.slice(0, listed),
  }
}

function collectExplanations(
  { overall: { method }, notScored }: GatedResult,
  comparison: GateComparison | undefined,
): Record<string, string> {
  const { rate, bracket, difference, mcNemar, signFlip, leastDifference } = explanations
  return {
    rate,
    ...(notScored > 0 && { bracket }),
    ...(method && { [method]: explanations[method] }),
    ...(comparison && {
      difference,
      ...(comparison.test === 'mcnemar' ? { mcNemar } : { signFlip }),
      leastDifference,
    }),
  }
}
