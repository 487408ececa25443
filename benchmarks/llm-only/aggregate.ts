/**
 * How the adjacent pairs of APIs grow from answer to answer (equation 3 and Fig. 3 of the StateEval paper).
 */
import type { Measures, ReportResult, ScoredSample } from '@stateeval/contracts'
import type { BenchmarkHost, MeasureDirections, Scenario } from '@stateeval/program'
import { isScored, rateSamples } from '@stateeval/score'
import type { DocumentationCase } from './case.ts'
import { pairPrefix, verdicts } from './score.ts'

/** Programs are read, not run. */
export const policy = 'static'

/** Which programs are counted: those that the generator could have made, or every one that could be read. */
const selections = { usable: 'pass', read: 'read' } as const
type ProgramSelection = keyof typeof selections

/** Which way each is better, by the beginning of its name. */
export const measures: MeasureDirections = {
  answers: 'neither',
  APIs: 'neither',
  'programs, ': 'higher',
  'different sets of pairs': 'higher',
  adjacent: 'higher',
}

const listScorePairs = ({ score }: ScoredSample) =>
  Object.keys(score?.metrics ?? {}).filter((name) => name.startsWith(pairPrefix))

/** Opt-in APIs are in no documentation. */
const listScenarioApis = ({ operations }: Scenario) => operations.filter(({ optIn }) => !optIn).length

function computeGrowth(samples: readonly ScoredSample[]): number[] {
  const pairs = new Set<string>()
  return samples.map((sample) => {
    for (const pair of listScorePairs(sample)) pairs.add(pair)
    return pairs.size
  })
}

/** Shares of M² to six digits, so that every machine writes the same. */
const computePairShare = (pairs: number, apis: number) => Math.round((pairs / apis ** 2) * 1e6) / 1e6

function computeCoverageMeasures(
  samples: readonly ScoredSample[],
  c: DocumentationCase,
  scenario: Scenario,
): Measures[] {
  const apis = listScenarioApis(scenario)
  const parts = (Object.keys(selections) as ProgramSelection[]).map((selection) => {
    const programs = samples.filter(({ score }) => score?.metrics[selections[selection]] === 1)
    return { selection, programs, growth: computeGrowth(programs) }
  })
  const of = (group: string, values: Measures['values']): Measures => ({
    policy,
    group,
    name: c.id,
    values,
  })
  const summary = parts.flatMap(({ selection, programs, growth }): [string, number][] => [
    [`programs, ${selection}`, programs.length],
    [
      `different sets of pairs, ${selection}`,
      new Set(programs.map((one) => listScorePairs(one).sort().join())).size,
    ],
    [`adjacent pairs, ${selection}`, growth.at(-1) ?? 0],
    [`adjacent transition coverage, ${selection}`, computePairShare(growth.at(-1) ?? 0, apis)],
  ])
  return [
    of('case', { answers: samples.filter(({ score }) => score !== null).length, APIs: apis, ...Object.fromEntries(summary) }), // oxfmt-ignore
    ...parts.map(({ selection, growth }) =>
      of(
        `growth, ${selection}`,
        Object.fromEntries(growth.map((pairs, at) => [at + 1, computePairShare(pairs, apis)])),
      ),
    ),
  ]
}

export const makeAggregate =
  (host: BenchmarkHost, version: string) =>
  (
    samples: readonly ScoredSample[],
    cases: readonly DocumentationCase[],
    about: Pick<ReportResult, 'digest' | 'model' | 'options'>,
  ): ReportResult => {
    const places = new Map(cases.map(({ id }, at) => [id, at]))
    const ordered = samples.toSorted(
      (a, b) => (places.get(a.case) ?? 0) - (places.get(b.case) ?? 0) || a.sample - b.sample,
    )
    const scored = ordered.filter(isScored)
    const ofCase = (samples: readonly ScoredSample[], id: string) => samples.filter((one) => one.case === id)
    return {
      ...about,
      options: Object.fromEntries(Object.entries(about.options).sort(([a], [b]) => (a < b ? -1 : 1))),
      version,
      overall: rateSamples(ordered),
      notScored: ordered.length - scored.length,
      verdicts: Object.fromEntries(
        verdicts.map((verdict) => [verdict, scored.filter(({ score }) => score?.verdict === verdict).length]),
      ),
      rootCauses: {},
      groups: {
        scenario: cases.map(({ id, group }) => ({ name: group, rate: rateSamples(ofCase(ordered, id)) })),
      },
      measures: cases.flatMap((c) =>
        computeCoverageMeasures(ofCase(scored, c.id), c, host.scenario(c.task.scenario)),
      ),
      samples: ordered,
    }
  }
