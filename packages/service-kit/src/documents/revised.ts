/**
 * Documents that change, one change at a time on every MongoDB-compatible server (docs/decisions/inserts.md).
 * A change inserts the next revision, so one of several at a time counts. The document itself follows: it
 * holds a recent revision, mostly the last, and a reader that finds a newer one brings it up to date. Values
 * are JSON text.
 */
import { randomUUID } from 'node:crypto'
import { waitForInsert, type MongoStore } from '../mongo.ts'

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

/**
 * `series` is drawn when a document is created, so that leftovers of a removed one are never taken for its
 * successor's.
 */
interface DocumentRevision {
  rev: number
  text: string
  series: string
}

/** Documents of one kind, in two collections of this service. */
export function openRevisedDocuments<T>(mongo: MongoStore, name: string): RevisedDocuments<T> {
  const documents = mongo.collection<DocumentRevision>(name)
  const revisions = mongo.collection<{ text: string }>(`${name}.revisions`)
  const revisionId = (series: string, rev: number) => `${series}/${rev}`

  /** False where the document was removed meanwhile. */
  const bringUpToDate = async (id: string, { rev, text, series }: DocumentRevision) => {
    const { matchedCount } = await documents.updateOne(
      { _id: id, series, rev: { $lt: rev } },
      { $set: { rev, text } },
    )
    return matchedCount > 0 || (await documents.findOne({ _id: id }))?.series === series
  }
  const newest = async (id: string): Promise<DocumentRevision | null> => {
    const document = await documents.findOne({ _id: id })
    if (document === null) return null
    let { rev, text } = document
    const { series } = document
    for (;;) {
      const next = await revisions.findOne({ _id: revisionId(series, rev + 1) })
      if (next === null) break
      rev++
      text = next.text
    }
    const last = { rev, text, series }
    if (rev !== document.rev) await bringUpToDate(id, last)
    return last
  }
  const create = (id: string, value: T) =>
    waitForInsert(documents.insertOne({ _id: id, rev: 0, text: JSON.stringify(value), series: randomUUID() }))
  const update = async (id: string, change: (value: T) => T | null): Promise<T | null> => {
    for (;;) {
      const last = await newest(id)
      if (last === null) return null
      const before = JSON.parse(last.text) as T
      const value = change(before)
      if (value === null) return before
      const { series } = last
      const next = { rev: last.rev + 1, text: JSON.stringify(value), series }
      const nextId = revisionId(series, next.rev)
      if (!(await waitForInsert(revisions.insertOne({ _id: nextId, text: next.text })))) continue
      if (await bringUpToDate(id, next)) return value
      await revisions.deleteOne({ _id: nextId })
      return null
    }
  }
  return {
    create,
    update,
    async get(id) {
      const last = await newest(id)
      return last && (JSON.parse(last.text) as T)
    },
    async replace(id, value) {
      if (!(await create(id, value))) await update(id, () => value)
    },
    async remove(id) {
      const last = await newest(id)
      const { deletedCount } = await documents.deleteOne({ _id: id })
      for (let rev = last?.rev ?? 0; last && rev > 0; rev--)
        await revisions.deleteOne({ _id: revisionId(last.series, rev) })
      return deletedCount === 1
    },
    async page(cursor, limit) {
      const entries = await documents
        .find(cursor === undefined ? {} : { _id: { $gt: cursor } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray()
      return entries.map(({ _id, text }) => ({ id: _id, value: JSON.parse(text) as T }))
    },
  }
}
