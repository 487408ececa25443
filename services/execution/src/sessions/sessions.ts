/**
 * Tool sessions: opened, called, closed. A session is its log, so each request may be repeated on any
 * replica: a world that is behind the log catches up, and a lost one is opened again. Exactly one entry
 * counts at each position of the log.
 */
import {
  toJson,
  type CallToolSession,
  type ExecutionEnding,
  type ExecutionResult,
  type JsonValue,
  maxAnswerBytes,
  type ModelTool,
  type OpenToolSession,
  type PayloadParts,
  ProblemError,
  type ToolResult,
} from '@stateeval/contracts'
import {
  completeLimits,
  InitialError,
  createOwnFailure,
  isServing,
  type SandboxWorld,
} from '@stateeval/sandbox'
import {
  type ArtifactCache,
  type ProjectArtifacts,
  qualifyName,
  isAway,
  type ServiceLog,
  getErrorText,
  drawRandomHex,
} from '@stateeval/service-kit'
import { LRUCache } from 'lru-cache'
import { keepObservation } from '../keep-observation.ts'
import { buildObservation } from '../observation.ts'
import { withTensors } from '../tensors.ts'
import { observeSession } from './observed.ts'
import { OpenWorlds, type WorldReplica } from './open-worlds.ts'
import { askWorld, LateCall, WorldFault } from './call.ts'
import {
  appendCall,
  replayMissingCalls,
  createConflict,
  endReplayedSession,
  requireSameCall,
  OtherReply,
  type ReplayParts,
} from './replay.ts'
import {
  computeRequestFingerprint,
  type LogEntry,
  logLength,
  type SessionEnd,
  type SessionStore,
  type StoredSession,
} from './store.ts'

export interface SessionParts {
  store: SessionStore
  artifacts: ProjectArtifacts
  /** Artifacts that inputs name. */
  artifactCache: ArtifactCache
  log: ServiceLog
  /** A world by id; a problem that names the field where there is none. */
  world: (id: string, field: string) => Promise<SandboxWorld>
  now: () => Date
  /** For durations, in milliseconds. Default: the monotonic one of this process. */
  clock?: () => number
  /** Fingerprint of the runtime, for observations. */
  runtime: string
  /** Worlds that are open at once at most. */
  maxOpen: number
  /** How long a world stays open that nobody calls, in milliseconds. */
  idleMs: number
}

/** Outputs of the calls, or how the session ended by itself. */
type CallsAnswer = { results: ToolResult[] } | { ending: ExecutionEnding }
/** The current session; `calls` is the length of its log. */
export interface SessionView {
  session: StoredSession
  tools: readonly ModelTool[]
  calls: number
  end: SessionEnd | null
}

/** Another entry came before the end of a session. */
class OvertakenError extends Error {
  override readonly name = 'Overtaken'
}
const maxOvertaken = 3
/** A session that was read is not read again for this time, in milliseconds: it may have been removed. */
const believedMs = 2000

export class ToolSessions {
  readonly #parts: SessionParts
  readonly #replay: ReplayParts
  readonly #worlds: OpenWorlds
  /** Sessions that were read recently, by project and id. */
  readonly #seen: LRUCache<string, StoredSession>

  constructor(parts: SessionParts) {
    const { store, world, clock = () => performance.now(), maxOpen, artifactCache } = parts
    this.#parts = parts
    this.#replay = { store, clock }
    // Purged in time: the variables of so many sessions may take more memory than there is.
    this.#seen = new LRUCache({ max: maxOpen, ttl: believedMs, ttlAutopurge: true })
    this.#worlds = new OpenWorlds({
      world: (id) => world(id, '/world'),
      async variables(input) {
        const [{ variables } = input] = await withTensors([input], artifactCache)
        return variables as Readonly<Record<string, JsonValue>>
      },
      max: maxOpen,
      clock,
    })
  }

  /**
   * Opens a session; one of this id stays as it is. `owner`: with whose end it is of no more use. Throws a
   * problem where the request fits no world.
   */
  async open(id: string, request: OpenToolSession, owner?: string): Promise<SessionView> {
    const { store, now } = this.#parts
    const { world, input, limits, seed = drawRandomHex(16) } = request
    const fingerprint = computeRequestFingerprint(request)
    const tools = await this.#toolsOf(world)
    let session = await store.find(id)
    if (!session) {
      const parts = { world, input, limits: completeLimits(limits), seed }
      const owned = owner !== undefined && { owner }
      const newSession = { _id: id, ...parts, createdAt: now(), fingerprint, ...owned }
      try {
        // Opened first: what is stored can be opened.
        const opened = await this.#worlds.use(newSession, async ({ shown }) => {
          const complete = { ...newSession, ...(shown && { shown }) }
          const there = await store.create(complete)
          // This world may have another seed or input than the stored session's.
          if (there) void this.#worlds.giveUp(id)
          return { complete, there }
        })
        if (!opened.there) {
          this.#seen.set(qualifyName(id), opened.complete)
          return { session: opened.complete, tools, calls: 0, end: null }
        }
        session = opened.there
      } catch (error) {
        if (error instanceof InitialError)
          throw new ProblemError('unprocessable', error.message, '/input/world')
        throw toProblem(error)
      }
    }
    if (session.fingerprint !== fingerprint)
      throw createConflict('another request opened a session with this id; choose another id')
    return { ...(await this.#now(session)), tools }
  }

  /**
   * Makes calls, or answers them from the log. Throws a conflict where other calls have their places, or the
   * session is closed.
   */
  async call(id: string, { index, calls }: CallToolSession): Promise<CallsAnswer> {
    const { store } = this.#parts
    const session = await this.#existing(id)
    const results: ToolResult[] = []
    const take = (entry: LogEntry): CallsAnswer | null => {
      if ('end' in entry) return answerSessionEnd(entry.end)
      const call = calls[results.length]!
      requireSameCall(call, entry, index + results.length)
      results.push({ id: call.id, ...entry.reply })
      return null
    }
    // If the world here has made exactly the calls before the index, appending finds another entry there.
    const isNext = this.#worlds.positionOf(id) === index
    while (!isNext && results.length < calls.length) {
      const entry = await store.entry(id, index + results.length)
      if (entry === null) break
      const answer = take(entry)
      if (answer) return answer
    }
    if (results.length === calls.length) return { results }
    /** The position of a call that was late in an earlier world. */
    let lateAt: number | undefined
    const work = async (replica: WorldReplica): Promise<CallsAnswer> => {
      const over = await replayMissingCalls(this.#replay, session, replica, index + results.length)
      if (over) return answerSessionEnd(over)
      while (results.length < calls.length) {
        const at = index + results.length
        // The same calls may have been made for another asker meanwhile.
        const entry =
          replica.at > at
            ? await store.entry(id, at)
            : await appendCall(this.#replay, session, replica, calls[results.length]!, at === lateAt).catch(
                (error: unknown) => {
                  if (error instanceof LateCall) lateAt = at
                  throw error
                },
              )
        const answer = take(entry!)
        if (!answer) continue
        void this.#worlds.giveUp(id)
        return answer
      }
      return { results }
    }
    return this.#inWorld(session, work, answerSessionEnd)
  }

  /**
   * Ends a session and observes its world; one that has ended gives what was observed then. Gives the parts
   * of an ExecutionResult.
   */
  async close(id: string, result?: unknown): Promise<PayloadParts> {
    const { store, runtime } = this.#parts
    const session = await this.#existing(id)
    // If the world is open here, catching up finds the end.
    if (this.#worlds.positionOf(id) === null) {
      const { end } = await this.#now(session)
      if (end) return this.#observedAt(session, end)
    }
    const work = async (replica: WorldReplica): Promise<SessionEnd> => {
      const over = await replayMissingCalls(this.#replay, session, replica)
      if (over) return over
      const bounds = { maxBytes: maxAnswerBytes, room: maxAnswerBytes, inline: 16_000 }
      const { part } = await keepObservation(
        await askWorld(() => observeSession(session, replica, result)),
        bounds,
        this.#parts,
      )
      const observations: PayloadParts = { list: [part] }
      const payload: PayloadParts = { object: { observations, runtime: { inline: runtime } } }
      const counts = await store.append(id, replica.at, { end: { kind: 'closed', result: payload } })
      if (!('end' in counts)) throw new OvertakenError('a call was logged before the end; try again')
      return counts.end
    }
    const closed = await this.#inWorld(session, work, (how) => how)
    await this.#worlds.giveUp(id)
    return this.#observedAt(session, closed)
  }

  /**
   * Throws a conflict if the session belongs to an evaluation, a build or an episode: calls from elsewhere
   * would change what it is judged by.
   */
  async requireUnowned(id: string): Promise<void> {
    const { owner } = await this.#existing(id)
    if (owner !== undefined)
      throw createConflict(`the session belongs to ${owner}, which alone uses it; open a session of your own`)
  }

  /** A session as it is now. */
  async look(id: string): Promise<SessionView> {
    const now = await this.#now(await this.#existing(id))
    return { ...now, tools: await this.#toolsOf(now.session.world) }
  }

  /** The calls of a session from an index on. */
  async *calls(id: string, from: number) {
    for (let index = from; ; index++) {
      const entry = await this.#parts.store.entry(id, index)
      if (entry === null || 'end' in entry) return
      yield { index, ...entry }
    }
  }

  /** Worlds that are open in this process. */
  get openWorlds(): number {
    return this.#worlds.count
  }
  giveUpIdle(): Promise<void> {
    return this.#worlds.giveUpIdle(this.#parts.idleMs)
  }
  /** When the service stops: every world that is open here is lost, no session is. */
  stop(): Promise<void> {
    return this.#worlds.close()
  }

  async #existing(id: string): Promise<StoredSession> {
    const name = qualifyName(id)
    const seen = this.#seen.get(name)
    if (seen) return seen
    const session = await this.#parts.store.find(id)
    if (!session) throw new ProblemError('not-found', `there is no session ${JSON.stringify(id)}`)
    this.#seen.set(name, session)
    return session
  }

  async #now(session: StoredSession): Promise<Omit<SessionView, 'tools'>> {
    const { store } = this.#parts
    const { _id: id } = session
    const length = await logLength(store, id)
    const last = length > 0 ? await store.entry(id, length - 1) : null
    if (last && 'end' in last) return { session, calls: length - 1, end: last.end }
    return { session, calls: length, end: null }
  }

  async #toolsOf(world: string): Promise<readonly ModelTool[]> {
    const { tools } = await this.#parts.world(world, '/world')
    if (tools) return tools()
    throw new ProblemError(
      'unprocessable',
      `the world ${world} has no tools yet; it serves programs only`,
      '/world',
    )
  }

  /**
   * Works with the world of a session. A call that is late once is repeated in a new world: this process may
   * have been kept waiting. So is one over which the world fails, if it serves others; failing again, it ends
   * the session. A replay that differs ends it as well: nobody could tell which replies are right.
   */
  async #inWorld<T>(
    session: StoredSession,
    work: (replica: WorldReplica) => Promise<T>,
    answerFor: (how: SessionEnd) => T,
  ): Promise<T> {
    let isRepeated = false
    const end = async (ending: ExecutionEnding) =>
      answerFor(await endReplayedSession(this.#replay, session._id, ending))
    const isSound = async () => isServing(await this.#parts.world(session.world, '/world'))
    for (let overtaken = 0; ; overtaken++) {
      try {
        return await this.#worlds.use(session, work)
      } catch (error) {
        if (error instanceof OvertakenError && overtaken < maxOvertaken) continue
        if (error instanceof LateCall && !isRepeated) {
          isRepeated = true
          continue
        }
        if (error instanceof WorldFault && (await isSound())) {
          if (isRepeated) return end(createOwnFailure(error.message))
          isRepeated = true
          continue
        }
        if (!(error instanceof OtherReply)) throw toProblem(error)
        const reason = `the world replied differently when it was replayed: ${error.message}`
        return end({ status: 'infrastructure', reason })
      }
    }
  }

  /** The observation at the end. A world whose session ended by itself is not observed. */
  #observedAt({ seed }: StoredSession, how: SessionEnd): PayloadParts {
    if (how.kind === 'closed') return how.result
    const observations = [buildObservation(how.ending, { seed, ms: 0 })]
    return { inline: toJson({ observations, runtime: this.#parts.runtime } satisfies ExecutionResult) }
  }
}

/** A world's fault ends with it: the same request may succeed with the next one. */
const toProblem = (error: unknown) =>
  error instanceof ProblemError || isAway(error)
    ? error
    : new ProblemError('unavailable', `the session’s world failed: ${getErrorText(error)}; try again`)

function answerSessionEnd(how: SessionEnd): CallsAnswer {
  if (how.kind === 'ended') return { ending: how.ending }
  throw createConflict('the session is closed; open another one')
}
