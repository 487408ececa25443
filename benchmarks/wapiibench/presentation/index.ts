/** WAPIIBench at the command line: its data, its options, its measures in a report, and the tables of its paper. */
import type { Presentation } from '@stateeval/program/presentation'
import { measureSections } from './measures.ts'
import { ofModels, paperTables } from './paper-tables.ts'

const presentation: Presentation = {
  kind: 'wapiibench',
  builtFrom: 'specification',
  dataset: { folders: ['tasks', 'specs'], file: /\.(json|ya?ml)$/ },
  options: {
    setup: 'full or arguments completion (full)',
    layout: 'prompts for chat, base or instruct models (chat)',
    settings: 'published',
    timeLimit: '5',
  },
  sections: measureSections,
  paper: {
    policies: ['published', 'sound'],
    faultOf: ({ measures }) => (measures ? null : 'it has no measures'),
    tables: (results, policy, published, models) => paperTables(results, policy, ofModels(published, models)),
  },
}
export default presentation
