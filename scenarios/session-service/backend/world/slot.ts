/**
 * A database and the service on it, used by one run at a time. The service is built once: a run only brings
 * its own ids, limits and notes, so that opening a world costs a few commands to the database and nothing
 * else.
 */
import type { Duplex } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { JsonObject, ExecutionLimits, ToolReply } from '@stateeval/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Db, MongoServerError } from 'mongodb'
import { createService } from '../app.ts'
import { buildToolRequest } from '../../tools.ts'
import type { StoredSession, SessionStore } from '../store.ts'
import type { InitialItem } from './initial.ts'
import { WorldRun } from './run.ts'

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
/** How long the database may take to end a query or a change of one document. */
const SETTLE_MS = 20_000

/** Leftovers of a run in the database: initial items that nobody touched, and sessions that it wrote. */
interface RunLeftovers {
  /** The initial items of that run. */
  items: string
  untouched: ReadonlySet<string>
  written: readonly string[]
}
const nothing: RunLeftovers = { items: '', untouched: new Set(), written: [] }
/** More are not deleted one by one. */
const maxWritten = 100

/** Another process may have dropped it meanwhile. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof MongoServerError && error.codeName === 'NamespaceNotFound')) throw error
}

const formatCollection = (generation: number) => `sessions_${generation}`
/** 0 for a collection of any other name. */
const parseGeneration = (collection: string) => Number(/^sessions_(\d+)$/.exec(collection)?.[1] ?? 0)

const joinItemIds = (items: readonly InitialItem[]) => items.map(({ id }) => id).join()

export class DatabaseSlot {
  readonly #db: Db
  /**
   * The collection of this generation. Those of earlier ones belong to processes that lost their claim on the
   * database and may not know it yet: what they do to them is never seen here.
   */
  readonly #collection: string
  readonly #generation: number
  /** True if the collection may hold documents that are not known here: then it is dropped. */
  unclean = true
  readonly #connections = new Set<Duplex>()
  #service: { app: FastifyInstance; store: SessionStore } | undefined
  #run: WorldRun | undefined
  #left = nothing
  #items: readonly InitialItem[] = []
  readonly #handling = new Set<FastifyRequest>()

  constructor(db: Db, generation: number) {
    this.#db = db
    this.#generation = generation
    this.#collection = formatCollection(generation)
  }

  /** Begins a run with these items. Rejects where the database fails. */
  async begin(items: readonly InitialItem[], seed: string, limits: ExecutionLimits): Promise<WorldRun> {
    if (this.unclean) {
      await this.#service?.app.close()
      this.#service = undefined
      await this.#drop()
      this.#left = nothing
    }
    this.unclean = true
    this.#service ??= await this.#build()
    const run = new WorldRun(seed, limits)
    for (const { data, characters } of items) run.holds(data, characters)
    this.#run = run
    this.#items = items
    await this.#fill(items, this.#service.store)
    return run
  }

  /** Tells whether the last run began with the same items: then few of them have to be written. */
  suits = (items: readonly InitialItem[]): boolean => !this.unclean && this.#left.items === joinItemIds(items)

  /** Makes the database hold these items and nothing else. */
  async #fill(items: readonly InitialItem[], store: SessionStore) {
    const { untouched, written, items: before } = this.#left
    const keeps = before === joinItemIds(items) && written.length <= maxWritten
    if (!keeps && untouched.size + written.length > 0) await store.clear()
    else if (written.length > 0) await store.clear(written)
    const missing = keeps ? items.filter(({ id }) => !untouched.has(id)) : items
    if (missing.length > 0) await store.fill(missing)
  }

  /** Hands a connection of the run to the service; nothing listens anywhere. */
  accept(connection: Duplex) {
    // A client may vanish at any time; that is its own affair.
    connection.on('error', () => connection.destroy())
    if (!this.#run || !this.#service) {
      connection.destroy()
      return
    }
    this.#connections.add(connection)
    connection.once('close', () => this.#connections.delete(connection))
    this.#service.app.server.emit('connection', connection)
  }

  /** Calls an API without a connection. Rejects where the service failed. */
  async call(run: WorldRun, tool: string, args: JsonObject): Promise<ToolReply> {
    const request = buildToolRequest(tool, args)
    if ('fault' in request) return { content: request.fault, error: true }
    const { method, url, body } = request
    const { app } = this.#service as { app: FastifyInstance }
    const faults = run.faults.length
    const { statusCode, payload } = await app.inject({
      method: method as 'GET',
      url,
      ...(body !== undefined && { payload: body, headers: { 'content-type': 'application/json' } }),
    })
    if (run.faults.length > faults) throw new Error(run.faults.slice(faults).join('; '))
    return { content: payload, ...(statusCode >= 400 && { error: true }) }
  }

  /**
   * Waits for the requests that the service works on. After `leftMs`, those that change nothing or have not
   * begun are ended. False where the others don't end in time.
   */
  async settled(run: WorldRun, leftMs = run.leftMs): Promise<boolean> {
    // Bytes that have arrived but were not read yet are read in the next turns of the loop.
    for (let turn = 0; turn < 2; turn++) await setImmediate()
    if (await this.#idle(leftMs)) return true
    run.late = true
    run.end()
    return this.#idle(SETTLE_MS)
  }

  async #idle(ms: number): Promise<boolean> {
    const end = performance.now() + ms
    while (this.#handling.size > 0) {
      if (performance.now() > end) return false
      await setTimeout(1)
    }
    return true
  }

  /** All items in the database, in insertion order. */
  items(): Promise<StoredSession[]> {
    return (this.#service as { store: SessionStore }).store.all()
  }

  /** Ends the run: its connections are cut. Rejects where the slot can't be used again. */
  async end(run: WorldRun): Promise<void> {
    for (const connection of this.#connections) connection.destroy()
    if (!(await this.settled(run, 0))) throw new Error('requests of a run did not end')
    this.#run = undefined
    if (run.faults.length > 0) return
    const { created, updated } = run
    const removed = new Set(run.gone.map(({ id }) => id))
    this.#left = {
      items: joinItemIds(this.#items),
      untouched: new Set(this.#items.flatMap(({ id }) => (updated.has(id) || removed.has(id) ? [] : [id]))),
      written: [...new Set([...created, ...updated])].filter((id) => !removed.has(id)),
    }
    this.unclean = false
  }

  async close() {
    await this.#service?.app.close()
    await this.#drop()
  }

  /** Drops what this generation and earlier ones have stored. A later one may have the database by now. */
  async #drop() {
    const names = await this.#db.listCollections({}, { nameOnly: true }).toArray()
    for (const { name } of names)
      if (parseGeneration(name) <= this.#generation) await this.#db.dropCollection(name).catch(ignoreMissing)
  }

  async #build() {
    const service = createService({
      db: this.#db,
      // A run has few sessions: to fill, read and empty one collection are a command each, to do it for each
      // type took a quarter of all commands.
      collectionOf: () => this.#collection,
      newId: () => (this.#run as WorldRun).newId(),
      now: () => (this.#run as WorldRun).now(),
      limits: { queryMs: QUERY_MS, bodyBytes: BODY_BYTES },
      admit: () => this.#run?.admit(),
      queryBounds: () => this.#run?.queryBounds() ?? {},
      events: {
        stores: (data, characters) => this.#run?.stores(data, characters),
        added: (id) => this.#run?.created.push(id),
        updated: (id) => this.#run?.updated.add(id.toLowerCase()),
        removed: (session) => this.#run?.gone.push({ id: session.id, last: session }),
        failed: (error) => this.#run?.faults.push(error.message),
      },
    })
    // From the moment that a request is complete until its answer is ready, its effect may be anywhere in
    // between.
    service.app.addHook('preHandler', async (request) => {
      this.#handling.add(request)
      await this.#run?.enter()
    })
    service.app.addHook('onSend', async (request, reply, payload) => {
      // A request that was refused before it had its turn was never handled.
      if (this.#handling.delete(request)) this.#run?.leave()
      this.#run?.note(request, reply, payload)
    })
    await service.app.ready()
    // Node would write the machine's time. Here, before Fastify: it answers some requests without its hooks.
    service.app.server.prependListener('request', (_, response) => {
      if (this.#run) response.setHeader('date', this.#run.now().toUTCString())
    })
    return service
  }
}
