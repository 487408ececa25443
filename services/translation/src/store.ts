/**
 * The only file that knows MongoDB: translations. Their programs are artifacts, because keys of constants
 * may not suit a database.
 */
import type { JobStatus, ProgramTranslation, TranslationAgents } from '@stateeval/contracts'
import { openLongWork, type MongoStore, type LongWorkRecord } from '@stateeval/service-kit'

interface BegunTranslation {
  _id: string
  translator: string
  seed: string | number
  agents?: TranslationAgents
  versions: Record<string, string>
  /** The artifact with the programs. */
  programs: string
  total: number
  createdAt: Date
}
interface EndOfTranslation {
  status: Extract<JobStatus, 'succeeded' | 'failed'>
  /** All of them, where it succeeded. */
  translations: readonly ProgramTranslation[]
  finishedAt: Date
  error?: string
}
export interface StoredTranslation
  extends BegunTranslation, Partial<Pick<EndOfTranslation, 'finishedAt' | 'error'>> {
  status: JobStatus
  /** Translations finished so far. */
  translations: ProgramTranslation[]
}

export interface TranslationStore {
  /** Stores a translation unless it exists, and gives the stored one. */
  create(translation: BegunTranslation): Promise<StoredTranslation>
  find(id: string): Promise<StoredTranslation | null>
  /** For watchers: these are there. */
  progress(id: string, translations: readonly ProgramTranslation[]): Promise<void>
  /** Ends a translation; the first end stays. */
  end(id: string, end: EndOfTranslation): Promise<void>
  /** In the order of their ids, those after the cursor. */
  list(after: string, limit: number): Promise<StoredTranslation[]>
  /** Lists translations that have not ended. */
  unfinished(): Promise<{ _id: string; trace?: string }[]>
}

type TranslationWork = LongWorkRecord<BegunTranslation, EndOfTranslation, readonly ProgramTranslation[]>
const buildTranslationRecord = ({ start, progress, end }: TranslationWork): StoredTranslation => ({
  ...start,
  ...end,
  status: end?.status ?? (progress ? 'running' : 'queued'),
  translations: [...(end?.translations ?? progress ?? [])],
})

export function openStore(mongo: MongoStore): TranslationStore {
  const translations = openLongWork<BegunTranslation, EndOfTranslation, readonly ProgramTranslation[]>(
    mongo,
    'translations',
  )
  const find = async (id: string) => {
    const work = await translations.find(id)
    return work && buildTranslationRecord(work)
  }
  return {
    find,
    async create(translation) {
      const { _id } = await translations.begin(translation)
      return (await find(_id)) as StoredTranslation
    },
    progress: (id, done) => translations.progress(id, done),
    async end(id, end) {
      await translations.end(id, end)
    },
    list: async (after, limit) => (await translations.list(after, limit)).map(buildTranslationRecord),
    unfinished: () => translations.open(),
  }
}
