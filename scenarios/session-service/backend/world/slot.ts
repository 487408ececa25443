/**
 * A database and the service on it, used by one run at a time. The service is built once: a run only brings
 * its own sessions, ids, limits and notes, so that opening a world costs next to nothing.
 */
import type { Duplex } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { JsonObject, Limits, ToolReply } from '@stateeval/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from 'mongodb'
import { createApp } from '../app.ts'
import { requestOf } from '../../tools.ts'
import { createStore, type Session, type SessionStore, type Store } from '../store.ts'
import type { InitialItem } from './initial.ts'
import { Run } from './run.ts'
import { RunStore } from './run-store.ts'

/**
 * How long the database may take for a query of a run. The run's own time is up before: a verdict must not
 * depend on how fast the machine is, so a slow query ends in the sandbox's timeout, which is given with care,
 * and not in an answer of ours.
 */
const QUERY_MS = 15_000
/**
 * The largest body of a run. A dense document of a megabyte takes the reader most of a second, in which no
 * other run is served.
 */
const BODY_BYTES = 262_144
/** How long requests that the service is working on may take to end. */
const SETTLE_MS = QUERY_MS + 5_000

export class Slot {
  readonly #database: Store
  readonly #memoryBytes: number | undefined
  /** Whether the database may hold what isn't known here: then all of it is dropped. */
  #unclean = true
  readonly #connections = new Set<Duplex>()
  #app: FastifyInstance | undefined
  #run: Run | undefined
  #sessions: RunStore | undefined
  readonly #handling = new Set<FastifyRequest>()

  /** `memoryBytes`: what a run may hold before it moves to the database. */
  constructor(db: Db, memoryBytes?: number) {
    // A run has few sessions: to fill, read and empty one collection are a command each.
    this.#database = createStore(
      db,
      () => (this.#run as Run).newId(),
      () => 'sessions',
    )
    this.#memoryBytes = memoryBytes
  }

  /** Begins a run with these items. Rejects where the database fails. */
  async begin(items: readonly InitialItem[], seed: string, limits: Limits): Promise<Run> {
    this.#app ??= await this.#build()
    const run = new Run(seed, limits)
    const open = async () => {
      if (this.#unclean) await this.#database.drop()
      this.#unclean = true
      return this.#database
    }
    this.#sessions = new RunStore(items, run.newId, open, this.#memoryBytes)
    this.#run = run
    await this.#sessions.begin()
    return run
  }

  /** Whether the run's sessions are in the database, at least some. */
  get usesDatabase(): boolean {
    return this.#sessions?.inDatabase ?? false
  }

  /** Hands a connection of the run to the service; nothing listens anywhere. */
  accept(connection: Duplex) {
    // A client may vanish at any time; that is its own affair.
    connection.on('error', () => connection.destroy())
    if (!this.#run || !this.#app) {
      connection.destroy()
      return
    }
    this.#connections.add(connection)
    connection.once('close', () => this.#connections.delete(connection))
    this.#app.server.emit('connection', connection)
  }

  /** Calls an API without a connection. Rejects where the service failed. */
  async call(run: Run, tool: string, args: JsonObject): Promise<ToolReply> {
    const request = requestOf(tool, args)
    if ('fault' in request) return { content: request.fault, error: true }
    const { method, url, body } = request
    const faults = run.faults.length
    const { statusCode, payload } = await (this.#app as FastifyInstance).inject({
      method: method as 'GET',
      url,
      ...(body !== undefined && { payload: body, headers: { 'content-type': 'application/json' } }),
    })
    if (run.faults.length > faults) throw new Error(run.faults.slice(faults).join('; '))
    return { content: payload, ...(statusCode >= 400 && { error: true }) }
  }

  /** Waits for the requests that the service works on. False where they don't end in time. */
  async settled(): Promise<boolean> {
    const end = performance.now() + SETTLE_MS
    // What has arrived but was not read yet is read in the next turns of the loop.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    while (this.#handling.size > 0) {
      if (performance.now() > end) return false
      await setTimeout(1)
    }
    return true
  }

  /** All items in the database, in insertion order. */
  items(): Promise<Session[]> {
    return (this.#sessions as RunStore).all()
  }

  /**
   * Ends the run: its connections are cut and what it left is deleted. Rejects where the slot can't be used
   * again.
   */
  async end(run: Run): Promise<void> {
    for (const connection of this.#connections) connection.destroy()
    if (!(await this.settled())) throw new Error('requests of a run did not end')
    const { usesDatabase } = this
    this.#run = undefined
    this.#sessions = undefined
    if (!usesDatabase || run.faults.length > 0) return
    await this.#database.clear()
    this.#unclean = false
  }

  async close() {
    await this.#app?.close()
    await this.#database.drop()
  }

  async #build() {
    const sessions = () => this.#sessions as RunStore
    const store: SessionStore = {
      add: (...session) => sessions().add(...session),
      find: (...query) => sessions().find(...query),
      list: (...place) => sessions().list(...place),
      get: (...one) => sessions().get(...one),
      update: (...change) => sessions().update(...change),
      remove: (...one) => sessions().remove(...one),
    }
    const app = createApp({
      store,
      newId: () => (this.#run as Run).newId(),
      now: () => (this.#run as Run).now(),
      limits: { queryMs: QUERY_MS, bodyBytes: BODY_BYTES },
      admit: () => this.#run?.admit(),
      events: {
        added: (id) => this.#run?.created.push(id),
        removed: (session) => this.#run?.gone.push({ id: session.id, last: session }),
        failed: (error) => this.#run?.faults.push(error.message),
      },
    })
    // From the moment that a request is complete until its answer is ready, its effect may be anywhere in
    // between.
    app.addHook('preHandler', async (request) => {
      this.#handling.add(request)
    })
    app.addHook('onSend', async (request, reply, payload) => {
      this.#handling.delete(request)
      this.#run?.note(request, reply, payload)
    })
    await app.ready()
    // Node would write the machine's time. Here, before Fastify: it answers some requests without its hooks.
    app.server.prependListener('request', (_, response) => {
      if (this.#run) response.setHeader('date', this.#run.now().toUTCString())
    })
    return app
  }
}
