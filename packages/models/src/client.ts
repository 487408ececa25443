/** The composed model client: limits, retries, and one request at a time on the wire. */
import type { ProbeFinding, ModelSettings } from '@stateeval/contracts'
import { checkEndpoint } from './check.ts'
import { readContextLength } from './probe/context-length.ts'
import { deriveManners } from './probe/manners.ts'
import { measured } from './wrappers/measured.ts'
import { type AskedQuestion, observed } from './wrappers/observed.ts'
import { retried } from './wrappers/retried.ts'
import { paced } from './wrappers/paced.ts'
import type { NetworkRules } from './networks.ts'
import type { AskModel } from './request.ts'
import { createTransport, type ResolveHost } from './transport.ts'
import { createWire } from './wire.ts'

export interface ModelClient {
  /** Asks a model. Never rejects: how it ended is a value. */
  ask: AskModel
  /**
   * Describes what a person has to do before the model can be asked, as a sentence; null where nothing is
   * known to be missing.
   */
  check(settings: ModelSettings): Promise<string | null>
  /** The context length that the endpoint's list of models names; null if it names none. */
  contextLength(settings: ModelSettings): Promise<number | null>
  /** Writes requests from now on as a probe has found. */
  takeFindings(settings: ModelSettings, findings: readonly ProbeFinding[]): void
}
export interface ModelClientOptions {
  /** The environment from which keys, and the hosts that they are for, are read at call time. */
  env: Readonly<Record<string, string | undefined>>
  /** Waits; ends early with the signal. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds, monotonic: for rates. */
  clock: () => number
  /** Milliseconds since 1970: for dates in Retry-After. */
  now: () => number
  /** From 0 up to 1: for pauses. */
  random: () => number
  /** Tries after the first, where the model doesn't say. Default: 6. */
  retries?: number
  /** Wait before the first retry at most, doubled with each, in milliseconds. Default: 500. */
  backoffMs?: number
  /** Networks in which models may be, besides public addresses. */
  networks: NetworkRules
  resolve?: ResolveHost
  /** Told of each question that was asked. */
  observe?: (question: AskedQuestion) => void
  /** Reads the findings about an endpoint; null if it was not probed. */
  findings?: (settings: ModelSettings) => Promise<readonly ProbeFinding[] | null>
  /** In place of HTTP, in tests; its connections are not checked. */
  fetch?: typeof fetch
}

export function createModelClient(options: ModelClientOptions): ModelClient {
  const { env, pause, clock, now, random, retries = 6, backoffMs = 500, networks, resolve } = options
  const transport = options.fetch ?? createTransport(networks, env, resolve)
  // From the outside in: a pause before a retry holds no slot.
  const { findings } = options
  const wire = {
    ...{ env, now, networks, transport },
    ...(findings && {
      found: async (settings: ModelSettings) => {
        const found = await findings(settings)
        return found && deriveManners(found)
      },
    }),
  }
  const { attempt, manners } = createWire(wire)
  const asking = retried(paced(measured(attempt, clock), { clock, pause }), {
    ...{ pause, random, retries, backoffMs },
  })
  const { observe } = options
  const ask = observe ? observed(asking, { clock, observe }) : asking
  return {
    ask,
    check: (settings) => checkEndpoint(settings, wire),
    contextLength: (settings) => readContextLength(settings, wire),
    takeFindings: (settings, found) => manners.take(settings, deriveManners(found)),
  }
}
