/** Removes a stream with its blocks. The sweep finishes an interrupted removal. */
import {
  type MongoStore,
  type ProjectQuota,
  removeNamed,
  type RevisedDocuments,
  type PendingCleanup,
} from '@stateeval/service-kit'
import type { StoredStream } from './stored.ts'

export interface StreamRemoval {
  mongo: Pick<MongoStore, 'db' | 'shared'>
  streams: Pick<RevisedDocuments<StoredStream>, 'remove'>
  tidy: Pick<PendingCleanup, 'removing'>
  quota: Pick<ProjectQuota, 'end'>
}

export function removeStream({ mongo, streams, tidy, quota }: StreamRemoval, id: string): Promise<void> {
  return tidy.removing(id, async () => {
    // First itself, so that nobody begins to use it.
    await streams.remove(id)
    await quota.end('streams', id)
    await removeNamed(mongo, id)
  })
}
