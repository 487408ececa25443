/**
 * The only file that knows MongoDB. How items end is only ever inserted, by ids made from owner, stage and index: the unique
 * _id is what makes an item count once, on any MongoDB-compatible server. Values are stored as JSON text, so
 * that every JSON value survives as it is (keys with $ or dots, 1 and 1.0). Look-ups go by _id alone.
 */
import { insertTogether, isDuplicate, type Mongo, write, type Written } from '@stateeval/service-kit'

interface Text {
  _id: string
  text: string
}
interface Revised extends Text {
  rev: number
}

/** Documents that are written once. */
export interface Once<T> {
  /** Stores it, written already or not; false where there is one, which then stays as it is. */
  put(id: string, value: T | Written): Promise<boolean>
  get(id: string): Promise<T | null>
  /** By ids, in their order, with null where there is none. */
  many(ids: readonly string[]): Promise<(T | null)[]>
  remove(...ids: string[]): Promise<void>
  /** All of an owner: ids that begin with `<prefix>/`. Looks at the whole collection: for small ones, and for ends. */
  drop(prefix: string): Promise<void>
}

/** Documents that change, one change at a time. */
export interface Revisable<T> {
  /** False where there is one already. */
  create(id: string, value: T): Promise<boolean>
  get(id: string): Promise<T | null>
  /** Applies a change to the newest value, again where another was faster; null from `change` leaves it. */
  update(id: string, change: (value: T) => T | null): Promise<T | null>
  replace(id: string, value: T): Promise<void>
  remove(id: string): Promise<boolean>
  /** In the order of ids, after the cursor. */
  page(cursor: string | undefined, limit: number): Promise<{ id: string; value: T }[]>
}

/** Ids in one command: answers stay small, and no server has to look at more than it can hold. */
const together = 100
const inTurn = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / together) }, (_, n) =>
    ids.slice(n * together, (n + 1) * together),
  )

function once<T>(mongo: Mongo, name: string): Once<T> {
  const collection = mongo.collection<Text>(name)
  const insert = insertTogether(collection)
  const remove = async (...ids: string[]) => {
    for (const some of inTurn(ids)) await collection.deleteMany({ _id: { $in: some } })
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
      for (const some of inTurn(ids))
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

function revisable<T>(mongo: Mongo, name: string): Revisable<T> {
  const collection = mongo.collection<Revised>(name)
  // Embedded servers apply concurrent updates of one document one over the other; within a process they queue up here.
  const queues = new Map<string, Promise<unknown>>()
  const exclusively = async <R>(id: string, work: () => Promise<R>): Promise<R> => {
    const before = queues.get(id)
    const mine = (async () => {
      await before?.catch(() => undefined)
      return work()
    })()
    queues.set(id, mine)
    try {
      return await mine
    } finally {
      if (queues.get(id) === mine) queues.delete(id)
    }
  }
  const read = async (id: string) => {
    const document = await collection.findOne({ _id: id })
    return document === null ? null : { rev: document.rev, value: JSON.parse(document.text) as T }
  }
  const create = async (id: string, value: T) => {
    try {
      await collection.insertOne({ _id: id, rev: 0, text: JSON.stringify(value) })
      return true
    } catch (error) {
      if (isDuplicate(error)) return false
      throw error
    }
  }
  const update = (id: string, change: (value: T) => T | null) =>
    exclusively(id, async () => {
      for (;;) {
        const entry = await read(id)
        if (entry === null) return null
        const value = change(entry.value)
        if (value === null) return entry.value
        const { matchedCount } = await collection.updateOne(
          { _id: id, rev: entry.rev },
          { $set: { rev: entry.rev + 1, text: JSON.stringify(value) } },
        )
        if (matchedCount === 1) return value
      }
    })
  return {
    create,
    update,
    get: async (id) => (await read(id))?.value ?? null,
    async replace(id, value) {
      if (!(await create(id, value))) await update(id, () => value)
    },
    remove: async (id) => (await collection.deleteOne({ _id: id })).deletedCount === 1,
    async page(cursor, limit) {
      const documents = await collection
        .find(cursor === undefined ? {} : { _id: { $gt: cursor } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray()
      return documents.map(({ _id, text }) => ({ id: _id, value: JSON.parse(text) as T }))
    },
  }
}

export const storeIn = (mongo: Mongo) => ({
  once: <T>(name: string) => once<T>(mongo, name),
  revisable: <T>(name: string) => revisable<T>(mongo, name),
})
export type Store = ReturnType<typeof storeIn>
