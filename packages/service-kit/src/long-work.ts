/**
 * Long work as stored state: begun once, ended once, open in between. Begin and end are inserts under the
 * work's id, so that one of several at a time counts on every MongoDB-compatible server
 * (docs/decisions/inserts.md). Open work is in a separate small collection, which a sweep reads whole and
 * progress is written to.
 */
import type { Document, Filter } from 'mongodb'
import { insertTogether } from './insert-together.ts'
import { waitForInsert, type MongoStore } from './mongo.ts'
import { getCurrentSpan } from './tracing/tracer.ts'

export interface LongWork<Begun extends { _id: string }, End extends object, Progress> {
  /**
   * Marks work as open before it is begun, so that it counts; false where it is marked already. Who doesn't
   * begin it takes the mark back.
   */
  announce(id: string, at: Date): Promise<boolean>
  takeBack(id: string): Promise<void>
  /** Takes back what was announced before a moment and never begun: whoever did it was killed. */
  dropAnnounced(before: Date): Promise<void>
  /** How many are open. */
  openCount(): Promise<number>
  /** Stores it unless it exists, and gives the stored one. */
  begin(work: Begun): Promise<Begun>
  /** Stores work that was begun and ended in one go, and was never open. */
  record(work: Begun, end: End): Promise<void>
  find(id: string): Promise<LongWorkRecord<Begun, End, Progress> | null>
  /** Ends it unless it has ended, and gives the end that counts. */
  end(id: string, end: End): Promise<End>
  ended(id: string): Promise<End | null>
  /** For watchers; the last one to say something is believed, and work that has ended stays as it is. */
  progress(id: string, progress: Progress): Promise<void>
  /** Lists work that has not ended. */
  open(): Promise<OpenWork<Begun>[]>
  /** The same one by one, about in the order in which it was begun, for those who need not see all. */
  inTurn(): AsyncIterable<OpenWork<Begun>>
  /** In the order of their ids, those after one, without the members that are `unlisted`. */
  list(after: string, limit: number): Promise<LongWorkRecord<Begun, End, Progress>[]>
}
/** With the `traceparent` of the request that began it: later requests for it continue that trace. */
export type OpenWork<Begun> = Begun & { trace?: string }
export interface LongWorkRecord<Begun, End, Progress> {
  start: Begun
  /** Absent until someone has worked on it. */
  progress?: Progress
  /** Absent while it is open. */
  end?: End
}

export function openLongWork<Begun extends { _id: string }, End extends object, Progress = never>(
  mongo: MongoStore,
  name: string,
  { unlisted = [] }: { unlisted?: readonly (string & keyof Begun)[] } = {},
): LongWork<Begun, End, Progress> {
  const works = mongo.collection(name)
  const ends = mongo.collection<{ end: End }>(`${name}.ends`)
  const openWorks = mongo.collection<{ progress?: Progress; at?: Date; trace?: string }>(`${name}.open`)
  const insertWork = insertTogether(works)
  const insertOpen = insertTogether(openWorks)
  const byId = (id: string) => ({ _id: id }) as Filter<Document & { _id: string }>
  const ended = async (id: string) => (await ends.findOne(byId(id)))?.end ?? null
  const whole = async (start: Begun): Promise<LongWorkRecord<Begun, End, Progress>> => {
    const end = await ended(start._id)
    if (end) return { start, end }
    const progress = (await openWorks.findOne(byId(start._id)))?.progress
    return { start, ...(progress !== undefined && { progress }) }
  }
  const find = async (id: string) => (await works.findOne(byId(id))) as Begun | null
  async function* inTurn() {
    for await (const { _id, trace } of openWorks.find({}, { projection: { _id: 1, trace: 1 } })) {
      if (await ended(_id)) await openWorks.deleteOne(byId(_id))
      else {
        const start = await find(_id)
        if (start) yield { ...start, ...(trace !== undefined && { trace }) }
      }
    }
  }
  const mark = (id: string, more: { at?: Date } = {}) => {
    const trace = getCurrentSpan()?.traceparent
    return insertOpen({ _id: id, ...more, ...(trace !== undefined && { trace }) })
  }
  return {
    ended,
    announce: (id, at) => mark(id, { at }),
    async takeBack(id) {
      await openWorks.deleteOne(byId(id))
    },
    async dropAnnounced(before) {
      const marks = openWorks.find({ at: { $lt: before } }, { projection: { _id: 1 } })
      for await (const { _id } of marks) if (!(await find(_id))) await openWorks.deleteOne(byId(_id))
    },
    openCount: () => openWorks.countDocuments(),
    async begin(work) {
      // Open first: what is begun is never forgotten. A mark without work, or of work that has ended, is seen
      // to be one.
      await mark(work._id)
      return (await insertWork(work)) ? work : ((await find(work._id)) as Begun)
    },
    async record(work, end) {
      await Promise.all([
        waitForInsert(works.insertOne(work)),
        waitForInsert(ends.insertOne({ _id: work._id, end })),
      ])
    },
    async find(id) {
      const start = await find(id)
      return start && whole(start)
    },
    async end(id, end) {
      const counts = (await waitForInsert(ends.insertOne({ _id: id, end })))
        ? end
        : ((await ended(id)) as End)
      await openWorks.deleteOne(byId(id))
      return counts
    },
    async progress(id, progress) {
      await openWorks.updateOne(byId(id), { $set: { progress } })
    },
    open: () => Array.fromAsync(inTurn()),
    inTurn,
    async list(after, limit) {
      const documents = await works
        .find({ _id: { $gt: after } }, { projection: Object.fromEntries(unlisted.map((name) => [name, 0])) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray()
      return Promise.all(documents.map((start) => whole(start as Begun)))
    },
  }
}
