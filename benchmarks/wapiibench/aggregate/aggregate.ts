/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import type { Measures, ReportResult, ScoredSample } from '@stateeval/contracts'
import { disagreements, explained, isScored, rateOfSamples } from '@stateeval/score'
import type { WapiiCase } from '../case.ts'
import { sampleVerdicts } from '../judge/count.ts'
import { policies, type Policy } from '../readings.ts'
import { setups } from '../prompt/starter.ts'
import { layouts } from '../prompt/prompt.ts'
import { version } from '../version.ts'
import { bracketsOf, type Judged, measuresOf } from './measures.ts'

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
  const overall = rateOfSamples(sorted)
  const rates = parts.map(
    ({ group, members }) =>
      [group, members.map(({ name, samples: list }) => ({ name, rate: rateOfSamples(list) }))] as const,
  )
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
    explanations: explained([overall, ...rates.flatMap(([, members]) => members.map(({ rate }) => rate))]),
    disagreements: disagreements(judgedSamples),
    samples: sorted,
  }
}

const judgedBy = (policy: string, samples: readonly ScoredSample[]): Judged[] =>
  samples.flatMap(({ score }) => score?.policies?.[policy] ?? [])
const measures = (
  policy: Policy,
  group: string,
  name: string,
  samples: readonly ScoredSample[],
): Measures => {
  const judged = judgedBy(policy, samples)
  const brackets = bracketsOf(judged, samples.length - judged.length)
  return { policy, group, name, values: measuresOf(judged, policy), ...(brackets && { brackets }) }
}
