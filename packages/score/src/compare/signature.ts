/**
 * A text that two values share if they can be equal under some renaming of created ids: keys sorted,
 * created ids masked, initial ids replaced by position, numbers masked if a tolerance applies. It sorts the
 * elements of unordered lists into classes; only elements of the same class are tried on each other.
 */
import type { Ids } from './ids.ts'
import { Unordered } from './unordered.ts'

interface SignatureOptions {
  ids: Ids
  maskNumbers: boolean
  /** Called once per value: counts work. */
  visit?: () => void
}

/** The signature of a value, whose depth must be within the size limit. */
export function signature(value: unknown, options: SignatureOptions): string {
  options.visit?.()
  if (typeof value === 'string') return text(value, options.ids)
  if (typeof value === 'number') return options.maskNumbers ? '~' : String(value + 0)
  if (value === null || typeof value !== 'object') return String(value)
  if (value instanceof Unordered)
    return `{${value.items
      .map((item) => signature(item, options))
      .sort()
      .join(',')}}`
  if (Array.isArray(value)) return `[${value.map((item) => signature(item, options)).join(',')}]`
  const entries = Object.entries(value).map(
    ([key, item]) => `${text(key, options.ids)}:${signature(item, options)}`,
  )
  return `(${entries.sort().join(',')})`
}

const text = (value: string, ids: Ids) => {
  const parts = ids.split(value)
  return parts.map((part, index) => (index % 2 ? masked(part, ids) : JSON.stringify(part))).join('')
}

const masked = (id: string, ids: Ids) => {
  const info = ids.info(id)
  return info?.kind === 'initial' ? `#${info.index}` : info?.isGone ? '#gone' : '#new'
}
