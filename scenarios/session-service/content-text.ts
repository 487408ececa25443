/**
 * The text that the service's checksum is taken of: Java's form of a document, `Document{{a=1, b=[x, y]}}`. So key
 * order matters, and a text and a number that look alike count as the same content.
 */
import type { Json } from '@stateeval/contracts'

const known = new WeakMap<object, string>()

export function contentText(value: Json): string {
  if (value === null || typeof value !== 'object') return String(value)
  let text = known.get(value)
  // Data of a world is never changed in place, so the text of an object stays true.
  if (text === undefined) known.set(value, (text = write(value)))
  return text
}

function write(value: Json): string {
  if (value === null || typeof value !== 'object') return String(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? write(item) : `, ${write(item)}`
    return `[${text}]`
  }
  for (const key of Object.keys(value)) text += `${text === '' ? '' : ', '}${key}=${write(value[key] as Json)}`
  return `Document{{${text}}}`
}
