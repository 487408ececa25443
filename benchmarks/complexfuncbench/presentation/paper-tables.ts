/**
 * Evaluations as the tables and figures of the paper: a row for each model, then the published rows where
 * they are given.
 */
import type { ReportResult } from '@stateeval/contracts'
import type { PublishedTables, TitledTable } from '@stateeval/program/presentation'

import { table2 } from './published.ts'

const domains = ['Hotels', 'Flights', 'Car-Rental', 'Attraction', 'Cross'] as const
const formatDomain = (domain: string) => domain.replace('-', ' ')
const errorTypes = ['func_error', 'param_missing', 'hallucination', 'value_error', 'stop_early']

const formatTableShare = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : (value * 100).toFixed(2)
const score = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : value.toFixed(2)

function listMeasureValues({ measures = [] }: ReportResult, policy: string, group: string, name: string) {
  return (
    measures.find((one) => one.policy === policy && one.group === group && one.name === name)?.values ?? {}
  )
}

/** Divisors of the success rates, the same for both policies. */
const divisors: Readonly<Record<string, string>> = {
  published: 'success of 150, 400 and 1,000 samples, whatever was run',
  sound: 'success of the judged samples',
}

export function buildPaperTables(
  results: readonly ReportResult[],
  policy: string,
  published: PublishedTables,
  models?: readonly string[],
): TitledTable[] {
  const names = results.map(({ model, options }) => {
    const { layout = '', policy: led = '' } = options as { layout?: string; policy?: string }
    return results.filter((one) => one.model === model).length > 1 ? `${model} (${layout}, ${led})` : model
  })
  return [
    buildMainTable(results, names, policy, published, models),
    buildFigureTable(`Fig. 4: error types, % of errors, ${policy}`, errorTypes, results, names, (result) =>
      listErrorShares(result, policy),
    ),
    buildParameterTable(results, names, policy, {
      title: 'Fig. 5: error rate by type of parameter, %, each golden parameter once',
      measure: 'Error rate',
    }),
    buildParameterTable(results, names, policy, {
      title: 'Fig. 5, each comparison, %',
      measure: 'Comparison error rate',
    }),
    buildFigureTable(
      `Fig. 6: steps, ${policy} (extra: runs that ended with a text)`,
      ['steps', 'shortest', 'extra'],
      results,
      names,
      (result) => {
        const values = listMeasureValues(result, policy, 'all', 'all')
        return ['Mean steps', 'Mean shortest steps', 'Mean extra steps'].map((name) => score(values[name]))
      },
    ),
  ]
}

function buildMainTable(
  results: readonly ReportResult[],
  names: readonly string[],
  policy: string,
  { tables }: PublishedTables,
  models: readonly string[] | undefined,
): TitledTable {
  const parts = [...domains.map((domain) => ['domain', domain] as const), ['all', 'all'] as const]
  const head = [
    'Model',
    ...parts.flatMap(([, name]) => {
      const title = name === 'all' ? 'Overall' : formatDomain(name)
      return [`${title} Success`, `${title} Call Acc`]
    }),
    'Completeness',
    'Correctness',
    'Rank',
  ]
  const all: PublishedTables['tables'][string]['rows'] = {
    ...Object.fromEntries(Object.entries(table2).map(([name, cells]) => [name, [...cells]])),
    ...tables['2']?.rows,
  }
  const rankOf = rankRates([
    ...results.map((result) =>
      formatHundredfold(listMeasureValues(result, policy, 'all', 'all')['Success rate']),
    ),
    ...Object.values(all).map((cells) =>
      Array.isArray(cells) ? (cells[overallSuccess] ?? null) : (cells['Overall Success'] ?? null),
    ),
  ])
  const rows = results.map((result, at) => {
    const overall = listMeasureValues(result, policy, 'all', 'all')
    return [
      names[at]!,
      ...parts.flatMap(([group, name]) => {
        const values = listMeasureValues(result, policy, group, name)
        return [formatTableShare(values['Success rate']), formatTableShare(values['Call accuracy'])]
      }),
      score(overall['Completeness']),
      score(overall['Correctness']),
      rankOf(formatHundredfold(overall['Success rate'])),
    ]
  })
  const isRequested = (name: string) =>
    models === undefined || models.some((one) => name.toLowerCase().includes(one.toLowerCase()))
  const others = Object.entries(all)
    .filter(([name]) => isRequested(name))
    .map(([name, cells]) => {
      const values = head
        .slice(1, -1)
        .map((column, at) => (Array.isArray(cells) ? cells[at] : cells[column]) ?? null)
      return [
        `${name} *`,
        ...values.map((cell) => (cell === null ? '–' : cell.toFixed(2))),
        rankOf(values[overallSuccess] ?? null),
      ]
    })
  return {
    title: `Table 2, ${policy} (${divisors[policy] ?? ''}${others.length > 0 ? '; * as published; ranks by overall success, with all published models' : ''})`,
    head,
    rows: [...rows, ...others],
  }
}

/** The column of the overall success rate behind the model's name. */
const overallSuccess = 10
const formatHundredfold = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(value * 10_000) / 100

/** The place of a success rate among all, from 1; equal ones share it. */
function rankRates(rates: readonly (number | null)[]): (rate: number | null) => string {
  return (rate) =>
    rate === null ? '–' : String(1 + rates.filter((other) => other !== null && other > rate).length)
}

function listErrorShares({ samples }: ReportResult, policy: string): string[] {
  const verdicts = samples.map(({ score }) => score?.policies?.[policy]?.verdict)
  const of = (type: string) => verdicts.filter((verdict) => verdict === type).length
  const total = errorTypes.reduce((sum, type) => sum + of(type), 0)
  return errorTypes.map((type) => (total === 0 ? '–' : ((of(type) / total) * 100).toFixed(1)))
}

function buildFigureTable(
  title: string,
  columns: readonly string[],
  results: readonly ReportResult[],
  names: readonly string[],
  cells: (result: ReportResult) => string[],
): TitledTable {
  return {
    title,
    head: ['Model', ...columns],
    rows: results.map((result, at) => [names[at]!, ...cells(result)]),
  }
}

function buildParameterTable(
  results: readonly ReportResult[],
  names: readonly string[],
  policy: string,
  { title, measure }: { title: string; measure: string },
): TitledTable {
  const types = [
    ...new Set(
      results.flatMap(({ measures = [] }) =>
        measures.filter((one) => one.policy === policy && one.group === 'parameter').map(({ name }) => name),
      ),
    ),
  ]
  return buildFigureTable(`${title}, ${policy}`, types, results, names, (result) =>
    types.map((type) => formatTableShare(listMeasureValues(result, policy, 'parameter', type)[measure])),
  )
}
