/**
 * The paper's metrics over samples, as one policy judges them (sections 3.1 and 3.2; README, Published
 * behaviour 9).
 */
import { type RateBracket, getOwnMember } from '@stateeval/contracts'
import type { MeasureDirections } from '@stateeval/program'
import { computeRateBracket, roundNumber } from '@stateeval/score'
import type { JudgingPolicy } from '../dialogue/converse.ts'
import { parameterTypes } from '../functions/parameter-types.ts'

export interface JudgedSample {
  verdict: string
  metrics: Readonly<Record<string, number>>
}
type MeasureValues = Record<string, number | null>

/** How many samples of each domain were published; success rates are divided by these, whatever was run. */
const publishedSize: Readonly<Record<string, number>> = {
  Hotels: 150,
  Flights: 150,
  'Car-Rental': 150,
  Attraction: 150,
  Cross: 400,
}
/** The released code divides any other domain as a single one. */
const otherSize = 150
const publishedTotal = 1000

const sum = (samples: readonly JudgedSample[], metric: string) =>
  samples.reduce((total, { metrics }) => total + (metrics[metric] ?? 0), 0)
const computeShare = (part: number, whole: number) => (whole === 0 ? null : roundNumber(part / whole))

/** The mean of the scores 0, 1 and 2; other samples have none. */
function averageScore(samples: readonly JudgedSample[], metric: string) {
  const scores = samples.flatMap(({ metrics }) => {
    const score = metrics[metric]
    return score !== undefined && score >= 0 ? [score] : []
  })
  const total = scores.reduce((all, one) => all + one, 0)
  return { mean: computeShare(total, scores.length), scored: scores.length }
}

/** Samples that the policy's own evaluator counts; of others it says nothing. */
const isRecorded = ({ verdict }: JudgedSample) => verdict !== 'diverged' && verdict !== 'unrecorded'
const isSuccess = ({ verdict }: JudgedSample) => verdict === 'success'
/** The divisor of success rates under the published policy. */
const getPaperSize = (domain: string | null) =>
  domain === null ? publishedTotal : (getOwnMember(publishedSize, domain) ?? otherSize)

/**
 * The brackets of the success rates: `unscored` samples and those that the policy does not count, as failures
 * and as successes.
 */
export function computeBrackets(
  samples: readonly JudgedSample[],
  policy: JudgingPolicy,
  domain: string | null,
  unscored: number,
): Record<string, RateBracket> | undefined {
  const recorded = samples.filter(isRecorded).length
  const successes = samples.filter(isSuccess).length
  const left = unscored + samples.length - recorded
  const bracket = computeRateBracket(successes, recorded, left)
  if (!bracket) return undefined
  const size = getPaperSize(domain)
  const published: RateBracket = [
    roundNumber(successes / size),
    roundNumber(Math.min(1, (successes + left) / size)),
  ]
  return {
    'Success rate': policy === 'published' ? published : bracket,
    'Success rate of judged samples': bracket,
  }
}

/** @param domain null for all */
export function computeMeasures(
  samples: readonly JudgedSample[],
  policy: JudgingPolicy,
  domain: string | null,
): MeasureValues {
  const recordedSamples = samples.filter(isRecorded)
  const successes = recordedSamples.filter(isSuccess).length
  const recorded = recordedSamples.length
  const size = getPaperSize(domain)
  // The released code lists no domain without a success.
  const publishedRate = domain !== null && successes === 0 ? null : computeShare(successes, size)
  const completeness = averageScore(recordedSamples, 'completeness')
  const correctness = averageScore(recordedSamples, 'correctness')
  const rateOf = (count: number) => computeShare(count, policy === 'published' ? size : recorded)
  const means = (metric: string) => computeShare(sum(recordedSamples, metric), recorded)
  // Runs that a policy or a limit ended took fewer or more steps than the model would have.
  const ended = recordedSamples.filter(({ metrics }) => metrics['ended_by_text'] !== 0)
  /** The released code has 0 where there is nothing to count. */
  const orZero = (value: number | null) => (policy === 'published' ? (value ?? 0) : value)
  return {
    Samples: samples.length,
    Judged: recorded,
    Diverged: samples.filter(({ verdict }) => verdict === 'diverged').length,
    Successes: successes,
    'Success rate': policy === 'published' ? publishedRate : computeShare(successes, recorded),
    'Success rate of judged samples': computeShare(successes, recorded),
    'Call accuracy': orZero(
      computeShare(sum(recordedSamples, 'correct_calls'), sum(recordedSamples, 'total_calls')),
    ),
    ...computeStagelessRates(recordedSamples, rateOf),
    Completeness: completeness.scored === 0 ? null : completeness.mean,
    Correctness: correctness.scored === 0 ? null : correctness.mean,
    'Judged texts': Math.max(completeness.scored, correctness.scored),
    'Mean steps': means('steps'),
    'Mean shortest steps': means('shortest_steps'),
    'Runs that ended with a text': ended.length,
    'Mean extra steps': computeShare(sum(ended, 'steps') - sum(ended, 'shortest_steps'), ended.length),
    'Errors told': sum(recordedSamples, 'errors_told'),
    'Self-correction rate': computeShare(
      sum(recordedSamples, 'errors_corrected'),
      sum(recordedSamples, 'errors_told'),
    ),
    'Mappings by embeddings': sum(recordedSamples, 'mappings'),
    'Mappings that differ under the lexical default': sum(recordedSamples, 'mappings_differ'),
    'Mappings that the embeddings model did not give': sum(recordedSamples, 'mappings_fallback'),
    'Matched by response': sum(recordedSamples, 'matched_by_response'),
    'Matched by judge': sum(recordedSamples, 'matched_by_judge'),
    'Calls without matching by response': sum(recordedSamples, 'response_skipped'),
    'Calls without a recorded response': sum(recordedSamples, 'response_unrecorded'),
    'Calls without a judge': sum(recordedSamples, 'judge_skipped'),
    'Calls not judged': sum(recordedSamples, 'judge_unread'),
    'Scores of texts not judged': sum(recordedSamples, 'texts_not_judged'),
  }
}

/** Which way each is better, by the beginning of its name. */
export const measures: MeasureDirections = {
  Samples: 'neither',
  Judged: 'neither',
  Diverged: 'lower',
  Success: 'higher',
  'Call accuracy': 'higher',
  Completeness: 'higher',
  Correctness: 'higher',
  'Mean steps': 'neither',
  'Mean shortest steps': 'neither',
  'Mean extra steps': 'lower',
  'Runs that ended with a text': 'neither',
  'Errors told': 'lower',
  'Self-correction rate': 'higher',
  Mappings: 'neither',
  'Matched by': 'neither',
  'Calls without': 'neither',
  'Calls not judged': 'neither',
  'Scores of texts not judged': 'neither',
  Compar: 'neither',
  Wrong: 'lower',
  'Error rate': 'lower',
  'Comparison error rate': 'lower',
  'Goal accuracy': 'higher',
}

/** Stages of matching that could be off, by the metrics that count their matches. */
const stages: Readonly<Record<string, readonly string[]>> = {
  'without the judge': ['matched_by_judge'],
  'without responses': ['matched_by_response'],
  'by rule alone': ['matched_by_judge', 'matched_by_response'],
}

/**
 * Computes lower bounds of the rates without a stage: a match of it counts as wrong, and so does a success
 * that relies on one. The dialogue would have continued otherwise, and might have come to its end in another
 * way.
 */
function computeStagelessRates(
  samples: readonly JudgedSample[],
  rateOf: (count: number) => number | null,
): MeasureValues {
  const total = sum(samples, 'total_calls')
  return Object.fromEntries(
    Object.entries(stages).flatMap(([name, metrics]) => {
      const matchesIn = (sample: JudgedSample) =>
        metrics.reduce((count, one) => count + sum([sample], one), 0)
      const lost = samples.reduce((count, sample) => count + matchesIn(sample), 0)
      const successes = samples.filter((one) => isSuccess(one) && matchesIn(one) === 0).length
      return [
        [`Success rate ${name}`, rateOf(successes)],
        [`Call accuracy ${name}`, computeShare(sum(samples, 'correct_calls') - lost, total)],
      ]
    }),
  )
}

/**
 * Error rates by type of parameter (Fig. 5), of golden parameters and of all comparisons; types that no
 * golden call has are left out.
 */
export function computeParameterMeasures(
  samples: readonly JudgedSample[],
): { name: string; values: MeasureValues }[] {
  return parameterTypes.flatMap((type) => {
    const compared = sum(samples, `compared/${type}`)
    const wrong = sum(samples, `wrong/${type}`)
    const comparisons = sum(samples, `comparisons/${type}`)
    const wrongComparisons = sum(samples, `wrong_comparisons/${type}`)
    if (compared === 0) return []
    return [
      {
        name: type,
        values: {
          Compared: compared,
          Wrong: wrong,
          'Error rate': computeShare(wrong, compared),
          Comparisons: comparisons,
          'Wrong comparisons': wrongComparisons,
          'Comparison error rate': computeShare(wrongComparisons, comparisons),
        },
      },
    ]
  })
}
