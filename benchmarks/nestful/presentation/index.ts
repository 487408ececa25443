/**
 * NESTFUL at the command line: its data, its options, its measures in a report, and the tables of its paper.
 */
import {
  buildCauseColumns,
  buildCauseSections,
  type ReportPresentation,
  buildTableReproduction,
} from '@stateeval/program/presentation'
import { findLayout } from './layouts.ts'
import { compareShots, paper } from './paper-tables.ts'
import { buildErrorSections, measureSections, sampleColumns, sampleDetails } from './sections.ts'

const presentation: ReportPresentation = {
  kind: 'nestful',
  builtFrom: 'programs',
  dataset: {
    folders: ['v1/executable', 'v1/non-executable', 'v2'],
    file: /(^|\/)((executable|non-executable-\w+)-(data|spec)\.json|nestful_data[\w-]*\.jsonl?|icl_examples\.json)$/,
    packed: {
      option: 'functions',
      help: 'the published Python function files, which run in the jail',
      file: /\.py$/,
      as: 'functions.json',
    },
  },
  options: {
    setup: 'three-shot, one-shot, zero-shot, tools or program (three-shot)',
    layout: 'the model family (llama)',
    settings: 'published',
    timeLimit: '10',
  },
  sections: measureSections,
  failureSections: (result) => [...buildCauseSections(result), ...buildErrorSections(result)],
  columns: (result) => [...sampleColumns(), ...buildCauseColumns(result)],
  details: sampleDetails,
  comparisonSections: ({ comparison: { models }, errors }) =>
    errors.every((entries) => entries.length === 0)
      ? []
      : [
          {
            title: 'Error types by nesting depth',
            table: {
              head: ['model', 'nesting', 'samples', 'most frequent error'],
              rows: errors.flatMap((entries, at) =>
                entries.map(({ name, samples, ...counts }) => {
                  const [type, count] = Object.entries(counts).sort(
                    ([, a], [, b]) => Number(b) - Number(a),
                  )[0] ?? ['', 0]
                  return [
                    models[at]?.name ?? '',
                    name,
                    Number(samples),
                    Number(count) === 0 ? 'none' : `${type.replaceAll('_', ' ')} (${count})`,
                  ]
                }),
              ),
            },
          },
        ],
  paper,
  reproduction: buildTableReproduction(
    'NESTFUL: nested sequences of API calls',
    paper,
    [
      {
        id: '2-one-shot',
        shows: 'Table 2, one shot, and error types by nesting depth',
        options: { setup: 'one-shot', settings: 'published' },
      },
      {
        id: '2-three-shot',
        shows: 'Table 2, three shots, and error types by nesting depth',
        options: { setup: 'three-shot', settings: 'published' },
      },
      {
        id: 'shots',
        shows: 'One shot against three, sample by sample',
        compares: ['2-one-shot', '2-three-shot'],
        tables: compareShots,
      },
    ],
    findLayout,
  ),
}
export default presentation
