/**
 * Documents as they lie in the database. Where every MongoDB-compatible server stores a value as it is, it is
 * stored as it is. FerretDB v1 refuses names with a dot or a leading $, lists in lists, NaN, infinities and
 * decimals (some of them close the connection), so these are stored in a separate form; paths of queries are
 * written alike.
 */
import { Double } from 'mongodb'
import { type BsonDocument, SpecialValue, type SpecialKind, type BsonValue } from './value.ts'

/** The name that marks a stored form. A name of a user never equals it: `%` is written `%25`. */
const MARK = '%'

/** `_id` is written apart because FerretDB moves it to the front of every document, also of inner ones. */
export const encodeStoredName = (name: string) =>
  name === '_id' ? '%5Fid' : name.replaceAll('%', '%25').replaceAll('.', '%2E').replace(/^\$/, '%24')
const readName = (name: string) =>
  name.replace(/%(25|2E|24|5F)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A query's path to a field: each part is written as the names are. */
export const encodeStoredPath = (path: string) => path.split('.').map(encodeStoredName).join('.')

const markStored = (kind: string, entries: [string, BsonValue][] = []): BsonDocument =>
  new Map<string, BsonValue>([[MARK, kind], ...entries])

export function toStored(value: BsonValue, inList = false): BsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => toStored(item, true))
    // Numbered names let a path such as data.rows.0.1 lead where it would lead in a list.
    return inList
      ? markStored(
          'list',
          items.map((item, i) => [String(i), item]),
        )
      : items
  }
  if (value instanceof Map)
    return new Map([...value].map(([name, item]) => [encodeStoredName(name), toStored(item)]))
  if (value instanceof SpecialValue) return markStored(value.kind, [['text', value.text]])
  if (value instanceof Double && !Number.isFinite(value.value))
    return markStored('double', [['text', String(value.value)]])
  return value
}

export function decodeStored(value: BsonValue): BsonValue {
  if (Array.isArray(value)) return value.map(decodeStored)
  if (!(value instanceof Map)) return value
  const kind = value.get(MARK)
  if (typeof kind !== 'string')
    return new Map([...value].map(([name, item]) => [readName(name), decodeStored(item)]))
  if (kind === 'list') return [...value].slice(1).map(([, item]) => decodeStored(item))
  const text = value.get('text') as string
  return kind === 'double' ? new Double(Number(text)) : new SpecialValue(kind as SpecialKind, text)
}
