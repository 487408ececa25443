/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import type { ReportResult, ScoredSample } from '@stateeval/contracts'
import {
  listDisagreements,
  explainIntervals,
  isScored,
  buildMutationReport,
  rateSamples,
} from '@stateeval/score'
import type { PublishedCase } from '../case.ts'
import { verdicts } from '../compare/judge.ts'
import { operatorNames } from '../mutants/operators.ts'
import { policies } from '../readings.ts'
import { version } from '../version.ts'
import { computePublishedMeasures } from './measures.ts'

const shownVerdicts = verdicts.filter((one) => one !== 'infrastructure_error')

export function aggregate(
  samples: readonly ScoredSample[],
  cases: readonly PublishedCase[],
  about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
): ReportResult {
  const byId = new Map(cases.map((c, n) => [c.id, { c, n }]))
  const sorted = [...samples].sort(
    (a, b) => (byId.get(a.case)?.n ?? 0) - (byId.get(b.case)?.n ?? 0) || a.sample - b.sample,
  )
  const judged = sorted.filter(isScored)
  const groupOf = ({ case: id }: ScoredSample) => byId.get(id)?.c.group ?? ''
  const parts = [...new Set(sorted.map(groupOf))]
    .sort()
    .map((name) => ({ name, members: sorted.filter((one) => groupOf(one) === name) }))
  const overall = rateSamples(sorted)
  const rates = parts.map(({ name, members }) => ({ name, rate: rateSamples(members) }))
  const mutation = buildMutationReport(sorted, operatorNames)
  return {
    ...about,
    version,
    overall,
    notScored: sorted.length - judged.length,
    verdicts: Object.fromEntries(
      shownVerdicts.map((verdict) => [
        verdict,
        judged.filter(({ score }) => score?.verdict === verdict).length,
      ]),
    ),
    rootCauses: {},
    groups: { scenario: rates },
    measures: policies.flatMap((policy) => [
      { policy, group: 'all', name: 'all', ...computePublishedMeasures(policy, sorted) },
      ...parts.map(({ name, members }) => ({
        policy,
        group: 'scenario',
        name,
        ...computePublishedMeasures(policy, members),
      })),
    ]),
    ...(mutation && { mutation }),
    explanations: explainIntervals([
      overall,
      ...rates.map(({ rate }) => rate),
      ...(mutation ? [mutation, ...mutation.operators] : []),
    ]),
    disagreements: listDisagreements(judged),
    samples: sorted,
  }
}
