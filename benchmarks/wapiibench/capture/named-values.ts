/**
 * Named values as queries and forms write them. The specification says which names make one argument:
 * `page[size]` is a separate name where it is documented as such; otherwise repeated names and `a[]` make
 * lists, `a[b]` and `a[0]` are members.
 */
import { type JsonValue, isRecord } from '@stateeval/contracts'
import { type WrittenField, parsePairText, isExploded } from '../specification/written.ts'

export type NamePair = readonly [name: string, value: JsonValue]

/** More brackets than this are no nesting but a separate name. */
const deepest = 50
const bracketed = /^([^[\]]+)((?:\[[^[\]]*\])+)$/
const brackets = /^(?:\[[^[\]]*\])+$/

/** `a[b][]` is a, b and the empty name: one more of a list. */
function splitName(name: string): readonly [string, ...string[]] {
  const match = bracketed.exec(name)
  if (!match) return [name]
  const inner = match[2]!.slice(1, -1).split('][')
  return inner.length > deepest ? [name] : [match[1]!, ...inner]
}

/** Reads a name as its parts: that of the argument, then those of its members. */
type NameReader = (name: string) => readonly [string, ...string[]]
export function createNameReader(fields: readonly WrittenField[]): NameReader {
  const declared = new Set(fields.map(({ name }) => name))
  const literal = new Set(fields.flatMap(({ name }) => bracketed.exec(name)?.[1] ?? []))
  const openOwner = fields.find((field) => field.open === true && isExploded(field))?.name
  const owners = new Map(
    fields
      .filter((field) => isExploded(field))
      .flatMap(({ name, properties = [] }) => properties.map((member) => [member, name] as const)),
  )
  return (name) => {
    if (declared.has(name)) return [name]
    let at = name.lastIndexOf('[')
    for (let depth = 0; at > 0 && depth < deepest; depth++, at = name.lastIndexOf('[', at - 1)) {
      const rest = name.slice(at)
      if (!brackets.test(rest)) break
      if (declared.has(name.slice(0, at))) return [name.slice(0, at), ...rest.slice(1, -1).split('][')]
    }
    const owner = owners.get(name) ?? openOwner
    if (owner !== undefined) return [owner, name]
    const parts = splitName(name)
    // An undocumented name stays whole where brackets belong to an API's names.
    return parts.length > 1 && literal.has(parts[0]) ? [name] : parts
  }
}

/** Values and members that are written under one name. */
interface WrittenPart {
  values: JsonValue[]
  /** Even one value is a list. */
  list: boolean
  members: Map<string, WrittenPart>
}
const createEmptyPart = (): WrittenPart => ({ values: [], list: false, members: new Map() })

/** The arguments that pairs write, in the names and styles of these fields. */
export function readNamedValues(
  pairs: readonly NamePair[],
  fields: readonly WrittenField[] = [],
): Record<string, JsonValue> {
  const root = createEmptyPart()
  const partsIn = createNameReader(fields)
  // Own members only, whatever they are called: maps, so that `__proto__` is a name like any other.
  for (const [name, value] of pairs) {
    const parts = partsIn(name)
    const last = parts.length > 1 && parts.at(-1) === '' ? parts.length - 1 : parts.length
    let part = root
    for (const one of parts.slice(0, last)) {
      // `a[][b]`: a member of one more of a.
      const key = one === '' && part !== root ? String(part.members.size) : one
      let inner = part.members.get(key)
      if (!inner) part.members.set(key, (inner = createEmptyPart()))
      part = inner
    }
    if (last < parts.length) {
      part.list = true
      for (const each of Array.isArray(value) ? value : [value]) part.values.push(each)
    } else part.values.push(value)
  }
  const byName = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    [...root.members].map(([name, part]) => [name, convertAsWritten(part, byName.get(name))]),
  )
}

/** Texts that the specification doesn't explode are lists or objects each. */
function convertAsWritten(part: WrittenPart, field: WrittenField | undefined): JsonValue {
  if (!field || part.list || part.members.size > 0) return buildPartValue(part)
  const values = part.values.map((value) => (typeof value === 'string' ? parsePairText(value, field) : value))
  return values.length === 1 ? values[0]! : values
}

const buildMembers = ({ members }: WrittenPart) =>
  Object.fromEntries([...members].map(([name, part]) => [name, buildPartValue(part)]))
function buildPartValue(part: WrittenPart): JsonValue {
  const { values, list, members } = part
  if (members.size === 0) return list ? values : values.length === 1 ? values[0]! : values.flat()
  const nested = isList(members) ? orderMembers(members).map(buildPartValue) : buildMembers(part)
  return values.length === 0 ? nested : [...values, nested]
}
const isList = (members: WrittenPart['members']) => [...members.keys()].every((key) => /^\d+$/.test(key))
/** Sorts members by number; what is left out between them leaves no gap. */
const orderMembers = (members: WrittenPart['members']) =>
  [...members].sort(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part)

const isNested = (value: JsonValue): value is JsonValue[] | Record<string, JsonValue> =>
  Array.isArray(value) || isRecord(value)

/**
 * The pairs that axios writes of an object, in a query and in a form. Values keep their types, so that
 * reports show them as given; null and empty values write nothing.
 */
export function listPairs(values: Record<string, JsonValue>): NamePair[] {
  const pairs: NamePair[] = []
  const bare = (name: string) => (name.endsWith('[]') ? name.slice(0, -2) : name)
  const visit = (value: JsonValue, name: string) => {
    if (value === null) return
    if (!isNested(value)) pairs.push([name, value])
    else for (const [key, member] of Object.entries(value)) visit(member, `${name}[${bare(key)}]`)
  }
  for (const [name, value] of Object.entries(values))
    if (isNested(value) && name.endsWith('{}')) pairs.push([name, JSON.stringify(value)])
    else if (Array.isArray(value) && (name.endsWith('[]') || !value.some(isNested)))
      pairs.push(...value.filter((one) => one !== null).map((one): NamePair => [`${bare(name)}[]`, one]))
    else visit(value, isNested(value) ? bare(name) : name)
  return pairs
}
