/** The measures of the papers over samples, under the names of their tables. */
import type { RateBracket, Measures } from '@stateeval/contracts'
import type { MeasureDirections } from '@stateeval/program'
import { roundNumber } from '@stateeval/score'
import { isAnswerable, type NestfulCase } from '../case.ts'
import { measureDepth } from '../depth.ts'
import { isUnmatchable } from '../player.ts'
import type { measureNames } from '../presentation/names.ts'
import type { NestfulPolicy } from '../readings.ts'
import { type F1, type JudgedCase, computeMacroF1, computeMicroF1 } from './f1.ts'
import { computeJackknife, averageWithout } from './intervals.ts'

type MeasureName = (typeof measureNames)[number]

/** A mean over the samples whose case has the metric, whatever their answers are. */
interface MeanMeasure {
  name: MeasureName
  metric: string
  scale?: number
  hasMetric: (c: NestfulCase) => boolean
}
const isEverySample = () => true
const isPassable = ({ task }: NestfulCase) => task.form === 'v1' && task.passable === true
const isWinnable = ({ task }: NestfulCase) =>
  task.truth !== undefined || (task.form === 'v2' && task.gold !== undefined)
const means: readonly MeanMeasure[] = [
  { name: 'Partial sequence match', metric: 'partial', hasMetric: isEverySample },
  { name: 'Full sequence match', metric: 'full', hasMetric: isEverySample },
  { name: 'API execution pass rate, mock (%)', metric: 'pass_mock', scale: 100, hasMetric: isPassable },
  { name: 'API execution pass rate, live (%)', metric: 'pass_live', scale: 100, hasMetric: isPassable },
  { name: 'Win rate', metric: 'win', hasMetric: isWinnable },
]
const soundMeans: readonly MeanMeasure[] = [
  { name: 'Partial match without order', metric: 'graph_partial', hasMetric: isEverySample },
  { name: 'Full match without order', metric: 'graph_full', hasMetric: isEverySample },
]

/** Which way each is better, by the beginning of its name. */
export const measures: MeasureDirections = {
  Partial: 'higher',
  Full: 'higher',
  'API execution pass rate': 'higher',
  'Win rate': 'higher',
  F1: 'higher',
  'Parsing errors': 'lower',
  Ceiling: 'neither',
  Unanswerable: 'neither',
  Runnable: 'neither',
  'Not run': 'neither',
  Samples: 'neither',
}

interface MeasuredCases {
  /** Cases of all samples that count, one for each; includes samples without a score. */
  cases: readonly NestfulCase[]
  /** Also those of samples that do not count. */
  all: readonly NestfulCase[]
  layout: string
}

/** The reference can be run here, so that the sample counts in a rate of execution. */
const isRunnable = ({ metrics }: JudgedCase) =>
  ['win', 'pass_mock', 'pass_live'].some((name) => metrics[name] !== undefined)

/**
 * The share of samples that any model could get right: the prompt has what the gold calls need, and an answer
 * in this layout can match them.
 */
const computeCeiling = (policy: NestfulPolicy, { all, layout }: MeasuredCases): number | null =>
  all.length === 0
    ? null
    : roundNumber(
        all.filter(
          (c) =>
            isAnswerable(c) &&
            (policy === 'sound' || !isUnmatchable(c)) &&
            (layout !== 'toolace' || policy === 'sound' || measureDepth(c.task.calls) === 1),
        ).length / all.length,
      )

export function computeNestfulMeasures(
  samples: readonly JudgedCase[],
  policy: NestfulPolicy,
  about: MeasuredCases,
): Pick<Measures, 'values' | 'brackets' | 'intervals'> {
  const { cases } = about
  const brackets: Record<string, RateBracket> = {}
  const intervals: Record<string, RateBracket> = {}
  const keepInterval = (name: MeasureName, ...args: Parameters<typeof computeJackknife>) => {
    const interval = computeJackknife(...args)
    if (interval) intervals[name] = interval
  }
  const mean = ({ name, metric, scale = 1, hasMetric }: MeanMeasure): [MeasureName, number | null] => {
    const values = samples.flatMap(({ metrics }) => metrics[metric] ?? [])
    const others = metric === 'pass_mock' ? 'pass_live' : metric === 'pass_live' ? 'pass_mock' : undefined
    const has = (one: JudgedCase, of: string) =>
      one.metrics[of] !== undefined || one.metrics[`${of}_unknown`] !== undefined
    const elsewhere = others ? samples.filter((one) => has(one, others)).length : 0
    const unscored = cases.filter(hasMetric).length - values.length - elsewhere
    // Counted as lost, because the denominator is the cases'; what they would have got is not known.
    const unknown = samples.filter(
      ({ metrics }) => metrics[metric] !== undefined && metrics[`${metric}_unknown`] === 1,
    ).length
    const sum = values.reduce((total, one) => total + one, 0)
    if (values.length > 0 && unscored + unknown > 0)
      brackets[name] = [0, unscored + unknown].map((passed) =>
        roundNumber((scale * (sum + passed)) / (values.length + unscored)),
      ) as RateBracket
    if (values.length === 0) return [name, null]
    const value = roundNumber((scale * sum) / values.length)
    const byCase = Map.groupBy(
      samples.filter(({ metrics }) => metrics[metric] !== undefined),
      (one) => one.case,
    )
    const perCase = new Map(
      [...byCase].map(([c, list]) => [c, list.map(({ metrics }) => scale * metrics[metric]!)] as const),
    )
    const isRate = perCase.size === values.length && values.every((one) => one === 0 || one === 1)
    keepInterval(name, value, averageWithout(perCase), { scale, isRate })
    return [name, value]
  }
  const sum = (metric: string) => samples.reduce((total, { metrics }) => total + (metrics[metric] ?? 0), 0)
  const isPublished = policy === 'published'
  const f1Of = (name: MeasureName, { value, without }: F1) => {
    keepInterval(name, value, without)
    return value
  }
  const values: Partial<Record<MeasureName, number | null>> = {
    ...Object.fromEntries(means.map(mean)),
    'F1 function': f1Of(
      'F1 function',
      isPublished ? computeMacroF1(samples, 'function') : computeMicroF1(samples, 'names'),
    ),
    'F1 parameter': f1Of(
      'F1 parameter',
      isPublished ? computeMacroF1(samples, 'parameter') : computeMicroF1(samples, 'arguments'),
    ),
    ...(isPublished ? { 'Parsing errors': sum('parsing_errors') } : Object.fromEntries(soundMeans.map(mean))),
    Ceiling: computeCeiling(policy, about),
    Unanswerable: about.all.filter((c) => !isAnswerable(c)).length,
    Runnable: samples.filter(isRunnable).length,
    'Not run': sum('not_run'),
    Samples: samples.length,
  }
  return {
    values,
    ...(Object.keys(brackets).length > 0 && { brackets }),
    ...(Object.keys(intervals).length > 0 && { intervals }),
  }
}
