/** Canonical JSON (RFC 8785) and content addresses: the same value has the same bytes and the same id everywhere. */
import { hash } from 'node:crypto'
import type { Program } from '@stateeval/contracts'
import canonicalize from 'canonicalize'

/** The canonical text of a JSON value: sorted keys, no white space. Throws on what is no JSON value. */
export function canonicalJson(value: unknown): string {
  const text = plainText(value, 0) ?? canonicalize(value)
  if (text === undefined) throw new TypeError('not a JSON value')
  return text
}

/** What is nested deeper, or in a circle, is left to the library. */
const deepest = 100

/** The same text as the library's, several times as fast, of plain JSON values; undefined for what needs more care, or is refused. */
function plainText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value === 'boolean') return String(value)
  if (value === null) return 'null'
  if (typeof value !== 'object' || depth > deepest) return undefined
  let text = ''
  if (Array.isArray(value)) {
    if ('toJSON' in value) return undefined
    for (let index = 0; index < value.length; index++) {
      const item = plainText(value[index], depth + 1)
      if (item === undefined) return undefined
      text += index === 0 ? item : `,${item}`
    }
    return `[${text}]`
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  for (const key of sorted(Object.keys(value))) {
    if (key === 'toJSON') return undefined
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    const item = plainText(member, depth + 1)
    const name = keyText(key)
    if (item === undefined || name === undefined) return undefined
    text += text === '' ? name + item : `,${name}${item}`
  }
  return `{${text}}`
}

/** Keys come again and again: the texts of the first few hundred are kept. */
const keyTexts = new Map<string, string>()
function keyText(key: string): string | undefined {
  const known = keyTexts.get(key)
  if (known !== undefined) return known
  if (!key.isWellFormed()) return undefined
  const text = `${JSON.stringify(key)}:`
  if (keyTexts.size < 500 && key.length < 100) keyTexts.set(key, text)
  return text
}

/** Printable ASCII without what JSON escapes: most texts are, and looking is faster than escaping. */
const needsNoEscape = /^[ !#-[\]-~]*$/
function quoted(text: string): string | undefined {
  if (needsNoEscape.test(text)) return `"${text}"`
  return text.isWellFormed() ? JSON.stringify(text) : undefined
}

/** Sorts in place, by insertion: objects have few keys, and most stand in order already. */
function sorted(keys: string[]): string[] {
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] as string
    let to = at
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string
    keys[to] = key
  }
  return keys
}

export const sha256 = (data: string | Uint8Array) => hash('sha256', data)

/** The content address of a JSON value. */
export const contentId = (value: unknown) => sha256(canonicalJson(value))

/** Gives a program its id: the SHA-256 of its canonical form without the id. */
export function withId(program: Omit<Program, 'id'>): Program {
  const { id: _, ...rest } = program as Program
  return { ...rest, id: contentId(rest) }
}
