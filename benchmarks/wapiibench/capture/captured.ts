/** Reads the requests that axios-capture reports of a run. */
import type { CapturedRequest, Observation } from '@stateeval/contracts'

export type Captured = CapturedRequest

/** In the order in which they would have been sent. */
export const capturedIn = ({ world }: Observation): Captured[] =>
  (world?.state as { requests?: Captured[] } | null | undefined)?.requests ?? []
