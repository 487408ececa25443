/** Root causes of failures, for every kind whose scores name them: counts, columns, and their evidence. */
import type { ReportResult, ScoredSample } from '@stateeval/contracts'
import { splitWords } from './format.ts'
import type { SampleColumn, PresentationSection } from './presentation.ts'

/** How often each cause occurs. */
export function buildCauseSections({ rootCauses }: ReportResult): PresentationSection[] {
  const rows = Object.entries(rootCauses).filter(([, samples]) => samples > 0)
  if (rows.length === 0) return []
  return [
    {
      title: 'Root causes of failures',
      table: {
        head: ['root cause of failures', 'samples'],
        rows: rows.map(([cause, samples]) => [splitWords(cause), samples]),
      },
    },
  ]
}

export function buildCauseColumns({ secondOpinion }: ReportResult): SampleColumn[] {
  const causeOf = ({ score }: ScoredSample) => score?.evidence.rootCause
  return [
    { name: 'root_cause', of: (sample) => causeOf(sample)?.cause },
    { name: 'root_cause_kind', of: (sample) => causeOf(sample)?.kind },
    { name: 'api', of: (sample) => causeOf(sample)?.api },
    { name: 'argument', of: (sample) => causeOf(sample)?.argument },
    ...(secondOpinion ? [{ name: 'second_opinion', of: getOpinion }] : []),
  ]
}
const getOpinion = ({ secondOpinion }: ScoredSample) =>
  secondOpinion && 'cause' in secondOpinion ? secondOpinion.cause : undefined

/** Why a sample failed, according to the scorer and to another model. */
export function describeCauses({ score, secondOpinion }: ScoredSample): string[] {
  const { rootCause } = score?.evidence ?? {}
  const lines = rootCause
    ? [
        `root cause: ${splitWords(rootCause.cause)}${rootCause.kind ? `, ${splitWords(rootCause.kind)}` : ''}: ${rootCause.because}`,
        ...(rootCause.expected ? [`  reference: ${rootCause.expected}`] : []),
        ...(rootCause.found ? [`  candidate: ${rootCause.found}`] : []),
      ]
    : []
  if (!secondOpinion || !('cause' in secondOpinion)) return lines
  return [...lines, `second opinion: ${splitWords(secondOpinion.cause)}: ${secondOpinion.because}`]
}
