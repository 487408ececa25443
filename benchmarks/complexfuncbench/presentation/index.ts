/**
 * ComplexFuncBench at the command line: its data, its options, its measures in a report, and the tables of
 * its paper.
 */
import type { ReportPresentation } from '@stateeval/program/presentation'
import { buildPaperTables } from './paper-tables.ts'
import { compareErrorTypes, buildFailureSections, sampleColumns, buildReportSections } from './report.ts'

const presentation: ReportPresentation = {
  kind: 'complexfuncbench',
  builtFrom: 'seed',
  dataset: { depth: 0, file: /\.jsonl(\.gz)?$/ },
  options: {
    layout: 'runner of openai, claude, mistral (tools), qwen, llama or glm (text) (openai)',
    settings: 'published',
    limits: 'turns=40,calls=100,tokens=200000,seconds=3600, at most turns=100,calls=200',
  },
  sections: buildReportSections,
  failureSections: buildFailureSections,
  columns: sampleColumns,
  comparisonSections: compareErrorTypes,
  paper: {
    policies: ['published', 'sound'],
    faultOf: ({ measures }) => (measures ? null : 'it has no measures'),
    tables: buildPaperTables,
  },
}
export default presentation
