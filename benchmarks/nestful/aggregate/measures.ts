/** The measures of the papers over samples, under the names of their tables. */
import type { Bracket, Measures } from '@stateeval/contracts'
import { rounded } from '@stateeval/score'
import type { NestfulCase } from '../case.ts'
import type { measureNames } from '../presentation/names.ts'
import type { Policy } from '../readings.ts'
import { type Judged, macroF1, microF1 } from './f1.ts'

type Name = (typeof measureNames)[number]

/** A mean over the samples whose case has the metric, whatever their answers are. */
interface MeanMeasure {
  name: Name
  metric: string
  scale?: number
  hasMetric: (c: NestfulCase) => boolean
}
const every = () => true
const isPassable = ({ task }: NestfulCase) => task.form === 'v1' && task.passable === true
const isWinnable = ({ task }: NestfulCase) =>
  task.truth !== undefined || (task.form === 'v2' && task.gold !== undefined)
const means: readonly MeanMeasure[] = [
  { name: 'Partial sequence match', metric: 'partial', hasMetric: every },
  { name: 'Full sequence match', metric: 'full', hasMetric: every },
  { name: 'API execution pass rate, mock (%)', metric: 'pass_mock', scale: 100, hasMetric: isPassable },
  { name: 'API execution pass rate, live (%)', metric: 'pass_live', scale: 100, hasMetric: isPassable },
  { name: 'Win rate', metric: 'win', hasMetric: isWinnable },
]
const soundMeans: readonly MeanMeasure[] = [
  { name: 'Partial match without order', metric: 'graph_partial', hasMetric: every },
  { name: 'Full match without order', metric: 'graph_full', hasMetric: every },
]

/**
 * An answer without calls is called nowhere, and fails where the others were called: by the live APIs if
 * there are such and no mock.
 */
function withoutCalls(samples: readonly Judged[]): readonly Judged[] {
  const isCalled = ({ metrics }: Judged, metric: string) =>
    metrics[metric] !== undefined && !metrics['pass_none']
  const isLive =
    samples.some((one) => isCalled(one, 'pass_live')) && !samples.some((one) => isCalled(one, 'pass_mock'))
  if (!isLive) return samples
  return samples.map((one) => {
    const { pass_mock: _, ...metrics } = one.metrics
    return one.metrics['pass_none'] ? { ...one, metrics: { ...metrics, pass_live: 0 } } : one
  })
}

/** `cases`: those of all samples, also of those without a score, one for each. */
export function measuresOf(
  judged: readonly Judged[],
  policy: Policy,
  cases: readonly NestfulCase[],
): Pick<Measures, 'values' | 'brackets'> {
  const samples = withoutCalls(judged)
  const brackets: Record<string, Bracket> = {}
  const mean = ({ name, metric, scale = 1, hasMetric }: MeanMeasure): [Name, number | null] => {
    const values = samples.flatMap(({ metrics }) => metrics[metric] ?? [])
    const others = metric === 'pass_mock' ? 'pass_live' : metric === 'pass_live' ? 'pass_mock' : undefined
    const elsewhere = others ? samples.filter(({ metrics }) => metrics[others] !== undefined).length : 0
    const unscored = cases.filter(hasMetric).length - values.length - elsewhere
    const sum = values.reduce((total, one) => total + one, 0)
    if (values.length > 0 && unscored > 0)
      brackets[name] = [0, unscored].map((passed) =>
        rounded((scale * (sum + passed)) / (values.length + unscored)),
      ) as Bracket
    return [name, values.length === 0 ? null : rounded((scale * sum) / values.length)]
  }
  const sum = (metric: string) => samples.reduce((total, { metrics }) => total + (metrics[metric] ?? 0), 0)
  const isPublished = policy === 'published'
  const values: Partial<Record<Name, number | null>> = {
    ...Object.fromEntries(means.map(mean)),
    'F1 function': isPublished ? macroF1(samples, 'function') : microF1(samples, 'names'),
    'F1 parameter': isPublished ? macroF1(samples, 'parameter') : microF1(samples, 'arguments'),
    ...(isPublished ? { 'Parsing errors': sum('parsing_errors') } : Object.fromEntries(soundMeans.map(mean))),
    'Not run': sum('not_run'),
    Samples: samples.length,
  }
  return { values, ...(Object.keys(brackets).length > 0 && { brackets }) }
}
