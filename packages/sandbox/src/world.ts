/** The World: what candidate code talks to. Its channel is owned by the host side; a run reaches its own world only. */
import type { Duplex } from 'node:stream'
import type { Json, Language, Limits, LoggedRequest, WorldState } from '@stateeval/contracts'
import type { CapturedRequest, CaptureReply } from './captured-request.ts'

/** How code in the jail reaches the world. */
export type Channel =
  /** Any HTTP client to the global BASE_URL; each connection made in the jail is handed to `accept`. */
  | { kind: 'http'; accept(connection: Duplex): void }
  /**
   * No sockets either: requests of axios are recorded where they would be sent, and answered at once. `take` gets them when
   * the code has ended; none where it was ended by force.
   */
  | { kind: 'capture'; reply: CaptureReply; take(requests: CapturedRequest[]): void }
  /** No channel: sockets are denied altogether. */
  | { kind: 'none' }

export interface OpenWorld {
  channel: Channel
  /**
   * What is in the world now, what it saw, and what failed of it: with a fault, the run is an infrastructure error.
   * Requests that have arrived are finished first. Called once, after the code has ended.
   */
  observe(): Promise<WorldObservation>
  close(): Promise<void>
}

export interface WorldObservation {
  world: WorldState
  log: LoggedRequest[]
  faults: string[]
  /** The run sent more requests than its limits allow; the world stopped serving it. */
  exceeded?: 'requests'
}

export interface World {
  id: string
  /** Languages that it can be reached from. Default: all. */
  languages?: readonly Language[]
  /** A fresh world with these initial items, exclusively for one run. Rejects where the world can't be had. */
  open(initial: Json, limits: Limits): Promise<OpenWorld>
  close(): Promise<void>
}
