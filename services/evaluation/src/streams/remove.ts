/** Removes a stream with its blocks. The sweep finishes an interrupted removal. */
import { type Mongo, type Quota, removeNamed, type RevisedDocuments, type Tidy } from '@stateeval/service-kit'
import type { StoredStream } from './stored.ts'

export interface StreamRemoval {
  mongo: Pick<Mongo, 'db' | 'shared'>
  streams: Pick<RevisedDocuments<StoredStream>, 'remove'>
  tidy: Pick<Tidy, 'removing'>
  quota: Pick<Quota, 'end'>
}

export function removeStream({ mongo, streams, tidy, quota }: StreamRemoval, id: string): Promise<void> {
  return tidy.removing(id, async () => {
    // First itself, so that nobody begins to use it.
    await streams.remove(id)
    await quota.end('streams', id)
    await removeNamed(mongo, id)
  })
}
