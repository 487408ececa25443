/**
 * Fig. 4 (section IV-D, RQ3): pass@1 of each model, overall and by scenario; and, beyond the paper, by the
 * form of the programs.
 */
import type { RateBracket, Rate, ReportResult } from '@stateeval/contracts'
import {
  type Exhibit,
  interval,
  type PaperRequest,
  type PaperResults,
  percent,
  plural,
  rateText,
  reportOf,
  type TitledTable,
  words,
} from '@stateeval/program/presentation'
import { passRates } from './published.ts'
import { evaluationOf } from './runs.ts'

const resultsOf = ({ scenarios }: PaperRequest, results: PaperResults, model: string) =>
  scenarios.map((scenario) => reportOf(results, evaluationOf(model, scenario)).result)

type Counts = Pick<Rate, 'passed' | 'scored' | 'unscored'>
/** The rate of several reports together. */
function summedRate(all: readonly Counts[]): string {
  const sum = (of: (counts: Counts) => number) => all.reduce((total, one) => total + of(one), 0)
  const [passed, scored] = [sum((one) => one.passed), sum((one) => one.scored)]
  const unscored = sum((one) => one.unscored ?? 0)
  const ends = [passed, passed + unscored].map((count) => count / (scored + unscored)) as RateBracket
  const rate = { rate: scored === 0 ? null : passed / scored, ...(unscored > 0 && { bracket: ends }) }
  return `${rateText(rate)} (${passed}/${scored})`
}

/** Pass rates by a group of the reports, all scenarios together. */
function byGroup(request: PaperRequest, results: PaperResults, group: string, title: string): TitledTable[] {
  const of = (model: string) =>
    resultsOf(request, results, model).flatMap(({ groups }) => groups[group] ?? [])
  const parts = [...new Set(request.models.flatMap((model) => of(model).map(({ name }) => name)))].sort(
    (a, b) => Number(a) - Number(b) || (a < b ? -1 : 1),
  )
  if (parts.length < 2) return []
  const cell = (model: string, part: string) =>
    summedRate(of(model).flatMap(({ name, rate }) => (name === part ? [rate] : [])))
  return [
    {
      title,
      head: [words(group), ...parts],
      rows: request.models.map((model) => [model, ...parts.map((part) => cell(model, part))]),
    },
  ]
}

const withInterval = ({ overall }: ReportResult) =>
  overall.rate === null ? '–' : `${rateText(overall)} (${interval(overall.interval)})`

export function figureFour(request: PaperRequest, results: PaperResults): Exhibit {
  const { models, scenarios } = request
  const rows = models.map((model) => {
    const all = resultsOf(request, results, model)
    return [model, summedRate(all.map(({ overall }) => overall)), ...all.map(withInterval)]
  })
  const published = passRates.map(({ model, overall, scenarios: of }) => [
    `${model} *`,
    percent(overall),
    ...scenarios.map((scenario) => (of[scenario] === undefined ? '–' : percent(of[scenario]))),
  ])
  const notScored = models.flatMap((model) => {
    const count = resultsOf(request, results, model).reduce((sum, result) => sum + result.notScored, 0)
    return count === 0
      ? []
      : [
          `${model}: ${plural(count, 'sample has', 'samples have')} no score; the rates exclude ${count === 1 ? 'it' : 'them'}, and brackets show the ends with ${count === 1 ? 'it' : 'them'} as failed and as passed.`,
        ]
  })
  return {
    id: 'fig4',
    title: 'Fig. 4: pass@1 of each model (RQ3)',
    tables: [
      {
        title: 'pass@1, overall and by scenario (95 % interval); * as stated in the paper for its own set',
        head: ['model', 'overall', ...scenarios],
        rows: [...rows, ...published],
      },
      ...byGroup(request, results, 'path_depth', 'Beyond the paper: pass@1 by path depth of the reference'),
      ...byGroup(request, results, 'branch', 'Beyond the paper: pass@1 by control flow'),
    ],
    plots: scenarios.map((scenario) => ({
      form: 'rates',
      label: `pass@1, ${scenario}`,
      rows: models.map((model) => {
        const { rate, interval, bracket } = reportOf(results, evaluationOf(model, scenario)).result.overall
        return { name: model, rate, interval, ...(bracket && { bracket }) }
      }),
    })),
    notes: notScored,
  }
}
