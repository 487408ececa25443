/** The outcome of a session, in the form of a run. */
import type { ExecutionEnding, JsonValue, Observation } from '@stateeval/contracts'
import type { OpenWorld } from '@stateeval/sandbox'
import { buildObservation } from '../observation.ts'
import { isFull } from './call.ts'
import type { WorldReplica } from './open-worlds.ts'
import type { StoredSession } from './store.ts'

/** Reads the world after its calls. Rejects if the world failed; it is replayed then. */
export async function observeSession(
  { limits, seed }: StoredSession,
  replica: WorldReplica,
  result: unknown,
): Promise<Observation> {
  const { open, at, ms } = replica
  const named = result === undefined ? undefined : await resolveResult(open, result)
  const { world, log, faults, exceeded } = await open.observe()
  if (faults.length > 0) throw new Error(`the world failed: ${faults.join('; ')}`.slice(0, 2000))
  const ending: ExecutionEnding =
    exceeded === 'requests' || at > limits.requests || isFull(replica, limits)
      ? { status: 'killed', by: 'requests' }
      : named === undefined
        ? { status: 'no_result', reason: 'the session was closed without a result' }
        : named
  return buildObservation(ending, { seed, ms, snapshot: { world, log } })
}

/** RESULT, with the values that it names. */
export async function resolveResult(open: OpenWorld, result: unknown): Promise<ExecutionEnding> {
  if (!open.resolve) return { status: 'completed', result }
  try {
    return { status: 'completed', result: await open.resolve(result as JsonValue) }
  } catch (error) {
    if (error instanceof RangeError) return { status: 'no_result', reason: error.message.slice(0, 2000) }
    throw error
  }
}
