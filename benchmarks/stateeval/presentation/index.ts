/** StateEval at the command line: why programs failed. */
import {
  causeColumns,
  causeDetails,
  causeSections,
  opinionSections,
  type Presentation,
} from '@stateeval/program/presentation'
import { comparedErrors, errorSections } from './errors.ts'

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
}
export default presentation
