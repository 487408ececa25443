/** Tells whether an argument is the gold one: JSON values by type, references by what they lead to. */
import { isDict, type Py } from '../python/value.ts'
import type { Link, Linked } from './calls.ts'
import { soundEqual } from './win.ts'

export interface Pair {
  gold: Linked
  prediction: Linked
  /** The places of the two calls. */
  i: number
  j: number
}

/** Tells whether references of the prediction lead where those of the gold call lead. */
export type SameTarget = (gold: Link, prediction: Link) => boolean

export function sameValue(gold: Py, prediction: Py, pair: Pair, same: SameTarget): boolean {
  if (typeof gold === 'string' && typeof prediction === 'string') {
    if (!gold.includes('$') && !prediction.includes('$')) return gold === prediction
    return sameText(gold, prediction, pair, same)
  }
  if (Array.isArray(gold) && Array.isArray(prediction))
    return (
      gold.length === prediction.length &&
      gold.every((item, at) => sameValue(item, prediction[at]!, pair, same))
    )
  if (isDict(gold) && isDict(prediction))
    return (
      gold.size === prediction.size &&
      [...gold].every(
        ([key, item]) => prediction.has(key) && sameValue(item, prediction.get(key)!, pair, same),
      )
    )
  return soundEqual(gold, prediction)
}

/** The same references in the same text, its blanks among it: a sentence with others is another value. */
function sameText(
  gold: string,
  prediction: string,
  { gold: golden, prediction: other, i, j }: Pair,
  same: SameTarget,
): boolean {
  const [a, b] = [golden.linksIn(i, gold), other.linksIn(j, prediction)]
  if (a.length !== b.length) return false
  if (a.length === 0) return gold === prediction
  return restOf(gold, a) === restOf(prediction, b) && a.every((link, at) => same(link, b[at]!))
}
function restOf(text: string, links: readonly Link[]): string {
  let rest = ''
  let from = 0
  for (const { start, end } of links) {
    rest += `${text.slice(from, start)}\u0000`
    from = end
  }
  return rest + text.slice(from)
}

/** How many arguments both calls have alike, and how many names there are in either. */
export function alikeArguments(pair: Pair, same: SameTarget): { alike: number; names: number } {
  const [a, b] = [pair.gold.calls[pair.i]!.args, pair.prediction.calls[pair.j]!.args]
  let alike = 0
  let names = b.size
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other === undefined) names++
    else if (sameValue(value, other, pair, same)) alike++
  }
  return { alike, names }
}
