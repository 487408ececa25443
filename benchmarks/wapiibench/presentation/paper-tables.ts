/**
 * Evaluations as the tables of the WAPIIBench paper: a column a model, then the published columns where they
 * are given.
 */
import { getOwnMember, type ReportResult } from '@stateeval/contracts'
import type { PaperPlot, PublishedTables, PublishedTable, TitledTable } from '@stateeval/program/presentation'
import { otherName, rows, type TableSetup, formatWapiiCell } from './paper-rows.ts'

type TableCell = number | null

/**
 * Selects, of the published tables, those columns whose model is wanted, and tables by API only of wanted
 * models.
 */
export function selectModelColumns(
  { tables }: PublishedTables,
  models: readonly string[] | undefined,
): PublishedTables {
  if (models === undefined) return { tables }
  const isRequested = (name: string) => models.some((one) => name.toLowerCase().includes(one.toLowerCase()))
  const narrowed = Object.entries(tables).flatMap(([title, table]): [string, PublishedTable][] => {
    const { models: names, rows } = table
    if (names === undefined) return isRequested(title) ? [[title, table]] : []
    const indices = names.flatMap((name, at) => (isRequested(name) ? [at] : []))
    const of = (cells: PublishedTable['rows'][string]) =>
      Array.isArray(cells) ? indices.map((at) => cells[at] ?? null) : cells
    const fewer = Object.entries(rows).map(([name, cells]) => [name, of(cells)] as const)
    return [
      [
        title,
        { ...table, models: indices.flatMap((at) => names[at] ?? []), rows: Object.fromEntries(fewer) },
      ],
    ]
  })
  return { tables: Object.fromEntries(narrowed) }
}

/** A table of the paper: its name in the published data, and its title. */
interface PaperTable {
  name: string
  title: string
}
const setups: readonly {
  setup: TableSetup
  name: string
  short: PaperTable
  complete: PaperTable
  byApi: readonly PaperTable[]
}[] = [
  {
    setup: 'full',
    name: 'Full Completion',
    short: {
      name: 'III full completion',
      // Fig. 2 draws the numbers of Tables III and IV.
      title: 'Table III and Fig. 2 (top): Evaluation Results for Full Completion',
    },
    complete: {
      name: 'VI full completion',
      title: 'Table VI: Complete Evaluation Results for Full Completion',
    },
    byApi: [
      {
        name: 'VIII StarCoder2 15B full',
        title: 'Table VIII: Evaluation Results of StarCoder2 by API for Full Completion',
      },
      {
        name: 'X GPT-4o full',
        title: 'Table X: Evaluation Results of GPT-4o by API for Full Completion',
      },
    ],
  },
  {
    setup: 'arguments',
    name: 'Argument Completion',
    short: {
      name: 'IV argument completion',
      title: 'Table IV and Fig. 2 (bottom): Evaluation Results for Argument Completion',
    },
    complete: {
      name: 'VII argument completion',
      title: 'Table VII: Complete Evaluation Results for Argument Completion',
    },
    byApi: [
      {
        name: 'IX StarCoder2 15B argument',
        title: 'Table IX: Evaluation Results of StarCoder2 by API for Argument Completion',
      },
      {
        name: 'XI GPT-4o argument',
        title: 'Table XI: Evaluation Results of GPT-4o by API for Argument Completion',
      },
    ],
  },
]
/** The paper's names of the APIs of Tables VIII to XI; any other API goes by its id. */
const titles: Readonly<Record<string, string>> = {
  asana: 'Asana',
  google_calendar_v3: 'Google Calendar',
  google_sheet_v4: 'Google Sheets',
  slack: 'Slack',
}
const getApiTitle = (api: string) => (Object.hasOwn(titles, api) ? titles[api]! : api)

/** Says of how many samples the figures are where that is not all of them: `2 of 4 samples of m1 count`. */
function describeCounted(results: readonly ReportResult[], policy: string): string {
  const texts = results.flatMap((result) => {
    const { Samples: counted, Vanished: vanished } = listTableValues(result, policy, 'all', 'all')
    if (typeof counted !== 'number') return []
    const all = result.partial?.samples ?? counted + (vanished ?? 0) + result.notScored
    return counted === all ? [] : [`${counted} of ${all} samples of ${result.model} count`]
  })
  return texts.length === 0 ? '' : `; ${texts.join(', ')}`
}

const listTableValues = ({ measures = [] }: ReportResult, policy: string, group: string, part: string) =>
  measures.find((one) => one.policy === policy && one.group === group && one.name === part)?.values ?? {}

export function buildWapiiTables(
  results: readonly ReportResult[],
  policy: string,
  published: PublishedTables,
): TitledTable[] {
  return setups.flatMap(({ setup, name, short, complete, byApi }) => {
    const members = results.filter(({ options }) => (options['setup'] ?? 'full') === setup)
    if (members.length === 0) return []
    const values = (result: ReportResult, group: string, part: string) =>
      listTableValues(result, policy, group, part)
    const counted = describeCounted(members, policy)
    const models = members.map(({ model }) => model)
    const wide = ({ name: beside, title }: PaperTable, names: readonly string[]): TitledTable => {
      const { columns, cell } = splitColumns(published.tables[beside])
      return {
        title: `${title}, ${policy} (* as published)${counted}`,
        head: ['', ...models, ...columns.map((column) => `${column} *`)],
        rows: names.map((row) => [
          row,
          ...members.map((result) => formatWapiiCell(row, values(result, 'all', 'all')[row])),
          ...columns.map((_, n) => formatWapiiCell(row, cell(row, n))),
        ]),
      }
    }
    const narrow = (result: ReportResult): TitledTable => {
      const apis = listResultApis(result, policy)
      return {
        title: `Evaluation Results of ${result.model} by API for ${name}, ${policy}${describeCounted([result], policy)}`,
        head: ['', 'Overall', ...apis.map(getApiTitle)],
        rows: [...rows[setup].complete, 'Timeouts', 'Unsatisfiable constraints'].map((row) => [
          row,
          ...[values(result, 'all', 'all'), ...apis.map((api) => values(result, 'api', api))].map((column) =>
            formatWapiiCell(row, column[row]),
          ),
        ]),
      }
    }
    return [
      wide(short, rows[setup].short),
      wide(complete, rows[setup].complete),
      ...members.map(narrow),
      ...byApi.flatMap(({ name: beside, title }) =>
        published.tables[beside] ? [formatPublishedTable(title, published.tables[beside])] : [],
      ),
    ]
  })
}

/** Fig. 2: a bar for each model, ours and the published ones, of every rate in Tables III and IV. */
export function drawFigure2(
  results: readonly ReportResult[],
  policy: string,
  published: PublishedTables,
): PaperPlot[] {
  return setups.flatMap(({ setup, name, short }) => {
    const members = results.filter(({ options }) => (options['setup'] ?? 'full') === setup)
    if (members.length === 0) return []
    const { columns, cell } = splitColumns(published.tables[short.name])
    return rows[setup].short.map((row): PaperPlot => {
      const readRate = ({ measures = [] }: ReportResult) => {
        const all = measures.find((one) => one.policy === policy && one.group === 'all' && one.name === 'all')
        const bracket = all?.brackets?.[row]
        return { rate: all?.values[row] ?? null, ...(bracket && { bracket }) }
      }
      return {
        form: 'rates',
        label: `${name}: ${row}`,
        rows: [
          ...members.map((result) => ({ name: result.model, ...readRate(result), interval: null })),
          ...columns.map((column, n) => ({
            name: `${column} *`,
            rate: cell(row, n) ?? null,
            interval: null,
          })),
        ],
      }
    })
  })
}

/** The APIs of a result: those of the paper in its order, then the others as they come. */
function listResultApis({ measures = [] }: ReportResult, policy: string): string[] {
  const names = measures.filter((one) => one.policy === policy && one.group === 'api').map(({ name }) => name)
  const published = Object.keys(titles).filter((api) => names.includes(api))
  return [...published, ...names.filter((api) => !published.includes(api))]
}

function splitColumns(table: PublishedTable | undefined) {
  const columns = table?.models ?? table?.columns ?? []
  const cell = (row: string, n: number): TableCell | undefined => {
    const cells = table?.rows[row] ?? table?.rows[getOwnMember(otherName, row) ?? row]
    return Array.isArray(cells) ? cells[n] : cells?.[columns[n]!]
  }
  return { columns, cell }
}

function formatPublishedTable(title: string, table: PublishedTable): TitledTable {
  const { columns, cell } = splitColumns(table)
  return {
    title: `${title} (as published)`,
    head: ['', ...columns],
    rows: Object.keys(table.rows).map((row) => [
      row,
      ...columns.map((_, n) => formatWapiiCell(row, cell(row, n))),
    ]),
  }
}
