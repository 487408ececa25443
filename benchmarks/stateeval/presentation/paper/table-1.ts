/** Table I (section IV-C, RQ2): how complex the sets are, beside what the paper prints. */
import {
  getBenchmarkResult,
  type PaperExhibit,
  type PaperRequest,
  type PaperResults,
  getPromptTokens,
} from '@stateeval/program/presentation'
import { tableI } from './published.ts'
import { namePrompts, nameSet } from './runs.ts'

const titles: Readonly<Record<keyof typeof tableI.rows, string>> = {
  promptTokens: 'instruction length (tokens)',
  codeTokens: 'code length (tokens)',
  functionCalls: 'function calls',
  pathDepth: 'path depth',
  bindingCount: 'binding count',
}
const metrics = Object.keys(titles) as (keyof typeof titles)[]
const formatMean = (value: number | null) => (value === null ? '–' : value.toFixed(2))

type ScenarioMeans = Readonly<Record<string, number>>

/** The means of one scenario's set, by metric. */
function computeMeans(scenario: string, results: PaperResults): { cases: number; means: ScenarioMeans } {
  const set = getBenchmarkResult(results, nameSet(scenario)).manifest?.statistics.find(
    (one) => one.scenario === scenario,
  )
  const tokens = getPromptTokens(results, namePrompts(scenario))
  const ofSet = Object.entries(set?.metrics ?? {}).map(([name, { mean }]) => [name, mean] as const)
  const promptTokens = tokens.reduce((sum, count) => sum + count, 0) / Math.max(1, tokens.length)
  return { cases: set?.cases ?? 0, means: { ...Object.fromEntries(ofSet), promptTokens } }
}

export function buildTable1({ scenarios }: PaperRequest, results: PaperResults): PaperExhibit {
  const sets = scenarios.map((scenario) => ({ scenario, ...computeMeans(scenario, results) }))
  const cases = sets.reduce((sum, one) => sum + one.cases, 0)
  const meanOf = (metric: string) =>
    cases === 0 ? null : sets.reduce((sum, one) => sum + one.cases * (one.means[metric] ?? 0), 0) / cases
  return {
    id: '1',
    title: 'Table I: statistics of the sets, means over the cases (RQ2)',
    tables: [
      {
        title: `${cases} cases; * as the paper prints it`,
        head: [
          'statistics',
          ...sets.map(({ scenario }) => scenario),
          'all',
          ...tableI.benchmarks.map((name) => `${name} *`),
        ],
        rows: [
          [
            'cases',
            ...sets.map((one) => String(one.cases)),
            String(cases),
            ...tableI.benchmarks.map(() => ''),
          ],
          ...metrics.map((metric) => [
            titles[metric],
            ...sets.map((one) => formatMean(one.means[metric] ?? null)),
            formatMean(meanOf(metric)),
            ...tableI.rows[metric].map(formatMean),
          ]),
        ],
      },
    ],
    plots: [],
    notes: [
      'Tokens are those of cl100k_base, as in the paper. Instruction length is that of the prompt without the API documentation; code length leaves out the initialisation block. Instructions are written by the template translator unless a set was built with agents; the paper’s were written by GPT-4.1.',
    ],
  }
}
