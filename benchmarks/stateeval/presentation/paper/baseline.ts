/**
 * The LLM-only baseline of Fig. 3 (section IV-B): a model is asked for programs from the documentation alone
 * until there are as many as StateGen made. "Usable" ones keep to StateGen's constraints; every program that
 * can be read is shown, too, as the paper reads programs that don't run.
 */
import {
  type PaperRequest,
  type PaperResults,
  type PaperRun,
  formatPlural,
  getReportResult,
} from '@stateeval/program/presentation'
import { length } from './runs.ts'

const kind = 'llm-only'
/** Questions for each program that is wanted, at most. */
const maxQuestions = 5
const maxSamples = 1000

const formatDocumentationName = (scenario: string) => `documentation of ${scenario}`
const formatAskedName = (model: string, scenario: string, answers: number) =>
  `programs by ${model} for ${scenario}, ${formatPlural(answers, 'answer')}`

const getUsablePrograms = (results: PaperResults, name: string) =>
  getReportResult(results, name).result.overall.passed

/**
 * The numbers of answers that were asked for, one after the other: as many again as programs are still
 * missing.
 */
function listRounds(
  { keep }: PaperRequest,
  model: string,
  scenario: string,
  results: PaperResults,
): number[] {
  const maxAnswers = Math.min(maxSamples, maxQuestions * keep)
  const answers = [Math.min(keep, maxAnswers)]
  for (;;) {
    const count = answers.at(-1)!
    const name = formatAskedName(model, scenario, count)
    if (!results.has(name)) return answers
    const missing = keep - getUsablePrograms(results, name)
    if (missing <= 0 || count === maxAnswers) return answers
    answers.push(Math.min(maxAnswers, count + missing))
  }
}

export function planBaselineRuns(request: PaperRequest, results: PaperResults): PaperRun[] {
  const { baselines, scenarios, seed, exhibits } = request
  if (!exhibits.includes('fig3') || baselines.length === 0) return []
  return scenarios.flatMap((scenario): PaperRun[] => [
    {
      name: formatDocumentationName(scenario),
      what: 'benchmark',
      request: { kind, build: { scenario, programs: 1, keep: 1, seed, length, languages: ['javascript'] } },
    },
    ...baselines.flatMap((model) =>
      listRounds(request, model, scenario, results).map((samples): PaperRun => ({
        name: formatAskedName(model, scenario, samples),
        what: 'evaluation',
        benchmark: formatDocumentationName(scenario),
        request: { model, samples },
      })),
    ),
  ])
}

/** The report of the last round. */
function getLastReport(request: PaperRequest, model: string, scenario: string, results: PaperResults) {
  const answers = listRounds(request, model, scenario, results).at(-1)!
  return { answers, result: getReportResult(results, formatAskedName(model, scenario, answers)).result }
}

export function drawBaselineCurves(request: PaperRequest, scenario: string, results: PaperResults) {
  return request.baselines.flatMap((model) => {
    const { result } = getLastReport(request, model, scenario, results)
    const growth = (selection: string) => {
      const values = result.measures?.find(({ group }) => group === `growth, ${selection}`)?.values ?? {}
      const inOrder = Object.entries(values).sort(([a], [b]) => Number(a) - Number(b))
      return inOrder.map(([, share]) => share ?? 0).slice(0, request.keep)
    }
    return [
      { name: `llm-only ${model}`, values: growth('usable') },
      { name: `llm-only ${model}, every program`, values: growth('read') },
    ]
  })
}

export function describeBaseline(request: PaperRequest, results: PaperResults): string[] {
  if (request.baselines.length === 0)
    return [
      'To add the paper’s LLM-only baseline, use --baseline-model NAME: a model that writes programs from the documentation alone.',
    ]
  return [
    'llm-only: a model writes programs from the documentation alone; they are parsed, not run. Its first row counts programs that satisfy the generator’s constraints, the second row every program that can be parsed.',
    ...request.baselines.flatMap((model) =>
      request.scenarios.map((scenario) => {
        const { answers, result } = getLastReport(request, model, scenario, results)
        const reasons = Object.entries(result.verdicts)
          .filter(([verdict, count]) => verdict !== 'passed' && count > 0)
          .map(([verdict, count]) => `${count} ${verdict.replaceAll('_', ' ')}`)
        const others = reasons.length > 0 ? `; the others: ${reasons.join(', ')}` : ''
        return `${model}, ${scenario}: ${result.overall.passed} usable of ${formatPlural(answers, 'answer')}${others}.`
      }),
    ),
  ]
}
