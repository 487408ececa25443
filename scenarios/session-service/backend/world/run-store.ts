/**
 * The sessions of one run. They stay in memory as long as that answers exactly what the database would: of
 * documents that every database keeps as they are, all but the rarer filters. With the first request beyond
 * that, the run moves to the database, and stays there. A program of five calls costs the database nothing
 * then (docs/decisions/sandbox-cost.md).
 */
import type { Document } from 'mongodb'
import { checksum } from '../document/text.ts'
import type { Doc } from '../document/value.ts'
import { Refusal } from '../errors.ts'
import { duplicate, type Session, type SessionStore, type Store } from '../store.ts'
import type { SessionType } from '../../types.ts'
import type { InitialItem } from './initial.ts'
import { conditionsOf, passes } from './memory-filter.ts'
import { sizeInMemory } from './plain.ts'

/** A run that holds more bytes moves to the database. */
export const maxMemoryBytes = 1_048_576

interface Held extends Session {
  data: Doc
  size: number
  /** What no other session of the run may equal. */
  content: string
}

const contentOf = (source: string, type: SessionType, data: Doc): Omit<Held, 'id'> => ({
  source,
  type,
  data,
  size: sizeInMemory(data) + sizeInMemory(source),
  content: `${type} ${checksum(data)} ${source}`,
})

export class RunStore implements SessionStore {
  readonly #newId: () => string
  readonly #open: () => Promise<Store>
  readonly #maxBytes: number
  /** By id. Ids grow, so this is the order of insertion too. */
  readonly #held = new Map<string, Held>()
  readonly #idByContent = new Map<string, string>()
  #bytes = 0
  #database: Promise<Store> | undefined

  /** `open` gives the database, which is empty. */
  constructor(
    items: readonly InitialItem[],
    newId: () => string,
    open: () => Promise<Store>,
    maxBytes = maxMemoryBytes,
  ) {
    this.#newId = newId
    this.#open = open
    this.#maxBytes = maxBytes
    for (const { id, source, type, data } of items) this.#put({ id, ...contentOf(source, type, data) })
  }

  /** Rejects where the initial items don't fit in memory and the database fails. */
  async begin(): Promise<void> {
    if (this.#bytes >= this.#maxBytes) await this.#moved()
  }

  get inDatabase(): boolean {
    return this.#database !== undefined
  }

  #moved(): Promise<Store> {
    this.#database ??= this.#open().then(async (store) => {
      if (this.#held.size > 0) await store.fill([...this.#held.values()])
      this.#held.clear()
      this.#idByContent.clear()
      return store
    })
    return this.#database
  }

  #put(entry: Held) {
    this.#bytes += entry.size - (this.#held.get(entry.id)?.size ?? 0)
    this.#held.set(entry.id, entry)
    this.#idByContent.set(entry.content, entry.id)
  }

  /** The session of these, if it is in memory. */
  #one(type: SessionType, source: string, id: string): Held | undefined {
    const entry = this.#held.get(id.toLowerCase())
    return entry?.type === type && entry.source === source ? entry : undefined
  }

  #ofPlace = (type: SessionType, source: string): Held[] =>
    [...this.#held.values()].filter((entry) => entry.type === type && entry.source === source)

  async add(source: string, type: SessionType, data: Doc): Promise<{ id: string; added: boolean }> {
    if (this.#database) return (await this.#database).add(source, type, data)
    const session = contentOf(source, type, data)
    if (this.#bytes + session.size > this.#maxBytes) return (await this.#moved()).add(source, type, data)
    // An id is taken first, as for the database, so that the next one is the same on both ways.
    const id = this.#newId()
    const same = this.#idByContent.get(session.content)
    if (same !== undefined) return { id: same, added: false }
    this.#put({ id, ...session })
    return { id, added: true }
  }

  async find(type: SessionType, filter: Document, timeMs: number): Promise<Session[]> {
    if (this.#database) return (await this.#database).find(type, filter, timeMs)
    const { source, ...fields } = filter
    const conditions = conditionsOf(fields)
    if (conditions) {
      const places = this.#ofPlace(type, source as string)
      const results = places.map(({ data }) => passes(data, conditions))
      if (!results.includes(undefined)) return places.filter((_, i) => results[i])
    }
    return (await this.#moved()).find(type, filter, timeMs)
  }

  async list(type: SessionType, source: string): Promise<Session[]> {
    if (this.#database) return (await this.#database).list(type, source)
    return this.#ofPlace(type, source)
  }

  async get(type: SessionType, source: string, id: string): Promise<Session | undefined> {
    if (this.#database) return (await this.#database).get(type, source, id)
    return this.#one(type, source, id)
  }

  async update(type: SessionType, source: string, id: string, data: Doc): Promise<boolean> {
    if (this.#database) return (await this.#database).update(type, source, id, data)
    const before = this.#one(type, source, id)
    if (!before) return false
    const entry = { id: before.id, ...contentOf(source, type, data) }
    if (this.#bytes - before.size + entry.size > this.#maxBytes)
      return (await this.#moved()).update(type, source, id, data)
    const same = this.#idByContent.get(entry.content)
    if (same !== undefined && same !== entry.id) throw new Refusal(500, duplicate)
    this.#idByContent.delete(before.content)
    this.#put(entry)
    return true
  }

  async remove(type: SessionType, source: string, id: string): Promise<Session | undefined> {
    if (this.#database) return (await this.#database).remove(type, source, id)
    const entry = this.#one(type, source, id)
    if (!entry) return undefined
    this.#held.delete(entry.id)
    this.#idByContent.delete(entry.content)
    this.#bytes -= entry.size
    return entry
  }

  /** All sessions, in insertion order. */
  async all(): Promise<Session[]> {
    if (this.#database) return (await this.#database).all()
    return [...this.#held.values()]
  }
}
