/** Waits for a service that is temporarily unavailable, for example during a restart. */
import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError, UnreachableError } from '@stateeval/client'
import { Failure } from '../command.ts'
import type { CommandTerminal } from '../terminal.ts'

/** How long a service may be away, in milliseconds. */
const patienceMs = 60_000

interface WaitingMessage {
  /** The work that is running meanwhile, such as `evaluation ev_1`. */
  what: string
  /** How to look later: a command. */
  later: string
  terminal: CommandTerminal
  signal: AbortSignal
  patienceMs?: number
}

/** A proxy may answer in its place while it is away. */
const isAway = (error: unknown) =>
  error instanceof UnreachableError ||
  (error instanceof ServiceError && [502, 503, 504, 507].includes(error.problem.status))

/**
 * Returns the answer; while the service is unavailable, asks again each second.
 * @throws Failure that names the subject, if the service stays unavailable or the signal aborts; other
 * errors unchanged
 */
export async function askPatiently<T>(ask: () => Promise<T>, waiting: WaitingMessage): Promise<T> {
  const { what, later, terminal, patienceMs: longest = patienceMs } = waiting
  for (let since: number | undefined; ;) {
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error)) throw error
      const now = performance.now()
      if (since === undefined) {
        since = now
        terminal.step(
          `The service cannot be reached. Trying again for ${longest / 1000} s; ${what} is safe in it. Look later with: ${later}`,
        )
      }
      const leftMs = longest - (now - since)
      if (leftMs <= 0)
        throw new Failure(
          `${what} cannot be watched: ${(error as Error).message}. It continues once the service is up again. Look later with: ${later}`,
        )
      terminal.progress(
        `${what}: the service cannot be reached, trying for ${Math.ceil(leftMs / 1000)} s more`,
      )
      await pauseWatching(Math.min(1000, leftMs), waiting)
    }
  }
}

/** The same without a terminal, for requests that have the same effect when they are sent twice. */
export async function askInsistently<T>(ask: () => Promise<T>, longestMs = patienceMs): Promise<T> {
  for (const began = performance.now(); ;) {
    try {
      return await ask()
    } catch (error) {
      if (!isAway(error) || performance.now() - began >= longestMs) throw error
    }
    await delay(1000)
  }
}

/** Waits; Ctrl-C ends the watching, not the work. */
export async function pauseWatching(
  ms: number,
  { what, later, signal }: Pick<WaitingMessage, 'what' | 'later' | 'signal'>,
): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    throw new Failure(`Stopped watching; ${what} continues in the service. Look later with: ${later}`)
  }
}
