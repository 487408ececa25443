/**
 * Stores two documents of different collections, the second only if the first is stored: with one command
 * where the server has one (docs/decisions/one-program.md). Pairs that meet share a command.
 */
import { type Collection, MongoServerSelectionError } from 'mongodb'
import { waitForInsert, type MongoStore } from './mongo.ts'

/** A document for a collection, new under its _id. */
export interface DocumentInsertion {
  collection: Pick<Collection<{ _id: string }>, 'namespace' | 'insertOne'>
  document: { _id: string }
}
interface WaitingPair {
  first: DocumentInsertion
  second: DocumentInsertion
  resolve: (result: { problem?: unknown }) => void
  reject: (error: unknown) => void
}

/** Pairs in one command at most. */
const maxPairs = 32

/**
 * Rejects where the first document isn't stored; gives what kept the second one from being stored. A document
 * of the same _id that is there already counts as stored.
 */
type InsertPair = (first: DocumentInsertion, second: DocumentInsertion) => Promise<{ problem?: unknown }>

export function insertPairs(mongo: Pick<MongoStore, 'insertAcross'>): InsertPair {
  let queue: WaitingPair[] = []
  let writing = false

  const alone = async ({ first, second, resolve, reject }: WaitingPair) => {
    try {
      await waitForInsert(first.collection.insertOne(first.document))
    } catch (error) {
      return reject(error)
    }
    await waitForInsert(second.collection.insertOne(second.document)).then(
      () => resolve({}),
      (problem: unknown) => resolve({ problem }),
    )
  }
  const write = async () => {
    writing = true
    while (queue.length > 0) {
      const pairs = queue.slice(0, maxPairs)
      queue = queue.slice(maxPairs)
      // Nothing else is tried after an error, so a second document is never stored without its first one.
      const inserts = [...pairs.map(({ first }) => first), ...pairs.map(({ second }) => second)]
      try {
        if (await mongo.insertAcross(inserts)) for (const { resolve } of pairs) resolve({})
        else await Promise.all(pairs.map(alone))
      } catch (error) {
        // Without a server, nothing was sent. Otherwise, each tries alone: what is stored counts as stored.
        if (error instanceof MongoServerSelectionError) for (const { reject } of pairs) reject(error)
        else await Promise.all(pairs.map(alone))
      }
    }
    writing = false
  }
  return (first, second) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ problem?: unknown }>()
    // The collection depends on the project of the caller, so it is looked up now.
    const settled = ({ collection, document }: DocumentInsertion): DocumentInsertion => {
      const { namespace } = collection
      const insertOne = collection.insertOne.bind(collection)
      return { collection: { namespace, insertOne }, document }
    }
    queue.push({ first: settled(first), second: settled(second), resolve, reject })
    if (!writing) void write()
    return promise
  }
}
