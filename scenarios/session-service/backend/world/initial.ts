/** The initial items of a world: checked, with the ids that belong to them. */
import { canonicalJson, isRecord } from '@stateeval/contracts'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { parseDocument } from '../document/parse.ts'
import { computeChecksum } from '../document/text.ts'
import { type BsonDocument, DocumentError } from '../document/value.ts'
import { createIds } from '../ids.ts'
import { type SessionType, sessionTypes } from '../../types.ts'

export interface InitialItem {
  id: string
  source: string
  type: SessionType
  data: BsonDocument
  /** Length of the data as JSON, in characters. */
  characters: number
}

/**
 * `{ items: [{ source, type, data }] }` with ids from its SHA-256: the same items have the same ids in every
 * run. `{}` holds none.
 */
export function readInitial(initial: unknown): InitialItem[] {
  const items: unknown = isRecord(initial) ? (initial['items'] ?? []) : undefined
  if (!Array.isArray(items))
    throw new InitialError('world: give { "items": [{ "source", "type", "data" }] }, or {} for none')
  const newId = createIds(canonicalJson(items), 'initial')
  const copies = new Map<string, number>()
  return items.map((item: unknown, i) => {
    const at = `world.items[${i}]`
    if (!isRecord(item)) throw new InitialError(`${at}: give an object with source, type and data`)
    const { source, data } = item
    const type = sessionTypes.find((one) => one === item['type'])
    if (typeof source !== 'string' || source.length < 3)
      throw new InitialError(`${at}.source: give a text of at least 3 characters`)
    if (!type) throw new InitialError(`${at}.type: give one of ${sessionTypes.join(', ')}`)
    const { doc, characters } = readData(data, at)
    const content = `${type}/${computeChecksum(doc)}/${source}`
    const same = copies.get(content)
    if (same !== undefined)
      throw new InitialError(
        `${at}: equals world.items[${same}]; the service keeps equal data of one source and type once`,
      )
    copies.set(content, i)
    return { id: newId(), source, type, data: doc, characters }
  })
}

function readData(data: unknown, at: string): { doc: BsonDocument; characters: number } {
  if (!isRecord(data)) throw new InitialError(`${at}.data: give an object`)
  const text = JSON.stringify(data)
  try {
    const doc = parseDocument(text, { now: () => new Date(0), newId: () => '0'.repeat(24) })
    return { doc, characters: text.length }
  } catch (error) {
    if (error instanceof DocumentError) throw new InitialError(`${at}.data: ${error.message}`)
    throw error
  }
}
