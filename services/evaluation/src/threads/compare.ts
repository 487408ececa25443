/** The thread that compares reports: twenty of a large set take minutes. */
import type { ReportResult } from '@stateeval/contracts'
import { compareReports } from '@stateeval/score'

export interface CompareTask {
  /** The stored results of the reports. */
  results: readonly Uint8Array[]
  seed: number | string
}
export type ThreadComparison = ReturnType<typeof compareReports>

export const compare = ({ results, seed }: CompareTask): ThreadComparison =>
  compareReports(
    results.map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as ReportResult),
    { seed },
  )
