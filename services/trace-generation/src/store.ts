/** The only file that knows MongoDB: generations, and their programs in blocks that are read by _id. */
import type {
  Generation,
  GenerationOptions,
  GenerationStatistics,
  JobStatus,
  JobPayload,
  Program,
} from '@stateeval/contracts'
import {
  type ProjectArtifacts,
  waitForInsert,
  isSealing,
  openLongWork,
  type MongoStore,
} from '@stateeval/service-kit'

interface BegunGeneration {
  _id: string
  options: GenerationOptions
  versions: Record<string, string>
  createdAt: Date
  /** Made for a job that brought its options along: whoever sent the job asks again, the sweep does not. */
  ofJob?: boolean
}
interface EndOfGeneration {
  status: Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>
  /** Programs that were made until then. */
  done: number
  finishedAt: Date
  error?: string
  statistics?: GenerationStatistics
}
/** A generation as stored. For a sealed stream its options are packed: their seed determines its tasks. */
type KeptGeneration = Omit<BegunGeneration, 'options'> & { options: GenerationOptions | { packed: string } }
export interface StoredGeneration extends BegunGeneration, Partial<Omit<EndOfGeneration, 'status' | 'done'>> {
  status: JobStatus
  progress: Generation['progress']
}
interface ProgramBlock {
  _id: string
  /**
   * JSON text: literals may have keys that a document may not, such as $gte. While sealed, the text of a
   * payload.
   */
  programs: string
}

/**
 * Programs per document. Blocks are inserted whole and never changed, so an insert costs the same at any
 * size.
 */
export const blockSize = 25

export interface GenerationStore {
  /** Stores a generation unless it exists, and gives the stored one. */
  create: (generation: BegunGeneration) => Promise<StoredGeneration>
  find: (id: string) => Promise<StoredGeneration | null>
  /** For watchers: so many programs are there. */
  progress: (id: string, done: number) => Promise<void>
  /** Ends a generation unless it has ended, and gives the end that counts. */
  end: (id: string, end: EndOfGeneration) => Promise<EndOfGeneration>
  isCancelled: (id: string) => Promise<boolean>
  /** Generations that have not ended and that nobody else asks for. */
  unfinished: () => Promise<{ _id: string; trace?: string }[]>
  /** Notes that programs of the generation name this artifact. */
  noteArtifact: (id: string, sha256: string) => Promise<void>
  hasArtifact: (id: string, sha256: string) => Promise<boolean>
  saveBlock: (id: string, block: number, programs: Program[]) => Promise<void>
  programs: (id: string, from: number, to: number) => Promise<Program[]>
  /** All of them in order; no more than a block is in memory. */
  allPrograms: (id: string) => AsyncIterable<Program>
}

export function openStore(
  mongo: MongoStore,
  artifacts: Pick<ProjectArtifacts, 'pack' | 'unpack'>,
): GenerationStore {
  const generations = openLongWork<KeptGeneration, EndOfGeneration, number>(mongo, 'generations')
  const blocks = mongo.collection<ProgramBlock>('programs')
  const artifactNames = mongo.collection('artifacts')
  const blockId = (id: string, block: number) => `${id}:${String(block).padStart(6, '0')}`
  const blockOf = async (id: string, block: number) => {
    const document = await blocks.findOne({ _id: blockId(id, block) })
    if (!document) return null
    const stored = JSON.parse(document.programs) as Program[] | JobPayload
    return Array.isArray(stored) ? stored : ((await artifacts.unpack(stored)) as Program[])
  }
  const find = async (id: string): Promise<StoredGeneration | null> => {
    const work = await generations.find(id)
    if (!work) return null
    const { progress, end } = work
    const { options } = work.start
    const start: BegunGeneration = {
      ...work.start,
      options:
        'packed' in options
          ? ((await artifacts.unpack(JSON.parse(options.packed) as JobPayload)) as GenerationOptions)
          : options,
    }
    const { done = progress ?? 0, ...more } = end ?? {}
    const status = end?.status ?? (progress === undefined ? 'queued' : 'running')
    const phase = status === 'queued' ? 'queued' : 'generate'
    return { ...start, ...more, status, progress: { done, total: start.options.count, phase } }
  }
  return {
    find,
    async create(generation) {
      const { options } = generation
      const kept = isSealing() ? { packed: (await artifacts.pack(options)).text } : options
      const { _id } = await generations.begin({ ...generation, options: kept })
      return (await find(_id)) as StoredGeneration
    },
    progress: (id, done) => generations.progress(id, done),
    end: (id, end) => generations.end(id, end),
    isCancelled: async (id) => (await generations.ended(id))?.status === 'cancelled',
    unfinished: async () => (await generations.open()).filter(({ ofJob }) => !ofJob),
    async noteArtifact(id, sha256) {
      await waitForInsert(artifactNames.insertOne({ _id: `${id}/${sha256}` }))
    },
    hasArtifact: async (id, sha256) => (await artifactNames.findOne({ _id: `${id}/${sha256}` })) !== null,
    async saveBlock(id, block, programs) {
      // A generation that was begun again makes the same programs.
      const text = isSealing() ? (await artifacts.pack(programs)).text : JSON.stringify(programs)
      await waitForInsert(blocks.insertOne({ _id: blockId(id, block), programs: text }))
    },
    async programs(id, from, to) {
      const all: Program[] = []
      for (let block = Math.floor(from / blockSize); block * blockSize < to; block++) {
        const programs = await blockOf(id, block)
        if (!programs) break
        all.push(...programs.slice(Math.max(0, from - block * blockSize), to - block * blockSize))
      }
      return all
    },
    async *allPrograms(id) {
      for (let block = 0, programs; (programs = await blockOf(id, block)); block++) yield* programs
    },
  }
}
