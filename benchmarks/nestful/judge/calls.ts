/**
 * Calls as the policy `sound` compares them: arguments as values, references led to the calls that they mean.
 */
import type { ListedCall } from '@stateeval/contracts'
import { readWhole } from '../python/read.ts'
import { Dict, isDict, type Py, str } from '../python/value.ts'
import { type Reference, referencesIn, withoutDollars } from '../references.ts'

/**
 * The target of a reference: an earlier call; or nowhere, as its label is unknown, that of a later call, or of
 * the call itself.
 */
export type Target = number | 'unknown' | 'forward' | 'itself'

export interface LinkedCall {
  name: string
  label: string
  /** Values by name of the argument; texts with references are in `links`. */
  args: ReadonlyMap<string, Py>
  /** The arguments could not be read as an object. */
  isBroken: boolean
}

export interface Linked {
  calls: readonly LinkedCall[]
  /** The references in a text of call `at`, each with its target. */
  linksIn(at: number, text: string): Link[]
  /** Labels that several calls have. */
  repeated: readonly string[]
}
export interface Link extends Reference {
  target: Target
}

export function linkedOf(calls: readonly ListedCall[]): Linked {
  const places = new Map<string, number[]>()
  const named = new Map<string, number[]>()
  const linked = calls.map((call, at): LinkedCall => {
    const label = withoutDollars(call.label ?? '')
    push(places, label, at)
    push(named, call.name, at)
    const args = argumentsIn(call.arguments)
    return { name: call.name, label, args: args ?? new Map(), isBroken: args === null }
  })
  const isKnown = (label: string) => places.has(label) || named.has(label)
  const targetOf = (label: string, at: number): Target => {
    // The paper’s prose also names functions: the latest call of that function.
    const candidates = places.get(label) ?? named.get(label)
    if (!candidates) return 'unknown'
    return lastBelow(candidates, at) ?? (candidates[0] === at ? 'itself' : 'forward')
  }
  return {
    calls: linked,
    linksIn: (at, text) =>
      referencesIn(text, isKnown).map((reference) => ({
        ...reference,
        target: targetOf(reference.label, at),
      })),
    repeated: [...places].flatMap(([label, list]) => (list.length > 1 && label !== '' ? [label] : [])),
  }
}

/**
 * Finds, among ascending places, the last one before another, by halves: thousands of calls may share a label.
 */
function lastBelow(places: readonly number[], at: number): number | undefined {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < at) low = middle + 1
    else high = middle
  }
  return places[low - 1]
}

function push(map: Map<string, number[]>, key: string, at: number) {
  const list = map.get(key)
  if (list) list.push(at)
  else map.set(key, [at])
}

function argumentsIn(text: string): Map<string, Py> | null {
  try {
    const value = readWhole(text, 'lenient')
    return isDict(value) ? new Map([...value].map(([key, item]) => [str(key), item])) : null
  } catch {
    return null
  }
}

/** All references of a call, wherever they stand. */
export function linksOf(linked: Linked, at: number): Link[] {
  const links: Link[] = []
  const walk = (value: Py) => {
    if (typeof value === 'string') {
      if (value.includes('$')) links.push(...linked.linksIn(at, value))
    } else if (Array.isArray(value)) value.forEach(walk)
    else if (value instanceof Dict) for (const item of value.values()) walk(item)
  }
  for (const value of linked.calls[at]!.args.values()) walk(value)
  return links
}
