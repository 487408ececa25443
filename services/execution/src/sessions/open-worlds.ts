/**
 * Open worlds of tool sessions in this process. Their number is limited, and idle ones give way. Closing
 * one loses nothing: a session is its log, and its world is replayed on the next request.
 */
import { type ExecutionInput, type JsonValue, ProblemError } from '@stateeval/contracts'
import { InitialError, type OpenWorld, type SandboxWorld } from '@stateeval/sandbox'
import { qualifyName } from '@stateeval/service-kit'
import type { StoredSession } from './store.ts'

/** An open world, and its position in the log. */
export interface WorldReplica {
  open: OpenWorld
  /** The input’s variables as the world shows them, where it does not show them as they are. */
  shown?: Readonly<Record<string, JsonValue>>
  /** Calls of the log that it has done. */
  at: number
  /** Bytes of arguments and replies. */
  bytes: number
  /** Time that they took here. */
  ms: number
}

interface HeldReplica {
  replica: WorldReplica
  busy: boolean
  usedAt: number
}

interface OpenWorldsOptions {
  world(id: string): Promise<SandboxWorld>
  /** The variables of an input with the values of tensors that are kept as artifacts. */
  variables(input: ExecutionInput): Promise<Readonly<Record<string, JsonValue>>>
  /** How many are open at once at most. */
  max: number
  /** Milliseconds; it never jumps. */
  clock(): number
}

export class OpenWorlds {
  readonly #options: OpenWorldsOptions
  /** Replicas by session and project. */
  readonly #held = new Map<string, HeldReplica>()
  /** The last use of each session: one after the other. */
  readonly #lines = new Map<string, Promise<unknown>>()
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(options: OpenWorldsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#taken
  }

  /** The number of calls that a session's open world has made; null if no world is open here. */
  positionOf(id: string): number | null {
    return this.#held.get(qualifyName(id))?.replica.at ?? null
  }

  /**
   * Works with a session's world, alone. Where the work throws, the world is given up: it may be ahead of the
   * log.
   */
  use<T>(session: StoredSession, work: (replica: WorldReplica) => Promise<T>): Promise<T> {
    const place = qualifyName(session._id)
    const before = this.#lines.get(place) ?? Promise.resolve()
    const turn = before.then(() => this.#useAlone(place, session, work))
    const line = turn.catch(() => undefined)
    this.#lines.set(place, line)
    void line.then(() => this.#lines.get(place) === line && this.#lines.delete(place))
    return turn
  }

  async #useAlone<T>(
    place: string,
    session: StoredSession,
    work: (replica: WorldReplica) => Promise<T>,
  ): Promise<T> {
    const entry = this.#held.get(place) ?? (await this.#open(place, session))
    entry.busy = true
    try {
      return await work(entry.replica)
    } catch (error) {
      void this.#close(place)
      throw error
    } finally {
      entry.busy = false
      entry.usedAt = this.#options.clock()
      this.#waiting.shift()?.()
    }
  }

  async #open(place: string, { world, input, limits, seed }: StoredSession): Promise<HeldReplica> {
    await this.#room()
    try {
      const opened = await this.#options.world(world)
      const open = await opened.open(input.world as JsonValue, limits, seed)
      const shown = open.take && (await this.#handOver(open, input))
      const replica: WorldReplica = { open, at: 0, bytes: 0, ms: 0, ...(shown && { shown }) }
      const entry = { replica, busy: true, usedAt: this.#options.clock() }
      this.#held.set(place, entry)
      return entry
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  /** Hands over the variables. Where that fails, the world is closed. */
  async #handOver(open: OpenWorld, input: ExecutionInput) {
    try {
      return await open.take!(await this.#options.variables(input))
    } catch (error) {
      await open.close().catch(() => undefined)
      if (error instanceof InitialError)
        throw new ProblemError('unprocessable', error.message, '/input/variables')
      throw error
    }
  }

  /** Takes a place: a free one, or that of the world that was idle for longest. */
  async #room() {
    while (this.#taken >= this.#options.max) {
      const [idlest] = [...this.#held].filter(([, { busy }]) => !busy).sort(compareUse)
      if (idlest) await this.#close(idlest[0])
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#taken++
  }
  #leave() {
    this.#taken--
    this.#waiting.shift()?.()
  }

  /** Closes a session's world, if it is here. */
  giveUp(id: string): Promise<void> {
    return this.#close(qualifyName(id))
  }
  async #close(place: string): Promise<void> {
    const entry = this.#held.get(place)
    if (!entry) return
    this.#held.delete(place)
    await entry.replica.open.close().catch(() => undefined)
    this.#leave()
  }

  /** Closes the worlds that nobody has used for so many milliseconds. */
  async giveUpIdle(ms: number): Promise<void> {
    const before = this.#options.clock() - ms
    const idle = [...this.#held].filter(([, { busy, usedAt }]) => !busy && usedAt <= before)
    await Promise.all(idle.map(([place]) => this.#close(place)))
  }

  /** When the service stops. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((place) => this.#close(place)))
  }
}

const compareUse = ([, one]: [string, HeldReplica], [, other]: [string, HeldReplica]) =>
  one.usedAt - other.usedAt
