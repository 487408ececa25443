/**
 * Canonical JSON (RFC 8785) and content addresses: equal values have the same bytes and the same id
 * everywhere.
 */
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * The canonical text of a JSON value: sorted keys, no white space. Throws on anything else. Half a
 * surrogate pair, which the RFC refuses, is escaped like in JSON.stringify: candidates' results may contain
 * one, and must have a text.
 */
export function canonicalJson(value: unknown): string {
  const plain = new PlainText()
  const text = plain.write(value, 0) ? plain.text : canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** Deeper and circular values are left to the library. */
const deepest = 500

/**
 * The same text as the library's, several times as fast, of plain JSON values: one text that grows, so little
 * is made on the way.
 */
class PlainText {
  text = ''

  /** False for what needs more care, or is refused. */
  write(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.add(quoteText(value))
    if (typeof value === 'number') return Number.isFinite(value) && this.add(String(value))
    if (typeof value === 'boolean' || value === null) return this.add(String(value))
    if (typeof value !== 'object' || depth > deepest) return false
    if ((value as { toJSON?: unknown }).toJSON !== undefined) return false
    return Array.isArray(value) ? this.writeList(value, depth + 1) : this.writeObject(value, depth + 1)
  }
  private add(text: string): true {
    this.text += text
    return true
  }
  private writeList(list: readonly unknown[], depth: number): boolean {
    this.text += '['
    for (let index = 0; index < list.length; index++) {
      if (index > 0) this.text += ','
      if (!this.write(list[index], depth)) return false
    }
    this.text += ']'
    return true
  }
  private writeObject(value: object, depth: number): boolean {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return false
    const { sortedKeys, openings } = getObjectForm(Object.keys(value))
    let none = true
    for (let at = 0; at < sortedKeys.length; at++) {
      const member = (value as Record<string, unknown>)[sortedKeys[at] as string]
      if (member === undefined) continue
      // The first member that is there opens the object.
      this.text += none && at > 0 ? `{${(openings[at] as string).slice(1)}` : (openings[at] as string)
      none = false
      if (typeof member === 'string') this.text += quoteText(member)
      else if (!this.write(member, depth)) return false
    }
    this.text += none ? '{}' : '}'
    return true
  }
}

/** How objects with these keys are written. */
interface ObjectForm {
  /** Keys in the order of the object. */
  keys: readonly string[]
  sortedKeys: readonly string[]
  /** Text before the value of each: `{"a":`, then `,"b":`. */
  openings: readonly string[]
}

/** Most objects have the keys of another one before: their forms are kept, by the first key. */
const forms = new Map<string, ObjectForm[]>()
const [maxFirst, maxAlike, longestForm] = [500, 20, 30]

function getObjectForm(keys: readonly string[]): ObjectForm {
  const first = keys[0] ?? ''
  const candidates = forms.get(first)
  if (candidates) for (const form of candidates) if (hasSameKeys(form.keys, keys)) return form
  const sortedKeys = keys.toSorted(compareCodeUnits)
  const openings = sortedKeys.map((key, at) => `${at === 0 ? '{' : ','}${quoteText(key)}:`)
  const form = { keys, sortedKeys, openings }
  if (keys.length > longestForm || keys.some(({ length }) => length > longestKept)) return form
  if (!candidates && forms.size < maxFirst) forms.set(first, [form])
  else if (candidates && candidates.length < maxAlike) candidates.push(form)
  return form
}

function hasSameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}
const compareCodeUnits = (a: string, b: string) => (a < b ? -1 : 1)

/** Names, places and other short texts come again and again: some of them are kept as they are written. */
const [maxKept, longestKept] = [5000, 60]
const texts = new Map<string, string>()

/** Printable ASCII without what JSON escapes: most texts are, and looking is faster than escaping. */
const needsNoEscape = /^[ !#-[\]-~]*$/
function quoteText(text: string): string {
  const cachedQuote = texts.get(text)
  if (cachedQuote !== undefined) return cachedQuote
  const quote = needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text)
  if (text.length <= longestKept && texts.size < maxKept) texts.set(text, quote)
  return quote
}

export const sha256 = (data: string | Uint8Array) => hash('sha256', data)

/** The content address of a JSON value. */
export const computeContentId = (value: unknown) => sha256(canonicalJson(value))
