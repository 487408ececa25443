/** How much work the replicas of execution take, which an evaluation's items in flight follow. */
import { ReplicaState, buildRollCall, type ServiceName } from '@stateeval/contracts'
import { type MessageBus, createChecker } from '@stateeval/service-kit'

const states = createChecker(ReplicaState)

/** Asks the replicas of a service for their state, and waits for so many milliseconds. */
export async function askReplicaStates(
  { bus }: { bus: Pick<MessageBus, 'askEach'> },
  service: ServiceName,
  withinMs: number,
): Promise<ReplicaState[]> {
  const heard = await bus.askEach(buildRollCall(service), withinMs)
  return heard.filter((one): one is ReplicaState => states.fault(one) === null)
}

/** Items in flight of one build or evaluation: fewest and most, whatever workers there are. */
export interface ItemWindow {
  least: number
  most: number
}
/** With a setting, always as many; otherwise as many as workers take, within bounds of memory. */
export const createItemWindow = (fixed: number | undefined): ItemWindow =>
  fixed === undefined ? { least: 16, most: 512 } : { least: fixed, most: fixed }
/** A window of at least so many items. */
export const widenWindow = ({ least, most }: ItemWindow, count: number): ItemWindow => ({
  least: Math.max(least, count),
  most: Math.max(most, count),
})

/**
 * Items that these workers have room for: twice the jobs that they hold, so that the queue is never empty
 * while they work, and a replica that is added finds work. An autoscaler that starts a replica for each
 * queueful of jobs thus doubles them until it reaches its maximum.
 */
export const countRoom = (held: number): number => 2 * held

/**
 * How many jobs replicas hold of the kind with most: replicas with a GPU take programs with tensors only. One
 * whose queues are unknown for the moment counts for all kinds.
 */
export function countHeld(states: readonly ReplicaState[]): number {
  const held = new Map<string, number>()
  let unknown = 0
  for (const { replica, queues } of states) {
    if (queues.length === 0) unknown += replica.holds ?? 0
    for (const { kind } of queues) held.set(kind, (held.get(kind) ?? 0) + (replica.holds ?? 0))
  }
  return unknown + Math.max(0, ...held.values())
}

/** The room for items, as last looked at. */
export interface WorkerCapacity {
  /** Asks the workers; nobody waits for what they say. */
  look(): void
  room(): number
}
/** How long replicas may take to answer; busy ones are slow. */
const patienceMs = 2000
export function createCapacity(parts: { bus: Pick<MessageBus, 'askEach'> }): WorkerCapacity {
  let held = 0
  let isAsking = false
  const ask = async () => {
    held = countHeld(await askReplicaStates(parts, 'execution', patienceMs))
  }
  return {
    look() {
      if (isAsking) return
      isAsking = true
      // While the broker is away, there is nothing better than what they said before.
      void ask()
        .catch(() => undefined)
        .finally(() => (isAsking = false))
    },
    room: () => countRoom(held),
  }
}
