/**
 * Evaluations as Table 2 of the paper: a row for each model and number of examples; and their error types by
 * nesting depth.
 */
import type { ReportResult } from '@stateeval/contracts'
import {
  type PaperTables,
  type PublishedTables,
  type TitledTable,
  splitWords,
} from '@stateeval/program/presentation'
import { errorTypes, formatNestfulMeasure } from './names.ts'
import { published as publishedTable } from './published-table.ts'

/** The columns of Table 2: of which samples, and which measure. */
const columns = [
  ['non-executable', 'Partial sequence match'],
  ['non-executable', 'Full sequence match'],
  ['executable', 'Partial sequence match'],
  ['executable', 'Full sequence match'],
  ['executable', 'API execution pass rate, mock (%)'],
  ['executable', 'API execution pass rate, live (%)'],
] as const
const extended = [
  ['version 2', 'F1 function'],
  ['version 2', 'F1 parameter'],
  ['version 2', 'Partial sequence match'],
  ['version 2', 'Full sequence match'],
  ['version 2', 'Win rate'],
] as const
/** The paper's names of the setups. */
const settings: Readonly<Record<string, string>> = {
  'one-shot': 'One shot',
  'three-shot': 'Three shots',
  'zero-shot': 'No examples',
  tools: 'Tool calling',
  program: 'Program',
}
const getSetup = ({ options }: ReportResult) => String(options['setup'] ?? 'three-shot')
const order = Object.keys(settings)

const findValue = (result: ReportResult, policy: string, form: string, name: string) =>
  result.measures?.find((one) => one.policy === policy && one.group === 'form' && one.name === form)?.values[
    name
  ]

function buildTable(
  title: string,
  results: readonly ReportResult[],
  policy: string,
  cells: readonly (readonly [string, string])[],
  published: readonly string[][],
): TitledTable[] {
  const used = cells.filter(([form, name]) =>
    results.some((one) => typeof findValue(one, policy, form, name) === 'number'),
  )
  if (used.length === 0) return []
  const sorted = results.toSorted((a, b) => order.indexOf(getSetup(a)) - order.indexOf(getSetup(b)))
  return [
    {
      title,
      head: ['Setting', 'Model', ...used.map(([form, name]) => `${form}: ${name}`)],
      rows: [
        ...sorted.map((result) => [
          settings[getSetup(result)] ?? getSetup(result),
          result.model,
          ...used.map(([form, name]) => formatNestfulMeasure(name, findValue(result, policy, form, name))),
        ]),
        ...published.map(([setting = '', model = '', ...values]) => [
          setting,
          `${model} *`,
          // The pass rate was measured over live APIs only.
          ...used.map(
            ([form, name]) => values[columns.findIndex(([a, b]) => a === form && b === name)] ?? '–',
          ),
        ]),
      ],
    },
  ]
}

/**
 * `{"tables": {"2 three-shot": {"models": [...], "rows": {"non-executable: Partial sequence match":
 * [...]}}}}`.
 */
function listPublishedRows(
  { tables }: PublishedTables,
  models: readonly string[] | undefined,
  setups: ReadonlySet<string>,
): string[][] {
  return ['one-shot', 'three-shot'].flatMap((setup) => {
    if (!setups.has(setup)) return []
    const setupTable = tables[`2 ${setup}`] ?? publishedTable.tables[`2 ${setup}`]
    return (setupTable?.models ?? []).flatMap((model, at) => {
      if (models && !models.some((one) => model.toLowerCase().includes(one.toLowerCase()))) return []
      const cell = (row: string) => {
        const cells = setupTable!.rows[row]
        return Array.isArray(cells) ? cells[at] : cells?.[model]
      }
      return [
        [
          settings[setup]!,
          model,
          ...columns.map(([form, name]) => formatNestfulMeasure(name, cell(`${form}: ${name}`))),
        ],
      ]
    })
  })
}

function buildDepthTable(result: ReportResult): TitledTable {
  const byDepth = result.errors?.['byDepth'] ?? []
  return {
    title: `Error types by nesting depth: ${result.model}, ${splitWords(getSetup(result))}`,
    head: ['error type', ...byDepth.map(({ name, samples }) => `${name} (of ${samples})`)],
    rows: errorTypes.map((type) => [splitWords(type), ...byDepth.map((entry) => String(entry[type] ?? 0))]),
  }
}

/** Two-sided, exact: whether the discordant pairs are split evenly. */
function testMcNemarExact(a: number, b: number): number {
  const n = a + b
  let [term, sum] = [0.5 ** n, 0]
  for (let k = 0; k <= Math.min(a, b); k++) {
    sum += term
    term *= (n - k) / (k + 1)
  }
  return Math.min(1, 2 * sum)
}

/** One against three examples for each model that was asked with both, sample by sample. */
export function compareShots(results: readonly ReportResult[], policy: string): TitledTable[] {
  const fullOf = ({ samples }: ReportResult) =>
    new Map(
      samples.flatMap(({ case: id, sample, score }) => {
        const full = score?.policies?.[policy]?.metrics['full']
        return full === undefined ? [] : [[`${id}/${sample}`, full === 1] as const]
      }),
    )
  const rows = results.flatMap((one) => {
    const three = results.find((other) => other.model === one.model && getSetup(other) === 'three-shot')
    if (getSetup(one) !== 'one-shot' || !three) return []
    const [first, second] = [fullOf(one), fullOf(three)]
    const pairs = [...first].flatMap(([id, full]) => {
      const other = second.get(id)
      return other === undefined ? [] : [[full, other] as const]
    })
    const onlyOne = pairs.filter(([a, b]) => a && !b).length
    const onlyThree = pairs.filter(([a, b]) => !a && b).length
    return [
      [one.model, pairs.length, onlyOne, onlyThree, testMcNemarExact(onlyOne, onlyThree).toFixed(4)].map(
        String,
      ),
    ]
  })
  if (rows.length === 0) return []
  return [
    {
      title: `Full sequence match, one shot against three, ${policy} (McNemar's exact test)`,
      head: ['Model', 'pairs', 'only with one', 'only with three', 'p'],
      rows,
    },
  ]
}

export const paper: PaperTables = {
  policies: ['published', 'sound'],
  faultOf: ({ measures, errors }) => (measures && errors ? null : 'it has no measures'),
  tables: (results, policy, published, models) => [
    ...buildTable(
      `Table 2, ${policy} (* as published)`,
      results,
      policy,
      columns,
      listPublishedRows(published, models, new Set(results.map(getSetup))),
    ),
    ...compareShots(results, policy),
    ...buildTable(`Version 2, ${policy}`, results, policy, extended, []),
    ...buildTable(`Fresh cases, ${policy}`, results, policy, fresh, []),
    ...results.map(buildDepthTable),
  ],
}
const fresh = [
  ['fresh', 'Partial sequence match'],
  ['fresh', 'Full sequence match'],
  ['fresh', 'Full match without order'],
  ['fresh', 'Win rate'],
] as const
