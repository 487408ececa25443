/**
 * Calls as the policy `sound` compares them: arguments as values, references led to the calls that they mean.
 */
import type { ListedCall } from '@stateeval/contracts'
import { readWhole } from '../python/read.ts'
import { PyDict, isDict, type PyValue, formatPyStr } from '../python/value.ts'
import { type LabelReference, listTextReferences, stripDollars } from '../references.ts'

/**
 * The target of a reference: an earlier call; or nowhere, because its label is unknown or belongs to a later
 * call or to the call itself.
 */
type LinkTarget = number | 'unknown' | 'forward' | 'itself'

interface LinkedCall {
  name: string
  label: string
  /** Values by name of the argument; texts with references are in `links`. */
  args: ReadonlyMap<string, PyValue>
  /** The arguments could not be read as an object. */
  isBroken: boolean
}

export interface LinkedCalls {
  calls: readonly LinkedCall[]
  /** The references in a text of call `at`, each with its target. */
  linksIn(at: number, text: string): ReferenceLink[]
  /** Labels that several calls have. */
  repeated: readonly string[]
}
export interface ReferenceLink extends LabelReference {
  target: LinkTarget
}

export function linkCalls(calls: readonly ListedCall[]): LinkedCalls {
  const places = new Map<string, number[]>()
  const named = new Map<string, number[]>()
  const linked = calls.map((call, at): LinkedCall => {
    const label = stripDollars(call.label ?? '')
    pushPlace(places, label, at)
    pushPlace(named, call.name, at)
    const args = parseLinkedArguments(call.arguments)
    return { name: call.name, label, args: args ?? new Map(), isBroken: args === null }
  })
  const isKnown = (label: string) => places.has(label) || named.has(label)
  const targetOf = (label: string, at: number): LinkTarget => {
    // The paper’s prose also names functions: the latest call of that function.
    const candidates = places.get(label) ?? named.get(label)
    if (!candidates) return 'unknown'
    return findLastBelow(candidates, at) ?? (candidates[0] === at ? 'itself' : 'forward')
  }
  return {
    calls: linked,
    linksIn: (at, text) =>
      listTextReferences(text, isKnown).map((reference) => ({
        ...reference,
        target: targetOf(reference.label, at),
      })),
    repeated: [...places].flatMap(([label, list]) => (list.length > 1 && label !== '' ? [label] : [])),
  }
}

/** Finds the last of ascending places before another one, by halves: thousands of calls may share a label. */
function findLastBelow(places: readonly number[], at: number): number | undefined {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < at) low = middle + 1
    else high = middle
  }
  return places[low - 1]
}

function pushPlace(map: Map<string, number[]>, key: string, at: number) {
  const list = map.get(key)
  if (list) list.push(at)
  else map.set(key, [at])
}

function parseLinkedArguments(text: string): Map<string, PyValue> | null {
  try {
    const value = readWhole(text, 'lenient')
    return isDict(value) ? new Map([...value].map(([key, item]) => [formatPyStr(key), item])) : null
  } catch {
    return null
  }
}

/** All references of a call, wherever they stand. */
export function listLinks(linked: LinkedCalls, at: number): ReferenceLink[] {
  const links: ReferenceLink[] = []
  const walk = (value: PyValue) => {
    if (typeof value === 'string') {
      if (value.includes('$')) links.push(...linked.linksIn(at, value))
    } else if (Array.isArray(value)) value.forEach(walk)
    else if (value instanceof PyDict) for (const item of value.values()) walk(item)
  }
  for (const value of linked.calls[at]!.args.values()) walk(value)
  return links
}
