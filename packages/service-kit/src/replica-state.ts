/** The status of this process for an operator's view of the installation. */
import { hostname } from 'node:os'
import type { JobSubject, ReplicaState } from '@stateeval/contracts'
import { getErrorText } from './errors.ts'
import { removeCredentials } from './log.ts'
import type { ServicePlatform } from './platform.ts'

export async function readReplicaState(
  { bus, mongo }: Pick<ServicePlatform, 'bus' | 'mongo'>,
  takes: readonly JobSubject[],
  { startedAt, holds }: { startedAt: Date; holds: number | undefined },
): Promise<ReplicaState> {
  const problems: string[] = []
  await mongo
    .ping()
    .catch((error: unknown) => problems.push(`MongoDB: ${removeCredentials(getErrorText(error))}`))
  const queues = takes.map(async (subject) => {
    const { waiting, inFlight, repeated, lagMs } = await bus.queue(subject)
    const kind = subject.slice('jobs.'.length)
    if (lagMs === null) problems.push(`NATS: the age of waiting jobs (${kind}) may not be read`)
    return { kind, waiting, taken: inFlight, repeated, lagSeconds: (lagMs ?? 0) / 1000 }
  })
  const depths = await Promise.allSettled(queues)
  for (const depth of depths) if (depth.status === 'rejected') problems.push(getErrorText(depth.reason))
  return {
    replica: {
      host: hostname(),
      pid: process.pid,
      startedAt: startedAt.toISOString(),
      problems,
      ...(holds !== undefined && { holds }),
    },
    queues: depths.flatMap((depth) => (depth.status === 'fulfilled' ? [depth.value] : [])),
  }
}
