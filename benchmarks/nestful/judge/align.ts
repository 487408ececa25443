/**
 * Which predicted call answers which gold call. In order: the alignment with the most in common, so an extra
 * call costs only itself. Without order: the calls as nodes of a graph whose edges are references.
 */
import type { ReferenceLink, LinkedCalls } from './calls.ts'
import { countAlikeArguments, type SameTarget } from './values.ts'

export interface CallAlignment {
  /** For each gold call, the place of the predicted one; null where there is none. */
  pairs: readonly (number | null)[]
  /** Gold calls, and predicted ones that stand beside none. */
  slots: number
}

const getTargetName = (linked: LinkedCalls, { target }: ReferenceLink) =>
  typeof target === 'number' ? linked.calls[target]!.name : undefined

/** References that lead nowhere in the same way, by the same text: a published gold call may hold one. */
const isSameDeadEnd = (a: ReferenceLink, b: ReferenceLink) =>
  typeof a.target !== 'number' && a.target === b.target && a.label === b.label && a.path === b.path

/**
 * References alike as far as can be said before calls are paired: by the name of the API that they lead to.
 */
export const alikeByName =
  (gold: LinkedCalls, prediction: LinkedCalls): SameTarget =>
  (a, b) => {
    const name = getTargetName(gold, a)
    if (name === undefined) return isSameDeadEnd(a, b)
    return name === getTargetName(prediction, b) && a.path === b.path
  }

/** A call in the place of another one counts a little, to distinguish it from a missing and an extra one. */
const substitute = 0.2

/**
 * More than all calls that are only alike can count together: the alignment has as many whole calls as any.
 */
const computeWholeWeight = (n: number, m: number) => 2 * Math.min(n, m) + 2

export function alignInOrder(gold: LinkedCalls, prediction: LinkedCalls): CallAlignment {
  const [n, m] = [gold.calls.length, prediction.calls.length]
  const same = alikeByName(gold, prediction)
  const width = m + 1
  const whole = computeWholeWeight(n, m)
  const best = new Float64Array((n + 1) * width)
  const gains = new Float64Array(n * m)
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--) {
      const gain = (gains[i * m + j] = gainOf(i, j))
      best[i * width + j] = Math.max(
        gain + best[(i + 1) * width + j + 1]!,
        best[(i + 1) * width + j]!,
        best[i * width + j + 1]!,
      )
    }
  const pairs: (number | null)[] = []
  let slots = n
  let [i, j] = [0, 0]
  while (i < n && j < m) {
    const here = best[i * width + j]!
    if (here === gains[i * m + j]! + best[(i + 1) * width + j + 1]!) {
      pairs[i++] = j++
    } else if (here === best[(i + 1) * width + j]!) pairs[i++] = null
    else {
      slots++
      j++
    }
  }
  while (i < n) pairs[i++] = null
  return { pairs, slots: slots + m - j }

  function gainOf(a: number, b: number): number {
    if (gold.calls[a]!.name !== prediction.calls[b]!.name) return substitute
    const { alike, names } = countAlikeArguments({ gold, prediction, i: a, j: b }, same)
    if (alike === names && !prediction.calls[b]!.isBroken) return whole
    return 1 + alike / names
  }
}

/**
 * Each gold call, in order, takes the first predicted call that is the same; those that are left then take
 * the one of their name that has the most in common with them.
 */
export function assignCalls(gold: LinkedCalls, prediction: LinkedCalls): CallAlignment {
  const pairs: (number | null)[] = gold.calls.map(() => null)
  const usedPlaces = new Set<number>()
  const byName = Map.groupBy(prediction.calls.keys(), (j) => prediction.calls[j]!.name)
  const same = sameByPairs(gold, prediction, pairs)
  for (const [i, { name }] of gold.calls.entries()) {
    const j = byName
      .get(name)
      ?.find((one) => !usedPlaces.has(one) && isSameCall(gold, prediction, i, one, same))
    if (j === undefined) continue
    usedPlaces.add(j)
    pairs[i] = j
  }
  for (const [i, { name }] of gold.calls.entries()) {
    if (pairs[i] !== null) continue
    let [best, largest] = [null as number | null, -1]
    for (const j of byName.get(name) ?? []) {
      if (usedPlaces.has(j)) continue
      const { alike, names } = countAlikeArguments({ gold, prediction, i, j }, same)
      const share = names === 0 ? 1 : alike / names
      if (share > largest) [best, largest] = [j, share]
    }
    if (best !== null) usedPlaces.add(best)
    pairs[i] = best
  }
  return { pairs, slots: gold.calls.length + prediction.calls.length - usedPlaces.size }
}

/** The most exchanges to try: models write no answers that need more. */
const maxExchanges = 500

/**
 * The pairs with calls that are alike exchanged, as long as more calls are the gold ones then, or as many and
 * more of their arguments: of two equal calls, either may be the one that a reference leads to.
 */
export function exchangeAlike(
  gold: LinkedCalls,
  prediction: LinkedCalls,
  pairs: readonly (number | null)[],
): readonly (number | null)[] {
  const whole = 1 + gold.calls.reduce((sum, { args }) => sum + args.size, 0)
  const equalUnder = (candidate: readonly (number | null)[]) => {
    const same = sameByPairs(gold, prediction, candidate)
    return candidate.reduce<number>((sum, j, i) => {
      if (j === null) return sum
      const { alike } = countAlikeArguments({ gold, prediction, i, j }, same)
      return sum + alike + (isSameCall(gold, prediction, i, j, same) ? whole : 0)
    }, 0)
  }
  let [best, most] = [pairs, equalUnder(pairs)]
  let left = Math.min(maxExchanges, Math.floor(500_000 / (1 + gold.calls.length * prediction.calls.length)))
  const byName = Map.groupBy(gold.calls.keys(), (i) => gold.calls[i]!.name)
  for (const places of byName.values())
    for (const [n, i] of places.entries())
      for (const k of places.slice(n + 1)) {
        const [a, b] = [best[i] ?? null, best[k] ?? null]
        if (a === b || --left < 0) continue
        const candidate = best.with(i, b).with(k, a)
        const equal = equalUnder(candidate)
        if (equal > most) [best, most] = [candidate, equal]
      }
  return best
}

/** References are the same if they lead to calls that answer each other, and to the same output there. */
export const sameByPairs =
  (gold: LinkedCalls, prediction: LinkedCalls, pairs: readonly (number | null)[]): SameTarget =>
  (a, b) =>
    typeof a.target === 'number' && typeof b.target === 'number'
      ? pairs[a.target] === b.target &&
        a.path === b.path &&
        prediction.calls[b.target]!.name === gold.calls[a.target]!.name
      : isSameDeadEnd(a, b)

/** Tells whether a predicted call is the gold one, under these pairs. */
export function isSameCall(
  gold: LinkedCalls,
  prediction: LinkedCalls,
  i: number,
  j: number,
  same: SameTarget,
): boolean {
  const [a, b] = [gold.calls[i]!, prediction.calls[j]!]
  if (a.name !== b.name || a.args.size !== b.args.size || b.isBroken) return false
  const { alike, names } = countAlikeArguments({ gold, prediction, i, j }, same)
  return alike === names
}
