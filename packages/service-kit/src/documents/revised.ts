/** Documents that change, one change at a time: an update names the revision that it was made from. Values are JSON text. */
import { isDuplicate, type Mongo } from '../mongo.ts'

export interface RevisedDocuments<T> {
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

/** Documents of one kind, in a collection of this service. */
export function revisedDocuments<T>(mongo: Mongo, name: string): RevisedDocuments<T> {
  const collection = mongo.collection<{ rev: number; text: string }>(name)
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
