/**
 * The world of the session service (sandbox/world.ts): for each run its own database from a pool, and a
 * service that is reached only through the connections handed to the run's channel.
 */
import { randomBytes } from 'node:crypto'
import type { JsonValue, ExecutionLimits } from '@stateeval/contracts'
import type { WorldCanary, OpenWorld, SandboxWorld, WorldObservation } from '@stateeval/sandbox'
import { keepConnected } from '@stateeval/service-kit'
import { MongoClient } from 'mongodb'
import { tools } from '../tools.ts'
import { formatSession } from './context.ts'
import type { StoredSession } from './store.ts'
import { type ClaimClock, type ReplicaClaims, createClaims } from './world/claims.ts'
import { readInitial } from './world/initial.ts'
import { createPool, type SlotPool } from './world/pool.ts'
import type { WorldRun } from './world/run.ts'
import { DatabaseSlot } from './world/slot.ts'

export interface SessionWorldOptions {
  /** A client that stays open, or the address of a server. */
  mongodb: MongoClient | string
  /**
   * Databases are named `<prefix>_sessions` (who uses which) and `<prefix>_sessions_<n>`. Processes may share
   * it.
   */
  prefix: string
  /** How many runs this process has open at once; more wait. */
  poolSize: number
  /** For the claims on databases. Default: the server’s. */
  clock?: ClaimClock
}

/** Observation of the session world, with more than every world reports. */
export interface SessionObservation extends WorldObservation {
  /** All requests of the run; the log keeps the first 200. */
  requests: number
}
export interface OpenSessionWorld extends OpenWorld {
  observe(): Promise<SessionObservation>
}
export interface SessionWorld extends SandboxWorld {
  open(initial: JsonValue, limits: ExecutionLimits, seed: string): Promise<OpenSessionWorld>
}

const place = { source: 'canary', type: 'settings' }
/** Reads, adds, finds and deletes: each kind of command that a run has sent. */
const canary: WorldCanary = {
  world: { items: [{ ...place, data: { number: 1 } }] },
  calls: [
    ['listSessions', place],
    ['addSession', { ...place, data: { number: 2 } }],
    ['fetchSessions', { ...place, filter: { 'data.number': { $gt: 1 } } }],
  ],
}

/** Connects at the first run, and again after each loss. */
export function createSessionWorld(options: SessionWorldOptions): SessionWorld {
  const { mongodb, prefix, poolSize, clock } = options
  const client =
    typeof mongodb === 'string'
      ? new MongoClient(mongodb, { serverSelectionTimeoutMS: 5000, connectTimeoutMS: 10_000 })
      : mongodb
  let closeClient: (() => Promise<void>) | undefined
  const holdings = () => {
    const claims = createClaims(client.db(`${prefix}_sessions`), randomBytes(12).toString('hex'), clock)
    return {
      claims,
      pool: createPool(poolSize, async () => {
        const { number, generation } = await claims.take()
        return new DatabaseSlot(client.db(`${prefix}_sessions_${number}`), generation)
      }),
    }
  }
  let current = holdings()
  return {
    id: 'session-service',
    canary,
    tools: () => tools,
    async open(initial, limits, seed) {
      const items = readInitial(initial)
      if (typeof mongodb === 'string') closeClient ??= keepConnected(client)
      // The server was away for longer than a claim lasts: another process may have the databases now.
      if (!current.claims.valid()) {
        const { claims, pool } = current
        current = holdings()
        pool.drain()
        void claims.close().catch(() => undefined)
      }
      const { claims, pool } = current
      const slot = await pool.acquire((one) => one.suits(items))
      try {
        const run = await slot.begin(items, seed, limits)
        return openWorld({ slot, run, initial: items.map(({ id }) => id), claims, pool })
      } catch (error) {
        pool.release(slot)
        throw error
      }
    },
    async close() {
      const { claims, pool } = current
      await Promise.allSettled(pool.drain().map((slot) => slot.close()))
      await claims.close().catch(() => undefined)
      if (typeof mongodb === 'string') await (closeClient?.() ?? client.close())
    },
  }
}

interface WorldParts {
  slot: DatabaseSlot
  run: WorldRun
  initial: string[]
  claims: ReplicaClaims
  pool: SlotPool
}

function openWorld({ slot, run, initial, claims, pool }: WorldParts): OpenSessionWorld {
  let ending: Promise<void> | undefined
  const end = () =>
    slot.end(run).then(
      () => pool.release(slot),
      () => pool.discard(slot),
    )
  return {
    channel: {
      kind: 'http',
      accept: (connection) => {
        if (ending) connection.destroy()
        else slot.accept(connection)
      },
    },
    call: (tool, args) =>
      ending ? Promise.reject(new Error('the run has ended')) : slot.call(run, tool, args),
    async observe() {
      if (!(await slot.settled(run))) run.faults.push('requests of the run did not end')
      const items = await slot.items().catch((error: unknown) => {
        run.faults.push(String(error))
        return []
      })
      if (!claims.valid()) run.faults.push('the claim on the session databases was lost during the run')
      return {
        world: {
          state: { items: items.map(toJson) },
          ids: { initial: [...initial], created: [...run.created].sort() },
          gone: run.gone.map(({ id, last }) => ({ id, last: removeSessionId(last) })),
        },
        log: [...run.log],
        faults: [...run.faults],
        requests: run.requests,
        ...((run.exceeded || run.late) && { exceeded: run.exceeded ? 'requests' : 'time' }),
      }
    },
    close: () => (ending ??= end()),
  }
}

/** A session as JSON numbers and texts, whatever the driver made of them; an infinite number is its text. */
function toJson(session: StoredSession) {
  const text = formatSession(session)
  const { id, source, type, data } = (
    mayBeInfinite.test(text) ? JSON.parse(text, checkFinite) : JSON.parse(text)
  ) as Record<string, JsonValue>
  return { id, source, type, data }
}
const mayBeInfinite = /[eE]\+?\d{3}/
/** Readers get the source text of a number, which the compiler's library does not know yet. */
const checkFinite = ((_: string, value: JsonValue, { source }: { source: string }) =>
  typeof value === 'number' && !Number.isFinite(value) ? source : value) as (
  key: string,
  value: JsonValue,
) => JsonValue

function removeSessionId(session: StoredSession) {
  const { id: _, ...last } = toJson(session)
  return last
}
