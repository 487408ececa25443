/** MongoDB. Connects at first use and again after each loss; single documents by string _id are all that we rely on. */
import { type Collection, type Db, type Document, MongoClient } from 'mongodb'

export interface Mongo {
  db: Db
  /** A collection of this service; its name is prefixed by the service's. */
  collection<T extends Document = Document>(name: string): Collection<T & { _id: string }>
  /** Rejects where the server does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

export function openMongo({ uri, namespace, service }: { uri: string; namespace: string; service: string }): Mongo {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 2000, connectTimeoutMS: 2000, maxPoolSize: 32, appName: service })
  const db = client.db(namespace)
  return {
    db,
    collection: <T extends Document>(name: string) => db.collection<T & { _id: string }>(`${service}.${name}`),
    async ping() {
      await db.command({ ping: 1 }, { timeoutMS: 2000 })
    },
    close: () => client.close(),
  }
}

/** True where an insert met a document of the same _id. */
export const isDuplicate = (error: unknown) => (error as { code?: unknown } | null)?.code === 11_000
