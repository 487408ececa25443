/**
 * WAPIIBench at the command line: its data, its options, its measures in a report, and the tables of its
 * paper.
 */
import {
  type PaperTables,
  type ReportPresentation,
  buildTableReproduction,
} from '@stateeval/program/presentation'
import { measureSections } from './measures.ts'
import { drawFigure2, selectModelColumns, buildWapiiTables } from './paper-tables.ts'

const paper: PaperTables = {
  policies: ['published', 'sound'],
  faultOf: ({ measures }) => (measures ? null : 'it has no measures'),
  tables: (results, policy, published, models) =>
    buildWapiiTables(results, policy, selectModelColumns(published, models)),
  plots: drawFigure2,
}

const presentation: ReportPresentation = {
  kind: 'wapiibench',
  builtFrom: 'specification',
  dataset: { folders: ['tasks', 'specs'], file: /\.(json|ya?ml)$/ },
  options: {
    setup: 'full or arguments completion, or import: the code ends after the require (full)',
    layout: 'prompts for chat, base or instruct models (chat)',
    settings: 'published',
    timeLimit: '5',
  },
  conformance: { world: 'axios-capture', input: { variables: {}, world: { fetch: true } } },
  sections: measureSections,
  paper,
  reproduction: buildTableReproduction(
    'Benchmarking Web API Integration Code Generation (WAPIIBench)',
    paper,
    [
      {
        id: 'full',
        shows: 'Tables III and VI, Fig. 2 (top), and by API: full completion',
        options: { setup: 'full', settings: 'published' },
      },
      {
        id: 'arguments',
        shows: 'Tables IV and VII, Fig. 2 (bottom), and by API: argument completion',
        options: { setup: 'arguments', settings: 'published' },
      },
    ],
  ),
}
export default presentation
