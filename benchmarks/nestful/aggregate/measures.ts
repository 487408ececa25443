/** The measures of the papers over samples, under the names of their tables. */
import { rounded } from '@stateeval/score'
import type { measureNames } from '../presentation/names.ts'
import type { Policy } from '../readings.ts'
import { type Judged, macroF1, microF1 } from './f1.ts'

type Name = (typeof measureNames)[number]

export function measuresOf(samples: readonly Judged[], policy: Policy): Partial<Record<Name, number | null>> {
  const mean = (metric: string, scale = 1): number | null => {
    const values = samples.flatMap(({ metrics }) => metrics[metric] ?? [])
    return values.length === 0
      ? null
      : rounded((scale * values.reduce((sum, one) => sum + one, 0)) / values.length)
  }
  const sum = (metric: string) => samples.reduce((total, { metrics }) => total + (metrics[metric] ?? 0), 0)
  const isPublished = policy === 'published'
  return {
    'Partial sequence match': mean('partial'),
    'Full sequence match': mean('full'),
    'API execution pass rate, mock (%)': mean('pass_mock', 100),
    'API execution pass rate, live (%)': mean('pass_live', 100),
    'Win rate': mean('win'),
    'F1 function': isPublished ? macroF1(samples, 'function') : microF1(samples, 'names'),
    'F1 parameter': isPublished ? macroF1(samples, 'parameter') : microF1(samples, 'arguments'),
    ...(isPublished
      ? { 'Parsing errors': sum('parsing_errors') }
      : {
          'Partial match without order': mean('graph_partial'),
          'Full match without order': mean('graph_full'),
        }),
    'Not run': sum('not_run'),
    Samples: samples.length,
  }
}
