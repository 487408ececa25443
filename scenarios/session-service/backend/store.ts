/** The only file of the service that knows MongoDB. Every list is in insertion order: ids grow. */
import {
  BSON,
  type Collection,
  type Db,
  type Document,
  MongoError,
  MongoServerError,
  ObjectId,
} from 'mongodb'
import { readBson } from './document/bson.ts'
import { decodeStored, toStored } from './document/stored.ts'
import { computeChecksum } from './document/text.ts'
import type { BsonDocument, BsonValue } from './document/value.ts'
import type { QueryBounds } from './context.ts'
import { DatabaseError, RequestRefusal } from './errors.ts'
import { type SessionType, sessionTypes } from '../types.ts'

export interface StoredSession {
  id: string
  source: string
  type: SessionType
  data: BsonValue
}

export type SessionStore = ReturnType<typeof createStore>

/**
 * Codes with which a server speaks of itself, not of the command: InternalError, HostUnreachable,
 * HostNotFound, LockTimeout, NetworkTimeout, ShutdownInProgress, WriteConflict, QueryPlanKilled,
 * PrimarySteppedDown, ExceededTimeLimit, SocketException, NotWritablePrimary, InterruptedAtShutdown,
 * InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary, OutOfDiskSpace.
 */
const ownFailures = new Set([
  1, 6, 7, 24, 89, 91, 112, 175, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031,
])
const maxTimeExpired = 50
/** Answers of the server about the command that it was given. */
const isCommandError = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError &&
  !error.hasErrorLabel('RetryableWriteError') &&
  !ownFailures.has(Number(error.code))
// FerretDB v1 answers a duplicate of an update with code 1 and SQLite's words.
const isDuplicate = (error: unknown) =>
  error instanceof MongoServerError &&
  (error.code === 11000 || error.message.includes('UNIQUE constraint failed'))

// A connection that ends while a command is written comes through as the system's own error (EPIPE), not as
// the driver's.
const isDatabaseError = (error: unknown) =>
  error instanceof MongoError || typeof (error as { code?: unknown } | null)?.code === 'string'

// Content that the driver cannot write as BSON is a content error, too (RangeError: it is too large for the
// buffers).
const isContentError = (error: unknown): error is Error =>
  error instanceof BSON.BSONError || error instanceof RangeError || isCommandError(error)
/** Refuses a document as upstream does where it fails to store one. */
const createNotStored = (error: Error) =>
  new RequestRefusal(500, `the document can't be stored: ${error.message}`)

/**
 * Attributes failures to the database, except where `refuse` says otherwise, or the signal has ended the
 * work.
 */
async function guardDatabase<T>(
  work: () => Promise<T>,
  refuse?: (error: Error) => RequestRefusal,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted) throw new RequestRefusal(503, 'the query was ended')
    if (error instanceof RequestRefusal) throw error
    if (refuse && isContentError(error)) throw refuse(error)
    if (isDatabaseError(error)) throw new DatabaseError(error)
    throw error
  }
}

/**
 * The type comes first: of a document of another one, FerretDB doesn't look at the rest, which may be a
 * mistake.
 */
const filterType = (type: SessionType, filter: Document): Document =>
  'type' in filter ? { type, $and: [filter] } : { type, ...filter }

function toSession(bytes: unknown): StoredSession {
  const doc = readBson(bytes as Uint8Array)
  const id = doc.get('_id') as ObjectId
  return {
    id: id.toHexString(),
    source: doc.get('source') as string,
    type: doc.get('type') as SessionType,
    data: decodeStored(doc.get('data') ?? null),
  }
}

/** `collectionOf`: the collection that holds the sessions of a type; several types may share one. */
export function createStore(
  db: Db,
  newId: () => string,
  collectionOf: (type: SessionType) => string = (type) => type,
) {
  const raw = { raw: true } as const
  const indexed = new Map<string, Promise<unknown>>()
  const collection = (type: SessionType): Collection<Document> => db.collection(collectionOf(type))
  /** One type for each collection of these. */
  const holders = (types: readonly SessionType[]) => [
    ...new Map(types.map((type) => [collectionOf(type), type])).values(),
  ]
  /** The index is made with the collection, before its first save. */
  const ready = async (type: SessionType) => {
    const name = collectionOf(type)
    let index = indexed.get(name)
    if (!index) {
      index = collection(type).createIndex({ source: 1, type: 1, checksum: 1 }, { unique: true })
      indexed.set(name, index)
      index.catch(() => indexed.delete(name))
    }
    await index
    return collection(type)
  }
  const one = (type: SessionType, source: string, id: string) =>
    ObjectId.isValid(id) && id.length === 24 ? { _id: new ObjectId(id), source, type } : undefined
  const contentOf = (data: BsonDocument) => ({ data: toStored(data), checksum: computeChecksum(data) })

  return {
    /** Saves sessions with the ids that they have, in bulk. None may equal another one. */
    fill: (sessions: readonly (Omit<StoredSession, 'data'> & { data: BsonDocument })[]): Promise<unknown> =>
      guardDatabase(() =>
        Promise.all(
          holders(sessions.map(({ type }) => type)).map(async (holder) => {
            const members = sessions.filter(({ type }) => collectionOf(type) === collectionOf(holder))
            const documents = members.map(({ id, source, type, data }) => ({
              _id: new ObjectId(id),
              source,
              type,
              ...contentOf(data),
            }))
            await (await ready(holder)).insertMany(documents)
          }),
        ),
      ),

    /** Deletes all sessions, or those with these ids. */
    clear: (ids?: readonly string[]): Promise<unknown> => {
      const filter = ids ? { _id: { $in: ids.map((id) => new ObjectId(id)) } } : {}
      return guardDatabase(() =>
        Promise.all(holders(sessionTypes).map((type) => collection(type).deleteMany(filter))),
      )
    },

    /** Saves a session, or finds the one of the same content. */
    add: (source: string, type: SessionType, data: BsonDocument): Promise<{ id: string; added: boolean }> =>
      guardDatabase(async () => {
        const sessions = await ready(type)
        const fields = contentOf(data)
        // A duplicate that is deleted between the two commands leaves room for the next attempt.
        for (;;) {
          const id = newId()
          try {
            await sessions.insertOne({ _id: new ObjectId(id), source, type, ...fields })
            return { id, added: true }
          } catch (error) {
            if (!isDuplicate(error)) throw error
          }
          const same = await sessions.findOne(
            { source, type, checksum: fields.checksum },
            { projection: { _id: 1 } },
          )
          if (same) return { id: String(same._id), added: false }
        }
      }, createNotStored),

    /**
     * Sessions that match a filter in stored form. A filter that the server refuses, or that takes too long,
     * is the client's mistake.
     */
    find: (
      type: SessionType,
      filter: Document,
      { ms, signal }: Pick<QueryBounds, 'ms' | 'signal'>,
    ): Promise<StoredSession[]> =>
      guardDatabase(
        async () =>
          (
            await collection(type)
              .find(filterType(type, filter), { ...raw, maxTimeMS: ms, ...(signal && { signal }) })
              .sort({ _id: 1 })
              .toArray()
          ).map(toSession),
        (error) =>
          (error as MongoServerError).code === maxTimeExpired
            ? new RequestRefusal(503, `the query took longer than ${ms} ms`)
            : new RequestRefusal(400, `the database refused the filter: ${error.message}`),
        signal,
      ),

    list: (type: SessionType, source: string, signal?: AbortSignal): Promise<StoredSession[]> =>
      guardDatabase(
        async () =>
          (
            await collection(type)
              .find({ source, type }, { ...raw, ...(signal && { signal }) })
              .sort({ _id: 1 })
              .toArray()
          ).map(toSession),
        undefined,
        signal,
      ),

    get: (type: SessionType, source: string, id: string): Promise<StoredSession | undefined> =>
      guardDatabase(async () => {
        const filter = one(type, source, id)
        const document = filter && (await collection(type).findOne(filter, raw))
        return document ? toSession(document) : undefined
      }),

    /**
     * Replaces the data. False where there is no such session; a Refusal where another one has this content.
     */
    update: (type: SessionType, source: string, id: string, data: BsonDocument): Promise<boolean> =>
      guardDatabase(async () => {
        const filter = one(type, source, id)
        if (!filter) return false
        try {
          const { matchedCount } = await collection(type).updateOne(filter, { $set: contentOf(data) })
          return matchedCount > 0
        } catch (error) {
          if (isDuplicate(error))
            throw new RequestRefusal(500, 'another session of this source and type has the same data')
          throw error
        }
      }, createNotStored),

    /** Deletes a session; gives what it was, to one of those who delete it at once. */
    remove: (type: SessionType, source: string, id: string): Promise<StoredSession | undefined> =>
      guardDatabase(async () => {
        const filter = one(type, source, id)
        const document = filter && (await collection(type).findOne(filter, raw))
        // Not findOneAndDelete: on FerretDB v1 several callers get the same document.
        if (!document || (await collection(type).deleteOne(filter)).deletedCount === 0) return undefined
        return toSession(document)
      }),

    /** All sessions, in insertion order. */
    all: (): Promise<StoredSession[]> =>
      guardDatabase(async () => {
        const lists = await Promise.all(
          holders(sessionTypes).map((type) => collection(type).find({}, raw).toArray()),
        )
        return lists
          .flat()
          .map(toSession)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
      }),
  }
}
