/**
 * The text that the service's checksum is taken of: Java's form of a document, `Document{{a=1, b=[x, y]}}`. So key
 * order matters, and a text and a number that look alike count as the same content.
 */
import type { Json } from '@stateeval/contracts'

const known = new WeakMap<object, string>()

export function contentText(value: Json): string {
  if (value === null || typeof value !== 'object') return String(value)
  const text = known.get(value)
  if (text !== undefined) return text
  const made = Array.isArray(value)
    ? `[${value.map(contentText).join(', ')}]`
    : `Document{{${Object.entries(value)
        .map(([key, item]) => `${key}=${contentText(item)}`)
        .join(', ')}}}`
  // Data of a world is never changed in place, so the text of an object stays true.
  known.set(value, made)
  return made
}
