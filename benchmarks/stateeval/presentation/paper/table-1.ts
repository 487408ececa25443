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

/** The rows: a metric of ours with its title and the row of the paper that it stands beside. */
const rows: readonly (readonly [metric: string, title: string, paper: keyof typeof tableI.rows | null])[] = [
  ['promptTokens', 'prompt without documentation (tokens)', 'promptTokens'],
  ['instructionTokens', 'instruction alone (tokens)', null],
  ['codeTokens', 'code length (tokens)', 'codeTokens'],
  ['releasedCodeTokens', 'code length in Python (tokens)', 'codeTokens'],
  ['functionCalls', 'function calls', 'functionCalls'],
  ['releasedFunctionCalls', 'function calls (released analyser)', 'functionCalls'],
  ['pathDepth', 'path depth', 'pathDepth'],
  ['releasedPathDepth', 'path depth (released analyser)', 'pathDepth'],
  ['bindingCount', 'binding count', 'bindingCount'],
  ['releasedBindingCount', 'binding count (released analyser)', 'bindingCount'],
]
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
          ...rows.map(([metric, title, paper]) => [
            title,
            ...sets.map((one) => formatMean(one.means[metric] ?? null)),
            formatMean(meanOf(metric)),
            ...tableI.benchmarks.map((_, at) => (paper ? formatMean(tableI.rows[paper][at] ?? null) : '')),
          ]),
        ],
      },
    ],
    plots: [],
    notes: [
      'Tokens are those of cl100k_base, as in the paper. The paper’s instruction length is that of the prompt without the API documentation; code length leaves out the initialisation block. Instructions are written by the template translator unless a set was built with agents; the paper’s were written by GPT-4.1.',
      'The analyser that the authors released reads Python. It counts methods of responses as calls but no call in the test of an if, and follows variables: its path depth and binding count are the paper’s, and its function calls are about twice the paper’s for HTTP.',
    ],
  }
}
