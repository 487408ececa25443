/**
 * Fig. 3 (section IV-B, RQ1): adjacent transition coverage (equation 3) after so many programs, by who
 * generates them.
 */
import {
  getCoverageResult,
  type PaperExhibit,
  type PaperRequest,
  type PaperResults,
  type PaperPlot,
  type TitledTable,
} from '@stateeval/program/presentation'
import { drawBaselineCurves, describeBaseline } from './baseline.ts'
import { nameCurve, strategies } from './runs.ts'

type FigureCurve = Extract<PaperPlot, { form: 'curves' }>['curves'][number]

const names = {
  planned: 'planned',
  coverage: 'coverage (StateGen)',
  random: 'random (w/o COV)',
} as const
/** Numbers of programs that a table shows, besides the last. */
const columns = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100]

/**
 * The mean over the repeats after each program, and what was seen. A generation that gave up keeps its last
 * value.
 */
function drawStrategyCurves(
  { repeats, keep }: PaperRequest,
  scenario: string,
  results: PaperResults,
): FigureCurve[] {
  return strategies.map((strategy) => {
    const each = Array.from({ length: repeats }, (_, repeat) => {
      const { atc } = getCoverageResult(results, nameCurve(scenario, strategy, repeat))
      return Array.from({ length: keep }, (_, at) => atc[at] ?? atc.at(-1) ?? 0)
    })
    const over = (of: (values: number[]) => number) =>
      Array.from({ length: keep }, (_, at) => of(each.map((values) => values[at]!)))
    return {
      name: names[strategy],
      values: over((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
      ...(repeats > 1 && {
        low: over((values) => Math.min(...values)),
        high: over((values) => Math.max(...values)),
      }),
    }
  })
}

function buildCurveTable(scenario: string, curves: readonly FigureCurve[], count: number): TitledTable {
  const shownColumns = [...columns.filter((n) => n < count), count]
  const cellText = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(2))
  return {
    title: `${scenario}: adjacent transition coverage after N programs`,
    head: ['N', ...shownColumns.map(String)],
    rows: curves.map(({ name, values }) => [name, ...shownColumns.map((n) => cellText(values[n - 1]))]),
  }
}

export function buildFigure3(request: PaperRequest, results: PaperResults): PaperExhibit {
  const parts = request.scenarios.map((scenario) => {
    const curves = [
      ...drawStrategyCurves(request, scenario, results),
      ...drawBaselineCurves(request, scenario, results),
    ]
    const label = `Adjacent transition coverage, ${scenario}`
    const plot: PaperPlot = { form: 'curves', label, x: 'programs', curves }
    return { plot, table: buildCurveTable(scenario, curves, request.keep) }
  })
  const { repeats } = request
  return {
    id: 'fig3',
    title: 'Fig. 3: adjacent transition coverage across generated programs (RQ1)',
    tables: parts.map(({ table }) => table),
    plots: parts.map(({ plot }) => plot),
    notes: [
      `Means over ${repeats} ${repeats === 1 ? 'seed' : 'seeds'}${repeats > 1 ? '; the figure also shows the least and the most' : ''}. \`coverage\` is the paper’s Algorithm 1 and \`random\` its ablation; \`planned\` is our default.`,
      ...describeBaseline(request, results),
    ],
  }
}
