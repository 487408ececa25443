/** The effects of one run on its world: ids given out, items gone, requests, faults. */
import type { ExecutionLimits, LoggedRequest } from '@stateeval/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultLimits, type QueryBounds } from '../context.ts'
import type { BsonDocument, BsonValue } from '../document/value.ts'
import { RequestRefusal } from '../errors.ts'
import { maxWays } from '../filter/backtracking.ts'
import { createIds } from '../ids.ts'
import type { StoredSession } from '../store.ts'

const startsAt = Date.UTC(2026, 0, 1)
const KEPT_REQUESTS = 200
const KEPT_BYTES = 2048
/**
 * Limit of a query's cost for one document: the weight of its filter times the document's characters. The
 * embedded server takes about a second for it, and checks for interruption between two documents only.
 */
const MAX_COST = 20_000_000
/** Requests of a run that the service works on at once: what is left of them at its end takes seconds. */
const MAX_AT_ONCE = 4
/**
 * All data that a run may store, in characters, and what a value counts besides: reading the world of a run
 * that stored more takes seconds.
 */
const MAX_STORED = 8_388_608
const VALUE_CHARACTERS = 16
/** The least time, in milliseconds, that requests without a waiting caller get when the code has ended. */
const GRACE_MS = 2000

const toBytes = (value: unknown) => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return bytes instanceof Uint8Array && bytes.length > 0
    ? Buffer.from(bytes).subarray(0, KEPT_BYTES).toString('utf8')
    : undefined
}

const countValues = (value: BsonValue): number => {
  const members = value instanceof Map ? value.values() : Array.isArray(value) ? value : []
  let count = 1
  for (const member of members) count += countValues(member)
  return count
}

export class WorldRun {
  readonly newId: () => string
  readonly created: string[] = []
  readonly updated = new Set<string>()
  readonly gone: { id: string; last: StoredSession }[] = []
  readonly log: LoggedRequest[] = []
  readonly faults: string[] = []
  requests = 0
  /** Requests were under way when its time was over, and were ended. */
  late = false
  readonly #limits: Pick<ExecutionLimits, 'requests' | 'wallMs'>
  readonly #beganAt = performance.now()
  readonly #ending = new AbortController()
  readonly #waiting: (() => void)[] = []
  #entered = 0
  /** Characters of the largest document, and values of the one that has most. */
  #largest = 1
  #mostValues = 1
  #stored = 0

  constructor(seed: string, limits: Pick<ExecutionLimits, 'requests' | 'wallMs'>) {
    this.newId = createIds(seed, 'added')
    this.#limits = limits
  }

  /** A document of so many characters is there. Gives the number of its values. */
  holds(data: BsonDocument, characters: number): number {
    const values = countValues(data)
    this.#largest = Math.max(this.#largest, characters)
    this.#mostValues = Math.max(this.#mostValues, values)
    return values
  }
  /** A document is about to be stored; refused where the run has stored all that it may. */
  stores(data: BsonDocument, characters: number) {
    this.#stored += characters + VALUE_CHARACTERS * this.holds(data, characters)
    if (this.#stored > MAX_STORED) throw new RequestRefusal(413, 'a run may store 8 MiB of data')
  }

  queryBounds = (): Pick<QueryBounds, 'filter' | 'signal'> => ({
    filter: {
      weight: Math.min(defaultLimits.filter.weight, Math.floor(MAX_COST / this.#largest)),
      backtracking: Math.ceil((maxWays * this.#mostValues) / this.#largest),
    },
    signal: this.#ending.signal,
  })

  /** Waits for the turn of a request. Rejects where the run is over by then. */
  async enter(): Promise<void> {
    if (this.#entered < MAX_AT_ONCE) this.#entered++
    else await new Promise<void>((go) => this.#waiting.push(go))
    if (this.#ending.signal.aborted) throw new RequestRefusal(503, 'the run has ended')
  }
  /** Hands its turn to the next. */
  leave() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#entered--
  }

  /** Milliseconds that its requests may still take once its code has ended. */
  get leftMs(): number {
    return Math.max(GRACE_MS, this.#beganAt + this.#limits.wallMs - performance.now())
  }
  /** Ends its queries, in the database too, and refuses the requests that wait for their turn. */
  end() {
    this.#ending.abort()
    this.#entered += this.#waiting.length
    for (const go of this.#waiting.splice(0)) go()
  }

  /** The clock of the world: it starts at a fixed time, and each request takes a second. */
  now = (): Date => new Date(startsAt + this.requests * 1000)

  get exceeded(): boolean {
    return this.requests > this.#limits.requests
  }

  /** Counts a request; refuses it where the run has used up its own. */
  admit() {
    this.requests++
    if (this.exceeded) throw new RequestRefusal(429, `a run may send ${this.#limits.requests} requests`)
  }

  /** Notes an answer that is about to be sent. */
  note(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    if (this.log.length >= KEPT_REQUESTS) return
    const requestBody = toBytes(request.body)
    const responseBody = toBytes(payload)
    this.log.push({
      method: request.method,
      path: (request.raw.url ?? '').slice(0, KEPT_BYTES),
      status: reply.statusCode,
      ...(requestBody === undefined ? {} : { requestBody }),
      ...(responseBody === undefined ? {} : { responseBody }),
    })
  }
}
