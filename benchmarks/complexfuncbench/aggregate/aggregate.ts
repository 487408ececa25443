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
import type { ComplexCase } from '../case.ts'
import { policies, type JudgingPolicy } from '../dialogue/converse.ts'
import { errorTypes } from '../dialogue/decisions.ts'
import { computeStateMeasures } from '../live/measures.ts'
import { operatorNames } from '../mutants.ts'
import { layouts } from '../runner/index.ts'
import { verdicts } from '../verdicts.ts'
import { version } from '../version.ts'
import { computeBrackets, type JudgedSample, computeMeasures, computeParameterMeasures } from './measures.ts'

export function aggregate(
  samples: readonly ScoredSample[],
  cases: readonly ComplexCase[],
  about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
): ReportResult {
  const byId = new Map(cases.map((c, n) => [c.id, { c, n }]))
  const place = ({ case: id }: ScoredSample) => byId.get(id)?.n ?? 0
  const all = [...samples].sort((a, b) => place(a) - place(b) || a.sample - b.sample)
  const scored = all.filter(isScored)
  const domainOf = ({ case: id }: ScoredSample) => byId.get(id)!.c.group
  const domains = [...new Set(cases.map(({ group }) => group))]
  const markedIn = (members: readonly ScoredSample[]) =>
    members.filter(({ case: id }) => byId.get(id)!.c.task.marks).length
  const inDomain = (name: string) => all.filter((one) => domainOf(one) === name)
  const overall = rateSamples(all)
  const rates = domains.map((name) => ({ name, rate: rateSamples(inDomain(name)) }))
  const { policy = policies[0], layout = layouts[0] } = about.options as { policy?: string; layout?: string }
  const mutation = buildMutationReport(all, operatorNames)
  return {
    ...about,
    options: { ...about.options, policy, layout },
    version,
    overall,
    notScored: all.length - scored.length,
    verdicts: Object.fromEntries(
      verdicts
        .filter((verdict) => verdict !== 'infrastructure_error')
        .map((verdict) => [verdict, scored.filter(({ score }) => score?.verdict === verdict).length]),
    ),
    rootCauses: {},
    groups: { domain: rates },
    errors: { errorTypes: countErrors(scored, domains, domainOf), steps: countSteps(scored) },
    measures: [
      ...policies.flatMap((one) => computePolicyMeasures(one, all, { domains, inDomain, markedIn })),
      ...computeStateMeasures([
        { group: 'all', name: 'all', samples: scored },
        ...domains.map((name) => ({ group: 'domain', name, samples: inDomain(name).filter(isScored) })),
      ]),
    ],
    ...(mutation && { mutation }),
    explanations: explainIntervals([overall, ...rates.map(({ rate }) => rate)]),
    disagreements: listDisagreements(scored, selectLastStatements),
    samples: all,
  }
}

const selectJudged = (policy: string, samples: readonly ScoredSample[]): JudgedSample[] =>
  samples.flatMap(({ score }) => score?.policies?.[policy] ?? [])

interface SampleGroups {
  domains: readonly string[]
  inDomain: (name: string) => readonly ScoredSample[]
  /** How many of these samples are of cases with a golden call that the released check refuses. */
  markedIn: (members: readonly ScoredSample[]) => number
}

function computePolicyMeasures(
  policy: JudgingPolicy,
  samples: readonly ScoredSample[],
  { domains, inDomain, markedIn }: SampleGroups,
): Measures[] {
  const of = (group: string, name: string, members: readonly ScoredSample[]): Measures => {
    const judged = selectJudged(policy, members)
    const domain = group === 'all' ? null : name
    const brackets = computeBrackets(judged, policy, domain, members.length - judged.length)
    const values = {
      ...computeMeasures(judged, policy, domain),
      'Samples with a marked golden call': markedIn(members),
    }
    return { policy, group, name, values, ...(brackets && { brackets }) }
  }
  return [
    of('all', 'all', samples),
    ...domains.map((name) => of('domain', name, inDomain(name))),
    ...computeParameterMeasures(selectJudged(policy, samples)).map((one) => ({
      policy,
      group: 'parameter',
      ...one,
    })),
  ]
}

/** The five types of errors (Fig. 4), in all and by domain. */
function countErrors(
  samples: readonly ScoredSample[],
  domains: readonly string[],
  domainOf: (sample: ScoredSample) => string,
): NamedCounts[] {
  const count = (name: string, members: readonly ScoredSample[]): NamedCounts => ({
    name,
    ...Object.fromEntries(
      errorTypes.map((type) => [type, members.filter(({ score }) => score?.verdict === type).length]),
    ),
  })
  return [
    count('all', samples),
    ...domains.map((name) =>
      count(
        name,
        samples.filter((one) => domainOf(one) === name),
      ),
    ),
  ]
}

/** How many samples took how many steps, and how many the shortest path has (Fig. 6). */
function countSteps(samples: readonly ScoredSample[]): NamedCounts[] {
  const of = (metric: string) => samples.flatMap(({ score }) => score?.metrics[metric] ?? [])
  const [stepsTaken, shortest] = [of('steps'), of('shortest_steps')]
  const most = [...stepsTaken, ...shortest].reduce((a, b) => Math.max(a, b), 0)
  return Array.from({ length: most + 1 }, (_, steps) => ({
    name: `${steps} ${steps === 1 ? 'step' : 'steps'}`,
    taken: stepsTaken.filter((one) => one === steps).length,
    shortest: shortest.filter((one) => one === steps).length,
  })).filter((one) => one.taken > 0 || one.shortest > 0)
}

/** Selects each policy's last statement. */
const selectLastStatements = (statements: PolicyStatements) =>
  statements.flatMap(({ policy, says }) => says.slice(-1).map((one) => `${policy}: ${one}`))
