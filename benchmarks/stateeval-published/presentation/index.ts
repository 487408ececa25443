/** Published cases at the command line: their data, and where the policies differ, case by case. */
import type { ReportPresentation } from '@stateeval/program/presentation'
import { buildPublishedSections } from './sections.ts'

const presentation: ReportPresentation = {
  kind: 'stateeval-published',
  // Folders of scenarios may stand side by side, or one is given by itself.
  dataset: {
    name: 'stateeval',
    depth: 3,
    file: /(?:^|\/)(?:evaluator_\d+\.json|agent_data\.json|[^/]+\.jsonl|rows[^/]*\.json)$/,
  },
  sections: buildPublishedSections,
}
export default presentation
