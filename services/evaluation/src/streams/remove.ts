/** Removes a stream with its blocks. The sweep finishes an interrupted removal. */
import { type Mongo, removeNamed, type RevisedDocuments, type Tidy } from '@stateeval/service-kit'
import type { StoredStream } from './stored.ts'

export interface StreamRemoval {
  mongo: Pick<Mongo, 'db' | 'shared'>
  streams: Pick<RevisedDocuments<StoredStream>, 'remove'>
  tidy: Pick<Tidy, 'removing'>
}

export function removeStream({ mongo, streams, tidy }: StreamRemoval, id: string): Promise<void> {
  return tidy.removing(id, async () => {
    // First itself, so that nobody begins to use it.
    await streams.remove(id)
    await removeNamed(mongo, id)
  })
}
