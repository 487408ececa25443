/** Numbers, times and reasons for people. */
import type { Rate, ReportResult, Score } from '@stateeval/contracts'
import { formatPlural } from '@stateeval/program/presentation'

export {
  formatPercent,
  formatInterval,
  formatShare,
  formatPlural,
  formatRate,
  splitWords,
} from '@stateeval/program/presentation'

/** Explanations of a report's intervals: two sentences for each method. */
export const listExplanations = ({ explanations = {} }: Pick<ReportResult, 'explanations'>) =>
  Object.values(explanations)
export const count = (rate: Rate) => `${rate.passed}/${rate.scored}`
/** Why a sample failed: its error, or all differences. */
export const explainSample = ({ error, differences }: Score['evidence']) =>
  error ? [`${error.name}: ${error.message}`] : differences.map(({ says }) => says)
/** A time, to the second. */
export const formatMinute = (at: string) => at.slice(0, 19).replace('T', ' ')
/** A count in a readable form: 1,234,567. */
export const groupDigits = (count: number) => count.toLocaleString('en-US')
/** The extent of a partial report: `the evaluation runs; 12 of 40 samples have ended`. */
export const describePartial = ({ status, ended, samples }: NonNullable<ReportResult['partial']>) =>
  `the evaluation ${became[status]}; ${ended} of ${formatPlural(samples, 'sample')} ${ended === 1 ? 'has' : 'have'} ended`
const became = {
  queued: 'waits',
  running: 'is running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
} as const
