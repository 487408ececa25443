/** What one run did to its world: ids given out, items gone, requests, faults. */
import type { Limits, LoggedRequest } from '@stateeval/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { createIds } from '../ids.ts'
import type { Session } from '../store.ts'

const startsAt = Date.UTC(2026, 0, 1)
const KEPT_REQUESTS = 200
const KEPT_BYTES = 2048

const text = (value: unknown) => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return bytes instanceof Uint8Array && bytes.length > 0
    ? Buffer.from(bytes).subarray(0, KEPT_BYTES).toString('utf8')
    : undefined
}

export class Run {
  readonly newId: () => string
  readonly created: string[] = []
  readonly updated = new Set<string>()
  readonly gone: { id: string; last: Session }[] = []
  readonly log: LoggedRequest[] = []
  readonly faults: string[] = []
  requests = 0
  readonly #limit: number

  constructor(seed: string, limits: Pick<Limits, 'requests'>) {
    this.newId = createIds(seed, 'added')
    this.#limit = limits.requests
  }

  /** The clock of the world: it starts at a fixed time, and each request takes a second. */
  now = (): Date => new Date(startsAt + this.requests * 1000)

  get exceeded(): boolean {
    return this.requests > this.#limit
  }

  /** Counts a request; refuses it where the run has had all of its own. */
  admit() {
    this.requests++
    if (this.exceeded) throw new Refusal(429, `a run may send ${this.#limit} requests`)
  }

  /** Notes an answer that is about to be sent. */
  note(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    if (this.log.length >= KEPT_REQUESTS) return
    const requestBody = text(request.body)
    const responseBody = text(payload)
    this.log.push({
      method: request.method,
      path: (request.raw.url ?? '').slice(0, KEPT_BYTES),
      status: reply.statusCode,
      ...(requestBody === undefined ? {} : { requestBody }),
      ...(responseBody === undefined ? {} : { responseBody }),
    })
  }
}
