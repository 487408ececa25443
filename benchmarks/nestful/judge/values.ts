/** Whether an argument is the gold one: JSON values by type, references by what they lead to. */
import { isDict, type Py } from '../python/value.ts'
import type { Link, Linked } from './calls.ts'
import { soundEqual } from './win.ts'

export interface Pair {
  gold: Linked
  found: Linked
  /** The places of the two calls. */
  i: number
  j: number
}

/** Whether references of the prediction lead where those of the gold call lead. */
export type SameTarget = (gold: Link, found: Link) => boolean

export function sameValue(gold: Py, found: Py, pair: Pair, same: SameTarget): boolean {
  if (typeof gold === 'string' && typeof found === 'string') {
    if (!gold.includes('$') && !found.includes('$')) return gold === found
    return sameText(gold, found, pair, same)
  }
  if (Array.isArray(gold) && Array.isArray(found))
    return gold.length === found.length && gold.every((item, at) => sameValue(item, found[at]!, pair, same))
  if (isDict(gold) && isDict(found))
    return (
      gold.size === found.size &&
      [...gold].every(([key, item]) => found.has(key) && sameValue(item, found.get(key)!, pair, same))
    )
  return soundEqual(gold, found)
}

/** The same references in the same text. Blanks around an expression say nothing. */
function sameText(
  gold: string,
  found: string,
  { gold: golden, found: other, i, j }: Pair,
  same: SameTarget,
): boolean {
  const [a, b] = [golden.linksIn(i, gold), other.linksIn(j, found)]
  if (a.length !== b.length) return false
  if (a.length === 0) return gold === found
  return restOf(gold, a) === restOf(found, b) && a.every((link, at) => same(link, b[at]!))
}
function restOf(text: string, links: readonly Link[]): string {
  let rest = ''
  let from = 0
  for (const { start, end } of links) {
    rest += `${text.slice(from, start).trim()}\u0000`
    from = end
  }
  return rest + text.slice(from).trim()
}

/** How many arguments both calls have alike, and how many names there are in either. */
export function alikeArguments(pair: Pair, same: SameTarget): { alike: number; names: number } {
  const [a, b] = [pair.gold.calls[pair.i]!.args, pair.found.calls[pair.j]!.args]
  let alike = 0
  let names = b.size
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other === undefined) names++
    else if (sameValue(value, other, pair, same)) alike++
  }
  return { alike, names }
}
