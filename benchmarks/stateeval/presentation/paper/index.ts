/**
 * The tables and figures of the StateEval paper, made anew for any models (sections IV-B to IV-F, RQ1 to
 * RQ5).
 */
import type { Exhibit, PaperRequest, PaperResults, Reproduction } from '@stateeval/program/presentation'
import { baselineRuns } from './baseline.ts'
import { figureThree } from './figure-3.ts'
import { figureFour } from './figure-4.ts'
import { figureFive, rootCauses } from './figure-5.ts'
import { curveRuns, evaluationRuns, promptRuns, setRuns } from './runs.ts'
import { tableOne } from './table-1.ts'
import { tableTwo } from './table-2.ts'

const shows: readonly [string, string, (request: PaperRequest, results: PaperResults) => Exhibit][] = [
  ['fig3', 'adjacent transition coverage (RQ1)', figureThree],
  ['1', 'statistics of the sets (RQ2)', tableOne],
  ['2', 'models under test (RQ3)', tableTwo],
  ['fig4', 'pass@1 (RQ3)', figureFour],
  ['fig5', 'error types (RQ4)', figureFive],
  ['rq5', 'root causes (RQ5)', rootCauses],
]

export const reproduction: Reproduction = {
  paper: 'Evaluating LLMs on Sequential API Call Through Automated Test Generation (StateGen, StateEval)',
  exhibits: shows.map(([id, says]) => ({ id, shows: says })),
  ofScenarios: true,
  runs: (request, results) => [
    ...setRuns(request),
    ...promptRuns(request),
    ...curveRuns(request),
    ...baselineRuns(request, results),
    ...evaluationRuns(request),
  ],
  show: (request, results) =>
    shows.flatMap(([id, , of]) => (request.exhibits.includes(id) ? [of(request, results)] : [])),
}
