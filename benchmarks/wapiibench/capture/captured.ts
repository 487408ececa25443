/** Reads the requests that axios-capture reports of a run. */
import type { CapturedRequest, Observation } from '@stateeval/contracts'

export type CapturedCall = CapturedRequest

/** In the order in which they would have been sent. */
export const listCaptured = ({ world }: Observation): CapturedCall[] =>
  (world?.state as { requests?: CapturedCall[] } | null | undefined)?.requests ?? []
