/** The limit of a project on evaluations and builds that run at once. */
import type { ProjectQuota, RevisedDocuments } from '@stateeval/service-kit'
import { isEnded, type JobOwner } from './owner.ts'
import type { OwnerStore } from './owners.ts'

/** The project's limits, and the running owners. */
export interface RunningPlaces {
  quota: Pick<ProjectQuota, 'begin'>
  active: Pick<RevisedDocuments<object>, 'page'>
  owners: Pick<OwnerStore, 'get'>
}

/** Ids of evaluations and builds that have not ended; may include one that has just ended. */
export const listActiveIds = async (active: RunningPlaces['active']): Promise<string[]> =>
  (await active.page(undefined, 10_000)).map(({ id }) => id)

/** Throws a problem if the limit is reached. */
export function takePlace(
  { quota, active, owners }: RunningPlaces,
  entity: JobOwner['entity'],
  id: string,
): Promise<void> {
  return quota.begin(entity === 'evaluation' ? 'evaluations' : 'builds', id, {
    async running() {
      return (await listActiveIds(active)).filter(
        (one) => one.startsWith('ev_') === (entity === 'evaluation'),
      )
    },
    async hasEnded(one) {
      const owner = await owners.get(one)
      return owner !== null && isEnded(owner)
    },
  })
}
