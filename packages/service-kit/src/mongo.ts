/**
 * MongoDB. Connects on first use and again after each loss. The suite relies only on single documents by
 * string _id.
 */
import { BSON, type Collection, type Db, type Document, MongoClient, type MongoClientOptions } from 'mongodb'
import { separateByProject, qualifyName } from './access/project.ts'
import { getErrorText } from './errors.ts'
import type { DocumentInsertion } from './insert-pairs.ts'
import { SettingsError } from './settings.ts'
import { keepConnected } from './stay-connected.ts'

/** In bytes. */
export interface StorageUse {
  used: number
  limit: number | null
}

export interface MongoStore {
  db: Db
  /** A collection of this service and, at each call, of the current project; its name is prefixed by both. */
  collection<T extends Document = Document>(name: string): Collection<T & { _id: string }>
  /** The same, shared by all services. */
  shared<T extends Document = Document>(name: string): Collection<T & { _id: string }>
  /**
   * A collection of the installation itself, shared by services and projects: keys and projects, nothing that
   * projects store.
   */
  ofInstallation<T extends Document = Document>(name: string): Collection<T & { _id: string }>
  /**
   * Inserts documents into several collections with one command. Throws the first error; nothing is tried
   * after it. False, and nothing is done, where the server has no such command.
   */
  insertAcross(inserts: readonly DocumentInsertion[]): Promise<boolean>
  /** Rejects where the server does not answer. */
  ping(): Promise<void>
  /** The server's version. */
  version(): Promise<string>
  /** The server's time. */
  serverTime(): Promise<Date | null>
  /** The use of the disk under its databases; `limit` is null where the server does not report it. */
  storage(): Promise<StorageUse>
  /** Rejects where it does not store a document. */
  probe(): Promise<void>
  close(): Promise<void>
}

export function openMongo({
  uri,
  namespace,
  service,
}: {
  uri: string
  namespace: string
  service: string
}): MongoStore {
  const client = createMongoClient(uri, {
    serverSelectionTimeoutMS: 2000,
    connectTimeoutMS: 10_000,
    maxPoolSize: 32,
    appName: service,
  })
  const db = client.db(namespace)
  const close = keepConnected(client)
  const ofProject = <T extends Document>(name: string) =>
    separateByProject(() => db.collection<T & { _id: string }>(qualifyName(name)))
  return {
    db,
    collection: <T extends Document>(name: string) => ofProject<T>(`${service}.${name}`),
    shared: ofProject,
    ofInstallation: (name) => db.collection(name),
    insertAcross: bulkWriteAcross(client),
    async ping() {
      await db.command({ ping: 1 }, { timeoutMS: 2000 })
    },
    async version() {
      return String((await db.command({ buildInfo: 1 }, { timeoutMS: 2000 }))['version'])
    },
    async serverTime() {
      const { localTime } = await db.command({ hello: 1 }, { timeoutMS: 2000 })
      return localTime instanceof Date ? localTime : null
    },
    async storage() {
      const { fsUsedSize, fsTotalSize, storageSize } = await db.command({ dbStats: 1 }, { timeoutMS: 2000 })
      const isKnown = typeof fsUsedSize === 'number' && typeof fsTotalSize === 'number'
      return isKnown ? { used: fsUsedSize, limit: fsTotalSize } : { used: Number(storageSize), limit: null }
    },
    async probe() {
      const probes = db.collection<{ _id: string }>(`${service}.probes`)
      // If two replicas store the first document at a time, one is refused.
      await waitForInsert(probes.replaceOne({ _id: 'probe' }, { at: new Date() }, { upsert: true }))
    },
    close,
  }
}

/** Codes of servers that lack the command, or don't let this user send it: Unauthorized, CommandNotFound. */
const lacking = new Set<unknown>([13, 59])

/** MongoDB has `bulkWrite` over collections since version 8, and so have the embedded servers for inserts. */
function bulkWriteAcross(client: MongoClient): MongoStore['insertAcross'] {
  let isSupported = true
  return async (inserts) => {
    if (!isSupported) return false
    const namespaces = [...new Set(inserts.map(({ collection }) => collection.namespace))]
    const command = {
      bulkWrite: 1,
      ops: inserts.map(({ collection, document }) => ({
        insert: namespaces.indexOf(collection.namespace),
        document,
      })),
      nsInfo: namespaces.map((ns) => ({ ns })),
      ordered: true,
      errorsOnly: true,
    }
    const reply = await client
      .db('admin')
      .command(command)
      .catch((error: unknown) => {
        if (!lacking.has((error as { code?: unknown } | null)?.code)) throw error
        isSupported = false
        return null
      })
    if (!reply) return false
    const { nErrors, cursor } = reply as { nErrors: number; cursor: { firstBatch: { errmsg?: string }[] } }
    if (nErrors > 0) throw new Error(cursor.firstBatch[0]?.errmsg ?? 'a document was not stored')
    return true
  }
}

/** Throws a SettingsError where the address can't be read. */
function createMongoClient(uri: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(uri, options)
  } catch (error) {
    const message = getErrorText(error)
    throw new SettingsError([
      `MONGODB_URI: ${message}; write mongodb://user:password@host:27017, and percent-encode special characters of the password`,
    ])
  }
}

/** Parses a document in canonical Extended JSON, which preserves every value's type; throws if it is none. */
export const parseDocument = (text: string): unknown => BSON.EJSON.parse(text, { relaxed: false })

/** Tells whether an insert met a document with the same _id. */
const isDuplicate = (error: unknown) => (error as { code?: unknown } | null)?.code === 11_000

/**
 * Waits for an insert; returns false if a document with the same _id exists, which then stays unchanged.
 */
export async function waitForInsert(insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}
