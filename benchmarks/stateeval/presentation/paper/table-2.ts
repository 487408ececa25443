/** Table II (section IV-D, RQ3): the models under test; and what they were asked with, and used. */
import {
  type PaperExhibit,
  getModelResult,
  type PaperRequest,
  type PaperResults,
  getReportResult,
} from '@stateeval/program/presentation'
import { nameEvaluation, nameSettings } from './runs.ts'

export function buildTable2({ models, scenarios }: PaperRequest, results: PaperResults): PaperExhibit {
  const rows = models.map((name) => {
    const { kind, settings } = getModelResult(results, nameSettings(name))
    const runs = scenarios.map((scenario) => getReportResult(results, nameEvaluation(name, scenario)).run)
    const sum = (of: (run: (typeof runs)[number]) => number) =>
      runs.reduce((total, run) => total + of(run), 0)
    const isAsked = kind === 'endpoint'
    const parameters = Object.entries(runs[0]?.parameters ?? settings?.parameters ?? {})
    const costs = runs.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]))
    const counted = (of: (run: (typeof runs)[number]) => number) => (isAsked ? String(sum(of)) : '–')
    return [
      name,
      settings?.model ?? 'built in',
      isAsked
        ? parameters.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ') || 'defaults'
        : '–',
      counted(({ samples }) => samples),
      counted(({ usage }) => usage.promptTokens),
      counted(({ usage }) => usage.completionTokens),
      isAsked && costs.length === runs.length ? `$${costs.reduce((a, b) => a + b, 0).toFixed(2)}` : '–',
    ]
  })
  return {
    id: '2',
    title: 'Table II: models under test (RQ3)',
    tables: [
      {
        title: 'Models, their parameters, and their usage',
        head: [
          'model',
          'id at its endpoint',
          'parameters',
          'samples',
          'prompt tokens',
          'completion tokens',
          'cost',
        ],
        rows,
      },
    ],
    plots: [],
    notes: [
      'The paper’s five: Qwen2.5-Coder (32B) and Llama-4-Scout (17B active) are open; Gemini-2.5-Flash, GPT-4.1-nano and GPT-4.1 are behind APIs. Answers that were kept from earlier evaluations use no tokens.',
    ],
  }
}
