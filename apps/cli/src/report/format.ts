/** How numbers are shown to people. */
import type { Rate, ReportResult } from '@stateeval/contracts'

export const percent = (value: number | null) => (value === null ? '–' : `${(value * 100).toFixed(1)} %`)
export const interval = (value: readonly [number, number] | null) =>
  value === null ? '' : `${(value[0] * 100).toFixed(1)}–${(value[1] * 100).toFixed(1)} %`
/** What the intervals of a report say: two sentences for each way in which they were found. */
export const explanationsOf = ({ explanations = {} }: Pick<ReportResult, 'explanations'>) => Object.values(explanations)
export const count = (rate: Rate) => `${rate.passed}/${rate.scored}`
export const words = (identifier: string) => identifier.replaceAll('_', ' ')
