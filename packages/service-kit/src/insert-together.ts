/**
 * Writes concurrent inserts into one collection with one command: while one is in progress, the next ones
 * gather. A lone insert therefore never waits, and under load a document costs a third
 * (docs/decisions/coordinator.md). Each insert still has its own outcome: stored, already present, or
 * failed.
 */
import { type Collection, type Filter, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb'
import { memoizeByProject } from './access/project.ts'
import { waitForInsert } from './mongo.ts'

/** Documents in one command at most. */
const maxBatch = 64

interface WaitingInsertion<T> {
  document: T
  resolve: (first: boolean) => void
  reject: (error: unknown) => void
}

/** A collection whose documents are only inserted, and found by _id. */
export const openInsertedDocuments = <T extends { _id: string }>(collection: Collection<T>) => ({
  findOne: (filter: { _id: string }) => collection.findOne(filter as Filter<T>) as Promise<T | null>,
  insert: insertTogether(collection),
})

/** Stores a document by its _id; false where there is one already, which then stays as it is. */
type InsertFunction<T> = (document: T) => Promise<boolean>

/** The used part of a collection. */
interface InsertableCollection<T> {
  insertOne(document: OptionalUnlessRequiredId<T>): Promise<unknown>
  insertMany(documents: OptionalUnlessRequiredId<T>[], options: { ordered: boolean }): Promise<unknown>
}

export function insertTogether<T extends { _id: string }>(
  collection: InsertableCollection<T>,
): InsertFunction<T> {
  // Inserts are gathered within one project: a command writes to the collection of whoever sends it.
  const insert = memoizeByProject(() => createGatheringInsert(collection))
  return (document) => insert()(document)
}

function createGatheringInsert<T extends { _id: string }>(
  collection: InsertableCollection<T>,
): InsertFunction<T> {
  let queue: WaitingInsertion<T>[] = []
  let writing = false

  const alone = ({ document, resolve, reject }: WaitingInsertion<T>) =>
    waitForInsert(collection.insertOne(document as OptionalUnlessRequiredId<T>)).then(resolve, reject)
  const together = async (batch: WaitingInsertion<T>[]): Promise<void> => {
    try {
      await collection.insertMany(
        batch.map(({ document }) => document as OptionalUnlessRequiredId<T>),
        { ordered: false },
      )
      for (const { resolve } of batch) resolve(true)
    } catch (error) {
      // Nothing was said of each: one document may be at fault, or the server is away, which each finds by
      // itself.
      if (!(error instanceof MongoBulkWriteError)) return void (await Promise.all(batch.map(alone)))
      const faults = new Map([error.writeErrors].flat().map((fault) => [fault.index, fault]))
      for (const [at, one] of batch.entries()) {
        const fault = faults.get(at)
        if (!fault) one.resolve(true)
        else if (fault.code === 11_000) one.resolve(false)
        else one.reject(fault)
      }
    }
  }
  const write = async () => {
    writing = true
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      await (batch.length === 1 ? alone(batch[0] as WaitingInsertion<T>) : together(batch))
    }
    writing = false
  }
  return (document) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    queue.push({ document, resolve, reject })
    if (!writing) void write()
    return promise
  }
}
