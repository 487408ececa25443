/** How many evaluations and builds of a project run at once, where it has a limit. */
import type { Quota, RevisedDocuments } from '@stateeval/service-kit'
import { isEnded, type Owner } from './owner.ts'
import type { Owners } from './owners.ts'

/** What is asked of the project's limits, and what runs. */
export interface Places {
  quota: Pick<Quota, 'begin'>
  active: Pick<RevisedDocuments<object>, 'page'>
  owners: Pick<Owners, 'get'>
}

/** Throws a problem where as many run as may. */
export function takePlace(
  { quota, active, owners }: Places,
  entity: Owner['entity'],
  id: string,
): Promise<void> {
  return quota.begin(entity === 'evaluation' ? 'evaluations' : 'builds', id, {
    async running() {
      const all = (await active.page(undefined, 10_000)).map((owner) => owner.id)
      return all.filter((one) => one.startsWith('ev_') === (entity === 'evaluation'))
    },
    async hasEnded(one) {
      const owner = await owners.get(one)
      return owner !== null && isEnded(owner)
    },
  })
}
