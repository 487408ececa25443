/**
 * The World: the counterpart of candidate code. The host owns its channel; a run reaches only its own
 * world.
 */
import type { Duplex } from 'node:stream'
import type {
  CapturedRequest,
  FoundProvider,
  JsonValue,
  JsonObject,
  Language,
  ExecutionLimits,
  LoggedRequest,
  ModelTool,
  TensorComputation,
  TensorProvider,
  ToolReply,
  WorldState,
} from '@stateeval/contracts'
import type { CallReply, CaptureReply, ProgramSurface } from '@stateeval/runtime'

/** How code in the jail reaches the world. */
export type WorldChannel =
  /** Any HTTP client to the global BASE_URL; each connection made in the jail is handed to `accept`. */
  | { kind: 'http'; accept(connection: Duplex): void }
  /**
   * No sockets either: requests of axios are recorded where they would be sent, and answered at once. `take`
   * gets them when the code has ended; none if the run was killed. The code can read `files` by name;
   * with `fetch`, its requests are recorded as well.
   */
  | {
      kind: 'capture'
      reply: CaptureReply
      files?: Record<string, string>
      fetch?: true
      take(requests: CapturedRequest[]): void
    }
  /**
   * Functions of the host, behind a module of ours in the jail; no sockets. `handle` gets what hostile code
   * may have written: bounded (limits.requests calls, limits.resultKiB each way, nested as RESULT may be),
   * else as it came. It must validate, and never rejects for what the code did.
   */
  | { kind: 'calls'; surface: ProgramSurface; handle(name: string, args: JsonValue): Promise<CallReply> }
  /** No channel: sockets are denied altogether. */
  | { kind: 'none' }

export interface OpenWorld {
  channel: WorldChannel
  /**
   * Calls one of the world’s tools and gives what the API answers, errors included. Present where the world
   * has `tools`. One call at a time. Rejects where the world itself failed; the world is then of no further
   * use.
   */
  call?(tool: string, args: JsonObject): Promise<ToolReply>
  /**
   * Takes the variables of a session's input, with the values of tensors, so that calls may name them; gives
   * them as they are shown. Called once, before any call. Rejects with an InitialError where one is none that
   * the world can take. Absent: they are shown as they are.
   */
  take?(variables: Readonly<Record<string, JsonValue>>): Promise<Readonly<Record<string, JsonValue>>>
  /**
   * The value that a caller gave as RESULT, with what it names in its place. Absent: nothing is named.
   * Rejects with a RangeError where that is too large.
   */
  resolve?(result: JsonValue): Promise<JsonValue>
  /**
   * Observes the world's state, its log and its faults: with a fault, the run is an infrastructure error.
   * Requests that have arrived are finished first. Called once, after the code has ended.
   */
  observe(): Promise<WorldObservation>
  close(): Promise<void>
}

export interface WorldObservation {
  world: WorldState
  log: LoggedRequest[]
  faults: string[]
  /**
   * `requests`: the run sent more than its limits allow, and the world stopped serving it. `time`: what it
   * had asked for was still under way when its time was over, and was ended.
   */
  exceeded?: 'requests' | 'time'
  /** The computation of the run's tensors; absent where it had none. */
  tensors?: TensorComputation
}

/** Known work in a world: calls that all succeed. */
export interface WorldCanary {
  world: JsonValue
  variables?: Readonly<Record<string, JsonValue>>
  calls: readonly (readonly [tool: string, args: JsonObject])[]
}

export interface SandboxWorld {
  id: string
  /**
   * Shows whether its servers serve, besides opening and observing it. Absent where the world lies in this
   * process.
   */
  canary?: WorldCanary
  /** Languages that it can be reached from. Default: all. */
  languages?: readonly Language[]
  /**
   * Modules that every program of it finds loaded: libraries that take long to load, and are there in jails
   * of such worlds only.
   */
  preloads?: { python?: readonly ('torch' | 'torch.cuda')[] }
  /** The providers of tensors, where the world has tensors. */
  tensors?: TensorProviders
  /** Its APIs as tools that are called one by one. Worlds without it serve programs only. */
  tools?(this: void): readonly ModelTool[]
  /**
   * A fresh world with these initial items, exclusively for one run or session. Its ids, times and errors
   * come from the seed and what was asked so far, nothing else: the same seed and the same calls in the same
   * order give the same reply bytes. Who knows the seed can guess ids. Rejects with an InitialError where
   * `initial` describes no world, else where the world is unavailable.
   */
  open(initial: JsonValue, limits: ExecutionLimits, seed: string): Promise<OpenWorld>
  close(): Promise<void>
}

export interface TensorProviders {
  /** Tries them the first time. */
  state(this: void): Promise<{
    /** The findings by provider, best first. */
    providers: FoundProvider[]
    /** Computes what asks for nothing else, or why nothing can. */
    default: { provider: TensorProvider } | { problem: string }
  }>
  /** The same world, whose tensors this provider computes. */
  on(this: void, provider: TensorProvider): SandboxWorld
  /** Counts by provider: graphs that were run since the start, and sessions made and used again for them. */
  counts(this: void): Readonly<Record<string, { graphs: number; created: number; reused: number }>>
}

/** The services that the process which runs worlds provides to each of them. */
export interface WorldHost {
  /** Address of its MongoDB server. */
  mongodb: string
  /** Prefix of the names of databases. */
  namespace: string
  /** How many worlds are open at once at most. */
  concurrency: number
  /** Values of the settings that a backend declares, by name. */
  settings: Readonly<Record<string, unknown>>
}
/** The `createWorld` export of a `backend/`. Nothing is opened before the first run. */
export type MakeWorld = (host: WorldHost) => SandboxWorld
