/** What came of a session, in the form of a run. */
import type { Ending, Observation } from '@stateeval/contracts'
import { observationOf } from '../observation.ts'
import type { Replica } from './open-worlds.ts'
import type { StoredSession } from './store.ts'

/** Reads the world once its calls are over. Rejects where the world failed: it is replayed then. */
export async function observed(
  { limits, seed }: StoredSession,
  { open, at, ms }: Replica,
  result: unknown,
): Promise<Observation> {
  const { world, log, faults, exceeded } = await open.observe()
  if (faults.length > 0) throw new Error(`the world failed: ${faults.join('; ')}`.slice(0, 2000))
  const ending: Ending =
    exceeded || at > limits.requests
      ? { status: 'killed', by: 'requests' }
      : result === undefined
        ? { status: 'no_result', reason: 'the session was closed without a result' }
        : { status: 'completed', result }
  return observationOf(ending, { seed, ms, snapshot: { world, log } })
}
