/**
 * The tables and figures of the StateEval paper, made anew for any models (sections IV-B to IV-F, RQ1 to
 * RQ5).
 */
import type {
  PaperExhibit,
  PaperRequest,
  PaperResults,
  PaperReproduction,
} from '@stateeval/program/presentation'
import { planBaselineRuns } from './baseline.ts'
import { buildFigure3 } from './figure-3.ts'
import { buildFigure4 } from './figure-4.ts'
import { buildFigure5, buildRootCauses } from './figure-5.ts'
import { planCurveRuns, planEvaluationRuns, planPromptRuns, setRuns } from './runs.ts'
import { buildTable1 } from './table-1.ts'
import { buildTable2 } from './table-2.ts'

const shows: readonly [string, string, (request: PaperRequest, results: PaperResults) => PaperExhibit][] = [
  ['fig3', 'adjacent transition coverage (RQ1)', buildFigure3],
  ['1', 'statistics of the sets (RQ2)', buildTable1],
  ['2', 'models under test (RQ3)', buildTable2],
  ['fig4', 'pass@1 (RQ3)', buildFigure4],
  ['fig5', 'error types (RQ4)', buildFigure5],
  ['rq5', 'root causes (RQ5)', buildRootCauses],
]

export const reproduction: PaperReproduction = {
  paper: 'Evaluating LLMs on Sequential API Call Through Automated Test Generation (StateGen, StateEval)',
  exhibits: shows.map(([id, says]) => ({ id, shows: says })),
  ofScenarios: true,
  runs: (request, results) => [
    ...setRuns(request),
    ...planPromptRuns(request),
    ...planCurveRuns(request),
    ...planBaselineRuns(request, results),
    ...planEvaluationRuns(request),
  ],
  show: (request, results) =>
    shows.flatMap(([id, , of]) => (request.exhibits.includes(id) ? [of(request, results)] : [])),
}
