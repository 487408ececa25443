/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import { type Case, codeVerdicts, type ReportResult, rootCauses, type ScoredSample } from '@stateeval/contracts'
import { version } from '../version.ts'
import { errorReport } from './errors.ts'
import { groupsOf } from './groups.ts'
import { mutationReport } from './mutation.ts'
import { firstTryOf, statisticsOf } from './statistics.ts'
import { counted, isScored, rateOf } from './rates.ts'

export function aggregate(
  samples: readonly ScoredSample[],
  cases: readonly Case[],
  about: Pick<ReportResult, 'benchmark' | 'model' | 'options'>,
): ReportResult {
  const places = new Map(cases.map(({ id }, n) => [id, n]))
  const placeOf = (sample: ScoredSample) => places.get(sample.case) ?? cases.length
  const ordered = samples.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || (a.case < b.case ? -1 : a.case > b.case ? 1 : 0) || a.sample - b.sample,
  )
  const mutation = mutationReport(ordered)
  const byId = new Map(cases.map((c) => [c.id, c]))
  const [errors, firstTry] = [errorReport(ordered, byId), firstTryOf(ordered)]
  const options = Object.fromEntries(Object.entries(about.options).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    benchmark: about.benchmark,
    model: about.model,
    options,
    version,
    overall: rateOf(ordered),
    ...(firstTry ? { firstTry } : {}),
    statistics: statisticsOf(ordered),
    notScored: ordered.filter((sample) => !isScored(sample)).length,
    verdicts: counted(
      codeVerdicts,
      ordered.flatMap(({ score }) => score?.verdict ?? []),
    ),
    rootCauses: counted(
      rootCauses,
      ordered.flatMap(({ score }) => score?.evidence.rootCause?.cause ?? []),
    ),
    groups: groupsOf(ordered, byId, options),
    ...(errors ? { errors } : {}),
    ...(mutation ? { mutation } : {}),
    samples: ordered,
  }
}
