/**
 * The printed text of a document, by which some services find duplicates: Java's form, `Document{{a=1, b=[x,
 * y]}}`. Therefore key order matters, and a text and a number that look alike count as the same content.
 */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { memoize } from '@stateeval/program'

export const contentText = memoize((document: JsonObject): string => write(document))

/** Tells whether two documents have the same printed text. */
export const hasSameContent = (a: JsonObject, b: JsonObject): boolean =>
  a === b || (!isStartingDifferently(a, b) && contentText(a) === contentText(b))

/**
 * Tells whether two texts differ in their first field already, as those of most documents do: the field has
 * one name, and neither value begins with the other.
 */
function isStartingDifferently(a: JsonObject, b: JsonObject): boolean {
  const [key] = Object.keys(a)
  if (key === undefined || key !== Object.keys(b)[0]) return false
  const [one, other] = [a[key], b[key]]
  return (
    typeof one === 'string' && typeof other === 'string' && !one.startsWith(other) && !other.startsWith(one)
  )
}

function write(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return String(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? write(item) : `, ${write(item)}`
    return `[${text}]`
  }
  for (const key of Object.keys(value))
    text += `${text === '' ? '' : ', '}${key}=${write(value[key] as JsonValue)}`
  return `Document{{${text}}}`
}
