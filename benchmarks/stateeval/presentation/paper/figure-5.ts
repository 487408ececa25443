/**
 * Fig. 5 (section IV-E, RQ4): which types of errors each model makes; and root causes (section IV-F, RQ5).
 */
import {
  type PaperExhibit,
  type PaperRequest,
  type PaperResults,
  formatShare,
  type PaperPlot,
  getReportResult,
  splitWords,
} from '@stateeval/program/presentation'
import { nameEvaluation } from './runs.ts'

const types = ['syntax', 'execution', 'result'] as const

function getTypeCounts(results: PaperResults, model: string, scenario: string): number[] {
  const { errors } = getReportResult(results, nameEvaluation(model, scenario)).result
  const entries = errors?.['byScenario'] ?? []
  return types.map((type) => entries.reduce((sum, entry) => sum + Number(entry[type]), 0))
}
const sumAll = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
const addLists = (all: readonly (readonly number[])[]) =>
  types.map((_, at) => sumAll(all.map((one) => one[at] ?? 0)))

export function buildFigure5({ models, scenarios }: PaperRequest, results: PaperResults): PaperExhibit {
  const rows = models.flatMap((model) => {
    const parts = scenarios.map((scenario) => ({ scenario, counts: getTypeCounts(results, model, scenario) }))
    const all = { scenario: 'all', counts: addLists(parts.map(({ counts }) => counts)) }
    return [...parts, ...(scenarios.length > 1 ? [all] : [])].map((part) => ({ model, ...part }))
  })
  const countText = (count: number, failed: number) =>
    failed === 0 ? '0' : `${count} (${formatShare(count / failed)})`
  const plots = scenarios.map((scenario): PaperPlot => {
    const members = models.map((model) => ({ name: model, counts: getTypeCounts(results, model, scenario) }))
    const names = { names: 'model', sum: 'failed' }
    return { form: 'parts', label: `Error types, ${scenario}`, ...names, parts: [...types], rows: members }
  })
  return {
    id: 'fig5',
    title: 'Fig. 5: error types of each model (RQ4)',
    tables: [
      {
        title: 'Failed samples by type, and their shares',
        head: ['model', 'scenario', 'failed', ...types],
        rows: rows.map(({ model, scenario, counts }) => {
          const failed = sumAll(counts)
          return [model, scenario, String(failed), ...counts.map((count) => countText(count, failed))]
        }),
      },
    ],
    plots,
    notes: [
      'Syntax: no code, or code that cannot be parsed. Execution: it ended with an error or at a limit. Result: it ran to its end and left another RESULT or state.',
    ],
  }
}

/**
 * The paper’s cases are read by people; here each failed sample has the cause that the scorer's rules find.
 */
export function buildRootCauses({ models, scenarios }: PaperRequest, results: PaperResults): PaperExhibit {
  const of = (model: string) =>
    scenarios.map((scenario) => getReportResult(results, nameEvaluation(model, scenario)).result)
  const causes = [
    ...new Set(models.flatMap((model) => of(model).flatMap((result) => Object.keys(result.rootCauses)))),
  ]
  const count = (model: string, cause: string) =>
    sumAll(of(model).map((result) => result.rootCauses[cause] ?? 0))
  return {
    id: 'rq5',
    title: 'RQ5: root causes of failures (section IV-F)',
    tables: [
      {
        title: 'Failed samples by root cause',
        head: ['model', ...causes.map(splitWords)],
        rows: models.map((model) => [model, ...causes.map((cause) => String(count(model, cause)))]),
      },
    ],
    plots: [],
    notes: ['What each cause rests on, sample by sample: npx stateeval answers EVALUATION.'],
  }
}
