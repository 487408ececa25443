/** JSON as a Python literal. */
import type { JsonValue } from '@stateeval/contracts'

export function formatPythonValue(value: JsonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(formatPythonValue).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${formatPythonValue(item)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
