/**
 * Named values as queries and forms write them: repeated names and `a[]` make lists, `a[b]` and `a[0]` are
 * members.
 */
import type { Json } from '@stateeval/contracts'

export type Pair = readonly [name: string, value: Json]

/** More brackets than this are no nesting but a name of its own. */
const deepest = 50
const bracketed = /^([^[\]]+)((?:\[[^[\]]*\])+)$/

/** `a[b][]` is a, b and the empty name: one more of a list. */
function partsOf(name: string): readonly [string, ...string[]] {
  const match = bracketed.exec(name)
  if (!match) return [name]
  const inner = match[2]!.slice(1, -1).split('][')
  return inner.length > deepest ? [name] : [match[1]!, ...inner]
}
/** The name that all of `a`, `a[]` and `a[b]` stand for. */
export const argumentOf = (name: string) => partsOf(name)[0]

/** What is written under one name. */
interface Part {
  values: Json[]
  /** Even one value is a list. */
  list: boolean
  members: Map<string, Part>
}
const emptyPart = (): Part => ({ values: [], list: false, members: new Map() })

/** Own members only, whatever they are called: maps, so that `__proto__` is a name like any other. */
export function namedValues(pairs: readonly Pair[]): Record<string, Json> {
  const root = emptyPart()
  for (const [name, value] of pairs) {
    const parts = partsOf(name)
    const last = parts.at(-1) === '' ? parts.length - 1 : parts.length
    let part = root
    for (const one of parts.slice(0, last)) {
      // `a[][b]`: a member of one more of a.
      const key = one === '' && part !== root ? String(part.members.size) : one
      let inner = part.members.get(key)
      if (!inner) part.members.set(key, (inner = emptyPart()))
      part = inner
    }
    if (last < parts.length && parts.length > 1) {
      part.list = true
      for (const each of Array.isArray(value) ? value : [value]) part.values.push(each)
    } else part.values.push(value)
  }
  return membersOf(root)
}

const membersOf = ({ members }: Part) =>
  Object.fromEntries([...members].map(([name, part]) => [name, valueOf(part)]))
function valueOf(part: Part): Json {
  const { values, list, members } = part
  if (members.size === 0) return list ? values : values.length === 1 ? values[0]! : values.flat()
  const nested = isList(members) ? inOrder(members).map(valueOf) : membersOf(part)
  return values.length === 0 ? nested : [...values, nested]
}
const isList = (members: Part['members']) => [...members.keys()].every((key) => /^\d+$/.test(key))
/** By their numbers; what is left out between them leaves no gap. */
const inOrder = (members: Part['members']) =>
  [...members].sort(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part)
