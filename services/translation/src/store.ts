/** The only file that knows MongoDB: translations. Their programs are artifacts; keys of constants may not suit a database. */
import type { JobStatus, ProgramTranslation } from '@stateeval/contracts'
import { isDuplicate, type Mongo } from '@stateeval/service-kit'

export interface StoredTranslation {
  _id: string
  status: JobStatus
  translator: string
  seed: string | number
  versions: Record<string, string>
  /** The artifact with the programs. */
  programs: string
  total: number
  translations: ProgramTranslation[]
  createdAt: Date
  finishedAt?: Date
  error?: string
}

export interface Store {
  /** Stores a translation unless it exists, and gives the stored one. */
  create(translation: StoredTranslation): Promise<StoredTranslation>
  find(id: string): Promise<StoredTranslation | null>
  /** Changes a translation that has not ended. */
  update(id: string, change: Partial<Omit<StoredTranslation, '_id'>>): Promise<void>
  /** In the order of their ids, those after the cursor. */
  list(after: string, limit: number): Promise<StoredTranslation[]>
  /** Those that have not ended. */
  unfinished(): Promise<StoredTranslation[]>
}

export function openStore(mongo: Mongo): Store {
  const translations = mongo.collection<StoredTranslation>('translations')
  const open = { status: { $in: ['queued', 'running'] as JobStatus[] } }
  return {
    async create(translation) {
      try {
        await translations.insertOne(translation)
        return translation
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return (await translations.findOne({ _id: translation._id })) as StoredTranslation
      }
    },
    find: (id) => translations.findOne({ _id: id }),
    async update(id, change) {
      await translations.updateOne({ _id: id, ...open }, { $set: change })
    },
    list: (after, limit) =>
      translations
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    unfinished: () => translations.find(open).toArray(),
  }
}
