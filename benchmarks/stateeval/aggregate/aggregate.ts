/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import { type Case, describeScenario, type ReportResult, type ScoredSample } from '@stateeval/contracts'
import { mutationOperators } from '@stateeval/program'
import { codeVerdicts, explainIntervals, isScored, buildMutationReport, rateSamples } from '@stateeval/score'
import { rootCauses } from '../root-cause/root-cause.ts'
import { computeModeMeasures, toolVerdicts, isToolMode } from '../tools/index.ts'
import { version } from '../version.ts'
import { buildErrorReport } from './errors.ts'
import { rateGroups } from './groups.ts'
import { rateFirstAttempts, computeRateStatistics } from './statistics.ts'

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
  const mutation = buildMutationReport(
    ordered,
    mutationOperators.map(({ id }) => id),
  )
  const byId = new Map(cases.map((c) => [c.id, c]))
  const [errors, firstTry, overall] = [
    buildErrorReport(ordered, byId),
    rateFirstAttempts(ordered),
    rateSamples(ordered),
  ]
  const options = Object.fromEntries(Object.entries(about.options).sort(([a], [b]) => (a < b ? -1 : 1)))
  const groups = rateGroups(ordered, byId, options)
  const isTools = isToolMode(options)
  const rates = Object.values(groups).flatMap((members) => members.map(({ rate }) => rate))
  return {
    digest: about.digest,
    model: about.model,
    options,
    version,
    overall,
    ...(firstTry ? { firstTry } : {}),
    statistics: computeRateStatistics(ordered, overall),
    notScored: ordered.filter((sample) => !isScored(sample)).length,
    verdicts: countClosedNames(
      isTools ? toolVerdicts : codeVerdicts,
      ordered.flatMap(({ score }) => score?.verdict ?? []),
    ),
    rootCauses: countClosedNames(
      rootCauses,
      ordered.flatMap(({ score }) => score?.evidence.rootCause?.cause ?? []),
    ),
    groups,
    ...(errors ? { errors } : {}),
    ...(isTools ? { measures: computeToolMeasures(ordered, byId) } : {}),
    ...(mutation ? { mutation } : {}),
    explanations: explainIntervals([
      overall,
      ...(firstTry ? [firstTry] : []),
      ...rates,
      ...(mutation ? [mutation, ...mutation.operators] : []),
    ]),
    samples: ordered,
  }
}

/** How often each name of a closed list occurs, in the list's order. */
const countClosedNames = (names: readonly string[], occurrences: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, occurrences.filter((one) => one === name).length]))

/** Computes measures of all dialogues, and of those of each scenario. */
function computeToolMeasures(samples: readonly ScoredSample[], cases: ReadonlyMap<string, Case>) {
  const scored = samples.filter(isScored)
  const byScenario = Map.groupBy(scored, ({ case: id }) => cases.get(id)?.scenario ?? 'unknown')
  const scenarios = [...byScenario].sort(([a], [b]) => (a < b ? -1 : 1))
  return computeModeMeasures([
    { group: 'all', name: 'all', samples: scored },
    ...scenarios.map(([name, members]) => ({
      group: 'scenario',
      name: describeScenario(name),
      samples: members,
    })),
  ])
}
