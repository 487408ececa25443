/** A report's `result`: byte-identical for the same samples, in whatever order they came. */
import type { Measures, NamedCounts, ReportResult, ScoredSample } from '@stateeval/contracts'
import {
  listDisagreements,
  explainIntervals,
  isScored,
  buildMutationReport,
  rateSamples,
  type PolicyStatements,
} from '@stateeval/score'
import { isAnswerable, type NestfulCase } from '../case.ts'
import { measureDepth } from '../depth.ts'
import { errorTypes } from '../presentation/names.ts'
import { layouts, setups } from '../prompt/prompt.ts'
import { policies, type NestfulPolicy } from '../readings.ts'
import { verdicts } from '../judge/judgements.ts'
import { version } from '../version.ts'
import type { JudgedCase } from './f1.ts'
import { computeNestfulMeasures } from './measures.ts'

type AggregateContext = Pick<ReportResult, 'digest' | 'model' | 'options'>

export function aggregate(
  samples: readonly ScoredSample[],
  cases: readonly NestfulCase[],
  about: AggregateContext,
): ReportResult {
  const { setup = setups[0], layout = layouts[0] } = about.options as { setup?: string; layout?: string }
  const byId = new Map(cases.map((c, n) => [c.id, { c, n }]))
  const caseOf = ({ case: id }: ScoredSample) => byId.get(id)!.c
  const sorted = [...samples].sort(
    (a, b) => (byId.get(a.case)?.n ?? 0) - (byId.get(b.case)?.n ?? 0) || a.sample - b.sample,
  )
  const judged = sorted.filter(isScored)
  const depths = new Map(cases.map((c) => [c.id, measureDepth(c.task.calls)]))
  const groups: Record<string, (sample: ScoredSample) => string> = {
    form: (sample) => getTableForm(caseOf(sample)),
    part: (sample) => caseOf(sample).group,
    depth: ({ case: id }) => String(depths.get(id)),
  }
  const parts = Object.entries(groups).map(([group, of]) => ({
    group,
    members: [...Map.groupBy(sorted, of)].sort(([a], [b]) => compareNames(a, b)),
  }))
  // Under `sound`, a sample that no prompt can ask for counts nowhere.
  const measuresFor = (policy: NestfulPolicy, list: readonly ScoredSample[]) => {
    const counted = policy === 'sound' ? list.filter((one) => isAnswerable(caseOf(one))) : list
    return computeNestfulMeasures(selectJudgedCases(policy, counted, caseOf), policy, {
      cases: counted.map(caseOf),
      all: list.map(caseOf),
      layout,
    })
  }
  const measured = (
    policy: NestfulPolicy,
    group: string,
    name: string,
    list: readonly ScoredSample[],
  ): Measures => ({
    policy,
    group,
    name,
    ...measuresFor(policy, list),
  })
  const rates = parts.map(
    ({ group, members }) =>
      [group, members.map(([name, list]) => ({ name, rate: rateSamples(list) }))] as const,
  )
  const overall = rateSamples(sorted)
  const mutation = buildMutationReport(sorted)
  return {
    ...about,
    options: {
      ...about.options,
      setup,
      layout,
      ...(cases.length > 0 && cases.every(({ task }) => task.truth) && { policy: 'sound' }),
    },
    version,
    overall,
    notScored: sorted.length - judged.length,
    verdicts: Object.fromEntries(
      verdicts.map((verdict) => [verdict, judged.filter(({ score }) => score?.verdict === verdict).length]),
    ),
    rootCauses: countCauses(judged),
    groups: Object.fromEntries(rates),
    errors: {
      byDepth: countErrorsByGroup(judged, groups['depth']!, 'depth '),
      byPart: countErrorsByGroup(judged, groups['part']!),
    },
    measures: policies.flatMap((policy) => [
      measured(policy, 'all', 'all', sorted),
      ...parts.flatMap(({ group, members }) =>
        members.map(([name, list]) => measured(policy, group, name, list)),
      ),
    ]),
    explanations: explainIntervals([
      overall,
      ...rates.flatMap(([, members]) => members.map(({ rate }) => rate)),
    ]),
    disagreements: listDisagreements(judged, selectFirstStatements),
    ...(mutation && { mutation }),
    samples: sorted,
  }
}

/** Depths by their numbers, others by their letters. */
const compareNames = (a: string, b: string): number => {
  const [x, y] = [a, b].map((name) => Number(name.split(' ').at(-1)))
  return x! - y! || (a < b ? -1 : 1)
}

/** How Table 2 of the paper tells samples apart. */
const getTableForm = ({ task }: NestfulCase) =>
  task.form === 'v1'
    ? task.part === 'executable'
      ? 'executable'
      : 'non-executable'
    : task.form === 'v2'
      ? 'version 2'
      : 'fresh'

const selectJudgedCases = (
  policy: NestfulPolicy,
  samples: readonly ScoredSample[],
  caseOf: (sample: ScoredSample) => NestfulCase,
): JudgedCase[] =>
  samples.flatMap((sample) => {
    const judgement = sample.score?.policies?.[policy]
    return judgement ? [{ case: caseOf(sample), metrics: judgement.metrics }] : []
  })

const formatErrorKey = (type: string) => `error/${type}`
const hasError = ({ score }: ScoredSample, type: string) =>
  score?.policies?.['sound']?.metrics[formatErrorKey(type)] === 1

/** How many samples have an error of each type, as `sound` reads them. */
function countErrorsByGroup(
  samples: readonly ScoredSample[],
  of: (sample: ScoredSample) => string,
  prefix = '',
): NamedCounts[] {
  return [...Map.groupBy(samples, of)]
    .sort(([a], [b]) => compareNames(a, b))
    .map(([name, list]) => ({
      name: prefix + name,
      samples: list.length,
      ...Object.fromEntries(
        errorTypes.map((type) => [type, list.filter((one) => hasError(one, type)).length]),
      ),
    }))
}

function countCauses(samples: readonly ScoredSample[]): Record<string, number> {
  const causes = samples.flatMap(({ score }) => score?.evidence.rootCause?.cause ?? [])
  return Object.fromEntries(errorTypes.map((type) => [type, causes.filter((cause) => cause === type).length]))
}

/** Selects each policy's first statement. */
const selectFirstStatements = (statements: PolicyStatements) =>
  statements.flatMap(({ policy, says }) => says.slice(0, 3).map((one) => `${policy}: ${one}`))
