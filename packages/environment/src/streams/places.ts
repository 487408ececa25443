/** The limit of a project on streams. */
import type { MongoStore, ProjectQuota } from '@stateeval/service-kit'
import { removeStream, type StreamRemoval } from './remove.ts'

export interface StreamPlaces {
  /** Throws a problem if the limit is reached. */
  take(id: string): Promise<void>
  /** Removes a stream, which gives its place back. */
  remove(id: string): Promise<void>
}

interface PlaceParts extends StreamRemoval {
  mongo: MongoStore
  quota: Pick<ProjectQuota, 'begin' | 'end'>
}

export const createStreamPlaces = (parts: PlaceParts): StreamPlaces => ({
  take: (id) =>
    parts.quota.begin('streams', id, {
      async running() {
        const all = await parts.mongo
          .collection('streams')
          .find({}, { projection: { _id: 1 } })
          .toArray()
        return all.map(({ _id }) => _id)
      },
      // One that is deleted gives its place back.
      hasEnded: async () => false,
    }),
  remove: (id) => removeStream(parts, id),
})
