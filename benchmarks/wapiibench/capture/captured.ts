/** A request as the world axios-capture tells it: axios's configuration after its own transformations. */
import type { Json, Observation } from '@stateeval/contracts'

export interface Captured {
  method: string
  url?: string
  baseURL?: string
  uri?: string
  headers: Record<string, Json>
  params?: Json
  data?: Json
  dataType?: string
  auth?: Json
}

/** In the order in which they would have been sent. */
export const capturedIn = ({ world }: Observation): Captured[] =>
  (world?.state as { requests?: Captured[] } | null | undefined)?.requests ?? []
