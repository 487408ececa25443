/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import type { Case, ReportResult, ScoredSample } from '@stateeval/contracts'
import { mutationOperators } from '@stateeval/program'
import { codeVerdicts, explained, isScored, mutationReport, rateOfSamples } from '@stateeval/score'
import { rootCauses } from '../root-cause/root-cause.ts'
import { toolMeasures, toolVerdicts, usesTools } from '../tools/index.ts'
import { version } from '../version.ts'
import { errorReport } from './errors.ts'
import { groupsOf } from './groups.ts'
import { firstTryOf, statisticsOf } from './statistics.ts'

export function aggregate(
  samples: readonly ScoredSample[],
  cases: readonly Case[],
  about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
): ReportResult {
  const places = new Map(cases.map(({ id }, n) => [id, n]))
  const placeOf = (sample: ScoredSample) => places.get(sample.case) ?? cases.length
  const ordered = samples.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) || (a.case < b.case ? -1 : a.case > b.case ? 1 : 0) || a.sample - b.sample,
  )
  const mutation = mutationReport(
    ordered,
    mutationOperators.map(({ id }) => id),
  )
  const byId = new Map(cases.map((c) => [c.id, c]))
  const [errors, firstTry, overall] = [
    errorReport(ordered, byId),
    firstTryOf(ordered),
    rateOfSamples(ordered),
  ]
  const options = Object.fromEntries(Object.entries(about.options).sort(([a], [b]) => (a < b ? -1 : 1)))
  const groups = groupsOf(ordered, byId, options)
  const isTools = usesTools(options)
  const rates = Object.values(groups).flatMap((members) => members.map(({ rate }) => rate))
  return {
    digest: about.digest,
    model: about.model,
    options,
    version,
    overall,
    ...(firstTry ? { firstTry } : {}),
    statistics: statisticsOf(ordered, overall),
    notScored: ordered.filter((sample) => !isScored(sample)).length,
    verdicts: counted(
      isTools ? toolVerdicts : codeVerdicts,
      ordered.flatMap(({ score }) => score?.verdict ?? []),
    ),
    rootCauses: counted(
      rootCauses,
      ordered.flatMap(({ score }) => score?.evidence.rootCause?.cause ?? []),
    ),
    groups,
    ...(errors ? { errors } : {}),
    ...(isTools ? { measures: measuresOf(ordered, byId) } : {}),
    ...(mutation ? { mutation } : {}),
    explanations: explained([
      overall,
      ...(firstTry ? [firstTry] : []),
      ...rates,
      ...(mutation ? [mutation, ...mutation.operators] : []),
    ]),
    samples: ordered,
  }
}

/** How often each name of a closed list occurs, in the list's order. */
const counted = (names: readonly string[], occurrences: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, occurrences.filter((one) => one === name).length]))

/** Computes measures of all dialogues, and of those of each scenario. */
function measuresOf(samples: readonly ScoredSample[], cases: ReadonlyMap<string, Case>) {
  const scored = samples.filter(isScored)
  const byScenario = Map.groupBy(scored, ({ case: id }) => cases.get(id)?.scenario ?? 'unknown')
  const scenarios = [...byScenario].sort(([a], [b]) => (a < b ? -1 : 1))
  return toolMeasures([
    { group: 'all', name: 'all', samples: scored },
    ...scenarios.map(([name, members]) => ({ group: 'scenario', name, samples: members })),
  ])
}
