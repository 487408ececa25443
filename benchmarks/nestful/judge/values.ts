/** Tells whether an argument is the gold one: JSON values by type, references by what they lead to. */
import { isDict, type PyValue } from '../python/value.ts'
import type { ReferenceLink, LinkedCalls } from './calls.ts'
import { isSoundEqual } from './win.ts'

interface ValuePair {
  gold: LinkedCalls
  prediction: LinkedCalls
  /** The places of the two calls. */
  i: number
  j: number
}

/** Tells whether references of the prediction lead where those of the gold call lead. */
export type SameTarget = (gold: ReferenceLink, prediction: ReferenceLink) => boolean

export function isSameValue(gold: PyValue, prediction: PyValue, pair: ValuePair, same: SameTarget): boolean {
  if (typeof gold === 'string' && typeof prediction === 'string') {
    if (!gold.includes('$') && !prediction.includes('$')) return gold === prediction
    return isSameReferenceText(gold, prediction, pair, same)
  }
  if (Array.isArray(gold) && Array.isArray(prediction))
    return (
      gold.length === prediction.length &&
      gold.every((item, at) => isSameValue(item, prediction[at]!, pair, same))
    )
  if (isDict(gold) && isDict(prediction))
    return (
      gold.size === prediction.size &&
      [...gold].every(
        ([key, item]) => prediction.has(key) && isSameValue(item, prediction.get(key)!, pair, same),
      )
    )
  return isSoundEqual(gold, prediction)
}

/** The same references in the same text, its blanks among it: a sentence with others is another value. */
function isSameReferenceText(
  gold: string,
  prediction: string,
  { gold: golden, prediction: other, i, j }: ValuePair,
  same: SameTarget,
): boolean {
  const [a, b] = [golden.linksIn(i, gold), other.linksIn(j, prediction)]
  if (a.length !== b.length) return false
  if (a.length === 0) return gold === prediction
  return removeLinks(gold, a) === removeLinks(prediction, b) && a.every((link, at) => same(link, b[at]!))
}
function removeLinks(text: string, links: readonly ReferenceLink[]): string {
  let rest = ''
  let from = 0
  for (const { start, end } of links) {
    rest += `${text.slice(from, start)}\u0000`
    from = end
  }
  return rest + text.slice(from)
}

/** How many arguments both calls have alike, and how many names there are in either. */
export function countAlikeArguments(pair: ValuePair, same: SameTarget): { alike: number; names: number } {
  const [a, b] = [pair.gold.calls[pair.i]!.args, pair.prediction.calls[pair.j]!.args]
  let alike = 0
  let names = b.size
  for (const [name, value] of a) {
    const other = b.get(name)
    if (other === undefined) names++
    else if (isSameValue(value, other, pair, same)) alike++
  }
  return { alike, names }
}
