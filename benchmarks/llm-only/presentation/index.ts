/**
 * The LLM-only baseline at the command line: how many programs could be counted, and the pairs that they
 * hold.
 */
import type { ReportResult } from '@stateeval/contracts'
import type { ReportPresentation, PresentationSection } from '@stateeval/program/presentation'

const formatCoverageCell = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : Number.isInteger(value) ? String(value) : value.toFixed(2)

function buildCoverageSection({ measures = [] }: ReportResult): PresentationSection[] {
  const cases = measures.filter(({ group }) => group === 'case')
  const names = [...new Set(cases.flatMap(({ values }) => Object.keys(values)))]
  if (cases.length === 0) return []
  return [
    {
      title: 'Programs written from documentation alone',
      table: {
        head: ['', ...cases.map(({ name }) => name)],
        rows: names.map((name) => [name, ...cases.map(({ values }) => formatCoverageCell(values[name]))]),
      },
    },
  ]
}

const presentation: ReportPresentation = {
  kind: 'llm-only',
  builtFrom: 'programs',
  sections: buildCoverageSection,
}
export default presentation
