/** Forms with nested names, `items[0][price]`, as servers of such forms read them. */
import type { JsonObject, JsonValue } from '@stateeval/contracts'
import { setPathValue } from '../pointer.ts'

/** Members of a name, at most. */
const maxDepth = 8

/** The value of a form. All that it holds are texts; a list has the indexes from 0. */
export function parseFormFields(text: string): JsonObject {
  let value: JsonObject = {}
  for (const [name, member] of new URLSearchParams(text)) {
    const path = name.split(/\]\[|\[|\]/).filter((part, at) => at === 0 || part !== '')
    if (path.length <= maxDepth) value = setPathValue(value, path, member)
  }
  return makeLists(value) as JsonObject
}

function makeLists(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, makeLists(member)] as const)
  const isList = members.length > 0 && members.every(([name], at) => name === String(at))
  return isList ? members.map(([, member]) => member) : Object.fromEntries(members)
}
