/** The only file that knows MongoDB: generations, and their programs in blocks that are read by _id. */
import type { Generation, GenerationOptions, GenerationStatistics, Program } from '@stateeval/contracts'
import { isDuplicate, type Mongo } from '@stateeval/service-kit'

type Progress = Generation['progress']

export interface StoredGeneration {
  _id: string
  status: Generation['status']
  options: GenerationOptions
  versions: Record<string, string>
  progress: Progress
  createdAt: Date
  finishedAt?: Date
  error?: string
  statistics?: GenerationStatistics
  /** Made for a job that brought its options along: whoever sent the job asks again, the sweep does not. */
  ofJob?: boolean
}
interface Block {
  _id: string
  /** JSON text: literals may have keys that a document may not, such as $gte. */
  programs: string
}

/**
 * Programs in one document. Blocks are inserted whole and never changed, which costs the same however many there are; an
 * update reads the whole collection on the embedded server.
 */
export const blockSize = 25

export interface Store {
  /** Stores a generation unless it exists, and gives the stored one. */
  create: (generation: StoredGeneration) => Promise<StoredGeneration>
  find: (id: string) => Promise<StoredGeneration | null>
  /** Changes a generation that has not ended; false where it has. */
  update: (id: string, change: Partial<Omit<StoredGeneration, '_id'>>) => Promise<boolean>
  /** Generations that have not ended and that nobody else asks for. */
  unfinished: () => Promise<StoredGeneration[]>
  saveBlock: (id: string, block: number, programs: Program[]) => Promise<void>
  programs: (id: string, from: number, to: number) => Promise<Program[]>
}

export function openStore(mongo: Mongo): Store {
  const generations = mongo.collection<StoredGeneration>('generations')
  const blocks = mongo.collection<Block>('programs')
  const open = ['queued', 'running'] as const
  const blockId = (id: string, block: number) => `${id}:${String(block).padStart(6, '0')}`
  return {
    async create(generation) {
      try {
        await generations.insertOne(generation)
        return generation
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return (await generations.findOne({ _id: generation._id })) as StoredGeneration
      }
    },
    find: (id) => generations.findOne({ _id: id }),
    async update(id, change) {
      const { matchedCount } = await generations.updateOne({ _id: id, status: { $in: [...open] } }, { $set: change })
      return matchedCount > 0
    },
    unfinished: async () => (await generations.find({ status: { $in: [...open] } }).toArray()).filter(({ ofJob }) => !ofJob),
    async saveBlock(id, block, programs) {
      try {
        await blocks.insertOne({ _id: blockId(id, block), programs: JSON.stringify(programs) })
      } catch (error) {
        // A generation that was begun again makes the same programs.
        if (!isDuplicate(error)) throw error
      }
    },
    async programs(id, from, to) {
      const found: Program[] = []
      for (let block = Math.floor(from / blockSize); block * blockSize < to; block++) {
        const stored = await blocks.findOne({ _id: blockId(id, block) })
        if (!stored) break
        const programs = JSON.parse(stored.programs) as Program[]
        found.push(...programs.slice(Math.max(0, from - block * blockSize), to - block * blockSize))
      }
      return found
    },
  }
}
