/** StateEval at the command line: why programs failed, and the tables and figures of its paper. */
import {
  buildCauseColumns,
  describeCauses,
  buildCauseSections,
  buildOpinionSections,
  type ReportPresentation,
} from '@stateeval/program/presentation'
import { compareErrors, buildTypeSections } from './errors.ts'
import { reproduction } from './paper/index.ts'
import { compareTools, buildToolSections } from './tools.ts'

const presentation: ReportPresentation = {
  kind: 'stateeval',
  builtFrom: 'programs',
  failureSections: (result) => [
    ...buildCauseSections(result),
    ...buildTypeSections(result),
    ...buildOpinionSections(result),
  ],
  options: { limits: 'with --mode tools: turns=60,calls=200,tokens=200000,seconds=3600 for each input' },
  sections: buildToolSections,
  columns: buildCauseColumns,
  details: describeCauses,
  comparisonSections: (comparison) => [...compareTools(comparison), ...compareErrors(comparison)],
  reproduction,
}
export default presentation
