/**
 * Fig. 4 (section IV-D, RQ3): pass@1 of each model, overall and by scenario; and, beyond the paper, by the
 * form of the programs.
 */
import type { RateBracket, Rate, ReportResult } from '@stateeval/contracts'
import {
  type PaperExhibit,
  formatInterval,
  type PaperRequest,
  type PaperResults,
  formatShare,
  formatPlural,
  formatRate,
  getReportResult,
  type TitledTable,
  splitWords,
} from '@stateeval/program/presentation'
import { passRates } from './published.ts'
import { nameEvaluation } from './runs.ts'

const selectModelResults = ({ scenarios }: PaperRequest, results: PaperResults, model: string) =>
  scenarios.map((scenario) => getReportResult(results, nameEvaluation(model, scenario)).result)

type RateCounts = Pick<Rate, 'passed' | 'scored' | 'unscored'>
/** The rate of several reports together. */
function sumRates(all: readonly RateCounts[]): string {
  const sum = (of: (counts: RateCounts) => number) => all.reduce((total, one) => total + of(one), 0)
  const [passed, scored] = [sum((one) => one.passed), sum((one) => one.scored)]
  const unscored = sum((one) => one.unscored ?? 0)
  const ends = [passed, passed + unscored].map((count) => count / (scored + unscored)) as RateBracket
  const rate = { rate: scored === 0 ? null : passed / scored, ...(unscored > 0 && { bracket: ends }) }
  return `${formatRate(rate)} (${passed}/${scored})`
}

/** Pass rates by a group of the reports, all scenarios together. */
function buildGroupTables(
  request: PaperRequest,
  results: PaperResults,
  group: string,
  title: string,
): TitledTable[] {
  const of = (model: string) =>
    selectModelResults(request, results, model).flatMap(({ groups }) => groups[group] ?? [])
  const parts = [...new Set(request.models.flatMap((model) => of(model).map(({ name }) => name)))].sort(
    (a, b) => Number(a) - Number(b) || (a < b ? -1 : 1),
  )
  if (parts.length < 2) return []
  const cell = (model: string, part: string) =>
    sumRates(of(model).flatMap(({ name, rate }) => (name === part ? [rate] : [])))
  return [
    {
      title,
      head: [splitWords(group), ...parts],
      rows: request.models.map((model) => [model, ...parts.map((part) => cell(model, part))]),
    },
  ]
}

const withInterval = ({ overall }: ReportResult) =>
  overall.rate === null ? '–' : `${formatRate(overall)} (${formatInterval(overall.interval)})`

export function buildFigure4(request: PaperRequest, results: PaperResults): PaperExhibit {
  const { models, scenarios } = request
  const rows = models.map((model) => {
    const all = selectModelResults(request, results, model)
    return [model, sumRates(all.map(({ overall }) => overall)), ...all.map(withInterval)]
  })
  const published = passRates.map(({ model, overall, scenarios: of }) => [
    `${model} *`,
    formatShare(overall),
    ...scenarios.map((scenario) => (of[scenario] === undefined ? '–' : formatShare(of[scenario]))),
  ])
  const notScored = models.flatMap((model) => {
    const count = selectModelResults(request, results, model).reduce(
      (sum, result) => sum + result.notScored,
      0,
    )
    return count === 0
      ? []
      : [
          `${model}: ${formatPlural(count, 'sample has', 'samples have')} no score; the rates exclude ${count === 1 ? 'it' : 'them'}, and brackets show the ends with ${count === 1 ? 'it' : 'them'} as failed and as passed.`,
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
      ...buildGroupTables(
        request,
        results,
        'path_depth',
        'Beyond the paper: pass@1 by path depth of the reference',
      ),
      ...buildGroupTables(request, results, 'branch', 'Beyond the paper: pass@1 by control flow'),
    ],
    plots: scenarios.map((scenario) => ({
      form: 'rates',
      label: `pass@1, ${scenario}`,
      rows: models.map((model) => {
        const { rate, interval, bracket } = getReportResult(results, nameEvaluation(model, scenario)).result
          .overall
        return { name: model, rate, interval, ...(bracket && { bracket }) }
      }),
    })),
    notes: notScored,
  }
}
