/** Holdings of the current project: work that has not ended, and the size of its stored data. */
import type { ProjectUsage } from '@stateeval/contracts'
import { listCollectionNames, qualifyName, type ServicePlatform } from '@stateeval/service-kit'

type HoldingsParts = Pick<ServicePlatform, 'mongo'>

export async function loadRunning({ mongo }: HoldingsParts): Promise<ProjectUsage['running']> {
  const active = mongo.collection('active')
  const open = mongo.shared('execution.executions.open')
  // '`' is the character after '_'.
  const of = (prefix: string) => active.countDocuments({ _id: { $gte: `${prefix}_`, $lt: `${prefix}\`` } })
  const [evaluations, builds, episodes, streams, executions] = await Promise.all([
    of('ev'),
    of('bm'),
    mongo.collection('episode-leases').countDocuments(),
    mongo.collection('streams').countDocuments(),
    open.countDocuments(),
  ])
  return { evaluations, builds, episodes, streams, executions }
}

export async function measureStoredBytes({ mongo }: HoldingsParts): Promise<number> {
  let sum = 0
  for (const name of await listCollectionNames(mongo)) {
    const { size } = await mongo.db.command({ collStats: qualifyName(name) })
    sum += Number(size)
  }
  return sum
}
