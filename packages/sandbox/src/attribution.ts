/**
 * Attributes a failure where a run could not be observed. The candidate's code or calls are responsible for
 * whatever they cause: only a failure that a run without them would also have met is one of the
 * infrastructure. So a run that fails is repeated. If it fails again, and known work on the same servers
 * succeeds before and after it, the run is at fault.
 */
import type { ExecutionEnding, Observation } from '@stateeval/contracts'
import type { TakeObservation } from './sandbox.ts'

/** Observations of runs whose code or calls had begun. What fails before that is nobody's doing. */
const begunRuns = new WeakSet<Observation>()

/** Marks a run that may have brought its failure about. */
export function markBegun(observation: Observation): Observation {
  begunRuns.add(observation)
  return observation
}

const isFault = ({ ending }: Observation) => ending.status === 'infrastructure'
/** Another machine may have what this one lacks. */
const isLikelyOwnFault = (observation: Observation) =>
  isFault(observation) &&
  begunRuns.has(observation) &&
  !('lacks' in observation.ending && observation.ending.lacks)

/** The ending of a run that fails again while known work beside it succeeds. */
export const createOwnFailure = (reason: string, by: 'requests' | 'crash' = 'requests'): ExecutionEnding => ({
  status: 'killed',
  by,
  detail: `it failed twice, and known work on the same servers did not: ${reason}`.slice(0, 2000),
})

function blameRun(observation: Observation): Observation {
  const { ending, world } = observation
  const reason = ending.status === 'infrastructure' ? ending.reason : ''
  // A world that can still be observed failed over the run's requests.
  return {
    ...observation,
    ending: createOwnFailure(reason, world === null ? 'crash' : 'requests'),
    faults: [],
  }
}

interface AttributedBatch {
  inputs: number
  /** Runs these inputs, in order; see Sandbox.each. */
  run: (indices: readonly number[], take: TakeObservation) => Promise<void>
  /** Does known work where the runs are. */
  isSound: () => Promise<boolean>
}

/** Runs all inputs; those that fail run once more, after the others. */
export async function attributeRuns(
  { inputs, run, isSound }: AttributedBatch,
  take: TakeObservation,
): Promise<void> {
  const failures = new Map<number, boolean>()
  await run([...Array(inputs).keys()], async (observation, index) => {
    if (isFault(observation)) failures.set(index, isLikelyOwnFault(observation))
    else await take(observation, index)
  })
  for (const [index, isSuspect] of failures) {
    const wasSound = isSuspect && (await isSound())
    await run([index], async (observation) =>
      take(
        wasSound && isLikelyOwnFault(observation) && (await isSound()) ? blameRun(observation) : observation,
        index,
      ),
    )
  }
}
