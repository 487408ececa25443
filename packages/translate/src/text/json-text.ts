/** A constant in an instruction: JSON on one line, in the order of its keys. */
import type { JsonValue } from '@stateeval/contracts'

export function formatJsonText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(formatJsonText).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${formatJsonText(item)}`)
      .join(', ')}}`
  }
  return JSON.stringify(value)
}
