/**
 * Documents that are only inserted, under ids that their makers choose. The unique _id decides which of
 * several writers counts, on any MongoDB-compatible server. Values are JSON text, which preserves every
 * JSON value (keys with $ or dots, 1 and 1.0). Look-ups use only _id.
 */
import { insertTogether } from '../insert-together.ts'
import type { MongoStore } from '../mongo.ts'
import { write, type JsonWritten } from '../written.ts'

/** Documents that are written once. */
export interface FixedDocuments<T> {
  /** Stores it, written already or not; false where there is one, which then stays as it is. */
  put(id: string, value: T | JsonWritten): Promise<boolean>
  get(id: string): Promise<T | null>
  /** Finds documents by their ids, in that order, with null where there is none. */
  many(ids: readonly string[]): Promise<(T | null)[]>
  remove(...ids: string[]): Promise<void>
  /**
   * All of an owner: ids that begin with `<prefix>/`. Looks at the whole collection: for small ones, and for
   * ends.
   */
  drop(prefix: string): Promise<void>
}

/** Ids in one command: answers stay small, and no server has to look at more than it can hold. */
const together = 100
const splitTurns = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / together) }, (_, n) =>
    ids.slice(n * together, (n + 1) * together),
  )

/** Documents of one kind, in a collection of this service. */
export function openFixedDocuments<T>(mongo: MongoStore, name: string): FixedDocuments<T> {
  const collection = mongo.collection<{ text: string }>(name)
  const insert = insertTogether(collection)
  const remove = async (...ids: string[]) => {
    for (const some of splitTurns(ids)) await collection.deleteMany({ _id: { $in: some } })
  }
  const get = async (id: string) => {
    const document = await collection.findOne({ _id: id })
    return document === null ? null : (JSON.parse(document.text) as T)
  }
  return {
    get,
    put: (id, value) => insert({ _id: id, text: write(value).text }),
    async many(ids) {
      const byId = new Map<string, T>()
      for (const some of splitTurns(ids))
        for (const { _id, text } of await collection.find({ _id: { $in: some } }).toArray())
          byId.set(_id, JSON.parse(text) as T)
      return ids.map((id) => byId.get(id) ?? null)
    },
    remove,
    async drop(prefix) {
      // '0' is the character after '/'.
      const cursor = collection.find(
        { _id: { $gte: `${prefix}/`, $lt: `${prefix}0` } },
        { projection: { _id: 1 } },
      )
      const ids: string[] = []
      for await (const { _id } of cursor) ids.push(_id)
      await remove(...ids)
    },
  }
}
