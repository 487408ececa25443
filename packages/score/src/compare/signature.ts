/**
 * A text that two values share if they can be equal under some renaming of created ids: keys sorted,
 * created ids masked, initial ids replaced by position, numbers masked if a tolerance applies. It sorts the
 * elements of unordered lists into classes; only elements of the same class are tried on each other.
 */
import type { IdTable } from './ids.ts'
import { UnorderedList } from './unordered.ts'

interface SignatureOptions {
  ids: IdTable
  maskNumbers: boolean
  /** Called once per value: counts work. */
  visit?: () => void
}

/** The signature of a value, whose depth must be within the size limit. */
export function computeSignature(value: unknown, options: SignatureOptions): string {
  options.visit?.()
  if (typeof value === 'string') return maskText(value, options.ids)
  if (typeof value === 'number') return options.maskNumbers ? '~' : String(value + 0)
  if (value === null || typeof value !== 'object') return String(value)
  if (value instanceof UnorderedList)
    return `{${value.items
      .map((item) => computeSignature(item, options))
      .sort()
      .join(',')}}`
  if (Array.isArray(value)) return `[${value.map((item) => computeSignature(item, options)).join(',')}]`
  const entries = Object.entries(value).map(
    ([key, item]) => `${maskText(key, options.ids)}:${computeSignature(item, options)}`,
  )
  return `(${entries.sort().join(',')})`
}

const maskText = (value: string, ids: IdTable) => {
  const parts = ids.split(value)
  return parts.map((part, index) => (index % 2 ? maskId(part, ids) : JSON.stringify(part))).join('')
}

const maskId = (id: string, ids: IdTable) => {
  const info = ids.info(id)
  return info?.kind === 'initial' ? `#${info.index}` : info?.isGone ? '#gone' : '#new'
}
