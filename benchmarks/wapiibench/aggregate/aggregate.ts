/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import type { Measures, ReportResult, ScoredSample } from '@stateeval/contracts'
import { listDisagreements, explainIntervals, isScored, rateSamples } from '@stateeval/score'
import type { RequestConfiguration, WapiiCase } from '../case.ts'
import { type ArgumentLocation, sampleVerdicts } from '../judge/count.ts'
import { policies, type WapiiPolicy } from '../readings.ts'
import { setups } from '../prompt/starter.ts'
import { layouts } from '../prompt/prompt.ts'
import { version } from '../version.ts'
import { computeRateBrackets, type JudgedRequest, computeRequestMeasures } from './measures.ts'

export function aggregate(
  samples: readonly ScoredSample[],
  cases: readonly WapiiCase[],
  about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
): ReportResult {
  const byId = new Map(cases.map((c, n) => [c.id, { c, n }]))
  const sorted = [...samples].sort(
    (a, b) => (byId.get(a.case)?.n ?? 0) - (byId.get(b.case)?.n ?? 0) || a.sample - b.sample,
  )
  const judgedSamples = sorted.filter(isScored)
  const caseOf = ({ case: id }: ScoredSample) => byId.get(id)!.c
  const groups = {
    api: (sample: ScoredSample) => caseOf(sample).task.api,
    method: (sample: ScoredSample) => caseOf(sample).task.config.method.toUpperCase(),
  }
  const parts = Object.entries(groups).map(([group, of]) => ({
    group,
    members: [...new Set(sorted.map(of))].map((name) => ({
      name,
      samples: sorted.filter((one) => of(one) === name),
    })),
  }))
  const { setup = setups[0], layout = layouts[0] } = about.options as { setup?: string; layout?: string }
  const overall = rateSamples(sorted)
  const rates = parts.map(
    ({ group, members }) =>
      [group, members.map(({ name, samples: list }) => ({ name, rate: rateSamples(list) }))] as const,
  )
  const measures = (
    policy: WapiiPolicy,
    group: string,
    name: string,
    members: readonly ScoredSample[],
  ): Measures => {
    const judged = members.flatMap((one): JudgedRequest[] => {
      const judgement = one.score?.policies?.[policy]
      return judgement ? [{ ...judgement, parts: listArgumentLocations(caseOf(one).task.config) }] : []
    })
    const brackets = computeRateBrackets(judged, members.length - judged.length)
    return {
      policy,
      group,
      name,
      values: computeRequestMeasures(judged, policy),
      ...(brackets && { brackets }),
    }
  }
  return {
    ...about,
    options: { ...about.options, setup, layout },
    version,
    overall,
    notScored: sorted.length - judgedSamples.length,
    verdicts: Object.fromEntries(
      sampleVerdicts.map((verdict) => [
        verdict,
        judgedSamples.filter(({ score }) => score?.verdict === verdict).length,
      ]),
    ),
    rootCauses: {},
    groups: Object.fromEntries(rates),
    measures: policies.flatMap((policy) => [
      measures(policy, 'all', 'all', sorted),
      ...parts.flatMap(({ group, members }) =>
        members.map(({ name, samples: list }) => measures(policy, group, name, list)),
      ),
    ]),
    explanations: explainIntervals([
      overall,
      ...rates.flatMap(([, members]) => members.map(({ rate }) => rate)),
    ]),
    disagreements: listDisagreements(judgedSamples),
    samples: sorted,
  }
}

/** Headers are in every request of the published set, and count even where a task of one's own has none. */
const listArgumentLocations = ({ params, data }: RequestConfiguration): ReadonlySet<ArgumentLocation> =>
  new Set(['headers', ...(params ? ['params' as const] : []), ...(data ? ['data' as const] : [])])
