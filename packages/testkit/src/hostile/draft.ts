/** A request before it becomes bytes, so that several things can be made wrong about it. */
import type { RandomSource } from '@stateeval/program'
import type { DescribedOperation } from './operations.ts'

export interface RequestDraft {
  method: string
  /** As in the first line. */
  target: string
  version: string
  headers: [name: string, value: string][]
  body: Buffer | null
  /** Whether its headers say already where it ends. */
  isFramed: boolean
  /** Whether another operation, or none, may answer. */
  isElsewhere: boolean
  /** Whether the service may wait for more of it. */
  isUnfinished: boolean
  /** Whether nothing may follow it on its connection. */
  isAlone: boolean
  /** Bytes that are sent in its place. */
  raw?: Buffer
}
/** The most that hostile bodies have. */
export interface HostileScale {
  bytes: number
  /** Values, members, items or parameters. */
  count: number
  depth: number
}
/** Makes something wrong and says what. */
export type RequestSpoiler = (
  draft: RequestDraft,
  rng: RandomSource,
  scale: HostileScale,
  operation: DescribedOperation,
) => string

/** A number up to the greatest one, of any order of magnitude: most are small. */
export const magnitude = (rng: RandomSource, most: number): number =>
  Math.floor(Math.exp(rng.unit() * Math.log(most)))

export function encodeRequest({
  method,
  target,
  version,
  headers,
  body,
  isFramed,
  raw,
}: RequestDraft): Buffer {
  if (raw) return raw
  const framing = body && !isFramed ? [['content-length', String(body.length)]] : []
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from([`${method} ${target} ${version}`, ...lines, '', ''].join('\r\n'), 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

export function setHeader(draft: RequestDraft, name: string, ...values: string[]): void {
  draft.headers = [
    ...draft.headers.filter(([one]) => one !== name),
    ...values.map((value): [string, string] => [name, value]),
  ]
}
