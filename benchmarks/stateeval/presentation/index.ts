/** StateEval at the command line: why programs failed, and the tables and figures of its paper. */
import {
  causeColumns,
  causeDetails,
  causeSections,
  opinionSections,
  type Presentation,
} from '@stateeval/program/presentation'
import { comparedErrors, errorSections } from './errors.ts'
import { reproduction } from './paper/index.ts'

const presentation: Presentation = {
  kind: 'stateeval',
  builtFrom: 'programs',
  failureSections: (result) => [
    ...causeSections(result),
    ...errorSections(result),
    ...opinionSections(result),
  ],
  columns: causeColumns,
  details: causeDetails,
  comparisonSections: comparedErrors,
  reproduction,
}
export default presentation
