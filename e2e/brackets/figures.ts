/**
 * A report, a comparison and a list of evaluations whose every rate has a bracket. No two figures are alike,
 * so that a figure in a text names its rate.
 */
import {
  type RateBracket,
  type ComparisonResource,
  type EvaluationResource,
  evaluationOperations,
  type OverCases,
  type Rate,
  type Report,
  type SampleRow,
  type SampleTable,
} from '@stateeval/contracts'

/** A rate as a share, and the ends of its bracket. */
interface Figure {
  place: string
  rate: number
  bracket: RateBracket
}

export const figures: Figure[] = []
/** Thousandths between the rates of two places; 20.7 % is the first one. */
const apart = 10
function figureAt(place: string): Omit<Figure, 'place'> {
  const least = 206 + figures.length * apart
  const bracket: RateBracket = [least / 1000, (least + 2) / 1000]
  const figure = { rate: (least + 1) / 1000, bracket }
  figures.push({ place, ...figure })
  return figure
}
const rateAt = (place: string): Rate => ({
  ...{ ...figureAt(place), unscored: 1, passed: 7, scored: 9 },
  ...{ interval: [0.011, 0.989], method: 'wilson' },
})
const overCasesAt = (place: string): OverCases[] =>
  [1, 2].map((k) => {
    const { rate, bracket } = figureAt(`${place} ${k}`)
    return { k, estimate: rate, bracket, cases: 9 }
  })

const {
  getEvaluationReport: { success: reports },
  createComparison: { success: comparisons },
  getEvaluation: { success: evaluations },
  listEvaluationSamples: { success: tables },
  getBenchmark: { success: benchmarks },
} = evaluationOperations
const { example: exampleReport } = reports[200]
const { example: exampleComparison } = comparisons[201]

const [scored] = exampleReport.result.samples
const operatorAt = (operator: string) => {
  const { rate: score, ...others } = rateAt(`operator ${operator}`)
  const { passed: _p, scored: _s, ...bracketed } = others
  return {
    operator,
    caught: 3,
    byException: 1,
    byComparison: 2,
    survived: 1,
    equivalent: 0,
    score,
    ...bracketed,
  }
}
const mutationAt = (): NonNullable<Report['result']['mutation']> => {
  const { rate: score, passed: _p, scored: _s, ...bracketed } = rateAt('mutation')
  const counts = { caught: 3, byException: 1, byComparison: 2, equivalent: 1, survived: 1, disputed: 0 }
  const operators = ['changed_value', 'left_out_call'].map(operatorAt)
  return { ...counts, score, ...bracketed, operators, survivors: [] }
}
const measuresAt = (policy: string) => {
  const [correct, complete] = ['correct', 'complete'].map((name) => figureAt(`${policy} ${name}`))
  return {
    ...{ policy, group: 'all', name: 'all' },
    values: { correct: correct!.rate, complete: complete!.rate },
    brackets: { correct: correct!.bracket, complete: complete!.bracket },
  }
}

const report: Report = {
  ...exampleReport,
  result: {
    ...exampleReport.result,
    overall: rateAt('overall'),
    firstTry: rateAt('first try'),
    statistics: {
      ...{ cases: 9, clustered: [0.011, 0.989] },
      passAtK: overCasesAt('pass@k'),
      passAllK: overCasesAt('pass^k'),
    },
    groups: Object.fromEntries(
      ['api', 'length'].map((group) => [
        group,
        ['one', 'two'].map((name) => ({ name, rate: rateAt(`${group} ${name}`) })),
      ]),
    ),
    mutation: mutationAt(),
    measures: ['published', 'sound'].map(measuresAt),
    notScored: 1,
    samples: [scored!, { case: scored!.case, sample: 1, score: null, notScored: 'the endpoint was away' }],
  },
}

const names = exampleComparison.evaluations.map(({ name }) => name)
const ratesAt = (place: string) => {
  const all = names.map((name) => figureAt(`${place} of ${name}`))
  return { rates: all.map(({ rate }) => rate), brackets: all.map(({ bracket }) => bracket) }
}
const comparison: ComparisonResource = {
  ...exampleComparison,
  comparison: {
    ...exampleComparison.comparison,
    models: exampleComparison.comparison.models.map((model) => {
      const { scored: samples, ...rate } = rateAt(`compared ${model.name}`)
      const [passAtK, passAllK] = ['pass@k', 'pass^k'].map((name) =>
        overCasesAt(`compared ${model.name} ${name}`),
      )
      return { ...model, ...rate, samples, passAtK: passAtK!, passAllK: passAllK! }
    }),
  },
  differing: [{ case: 'differing', ...ratesAt('differing') }],
  groups: { api: ['one', 'two'].map((name) => ({ name, ...ratesAt(`compared api ${name}`) })) },
}

/** Counts, from which lists compute a rate. */
const counts = { samples: 1020, scored: 1000, passed: 957, notScored: 20, timeouts: 0 }
figures.push({ place: 'counts', rate: 0.957, bracket: [957 / 1020, 977 / 1020] })
const { example } = evaluations[200]
const listed: EvaluationResource[] = comparison.evaluations.map(({ id }, n) => ({
  ...{
    ...example,
    id,
    counts,
    digest: benchmarks[200].example.manifest!.digest,
    model: ['reference', 'mutant'][n]!,
  },
}))

const { example: exampleTable } = tables[200]
const [exampleRow] = exampleTable.items
const baseline = figureAt('baseline')
const row: SampleRow = {
  ...{ ...exampleRow!, passed: false, baseline: baseline.rate, baselineBracket: baseline.bracket },
}
const samples: SampleTable = { ...exampleTable, total: 1, items: [row] }

/** What doors show. */
export const shown = { report, comparison, listed, samples }
export type Shown = typeof shown

const marks = ['bracket', 'brackets', 'unscored', 'baselineBracket']
/** The same as if every sample had a score. */
export function completed<T>(value: T): T {
  if (Array.isArray(value)) return value.map((one) => completed<unknown>(one)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !marks.includes(name))
      .map(([name, one]) => [
        name,
        name === 'notScored' && typeof one === 'number' ? 0 : completed<unknown>(one),
      ]),
  ) as T
}
