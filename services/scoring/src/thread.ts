/** The thread that scores what is long: the same benchmarks, without the rest of the service. */
import type { Score, ScoreItem } from '@stateeval/contracts'
import { checkNames, createKnownParts } from './known.ts'
import { locateProblem, isLongItem, resolveNames, type ScoreOrder } from './score-order.ts'
import { scoreItem } from './scored.ts'

/** Artifacts of the present item's case. */
let files: ReadonlyMap<string, Uint8Array> = new Map()
const known = createKnownParts((hash) => {
  const bytes = files.get(hash)
  if (!bytes) throw new Error(`the artifact ${hash} was not loaded`)
  return bytes
})

/** @param task the item as JSON text */
export function score({
  item,
  artifacts,
}: {
  item: string
  artifacts: ReadonlyMap<string, Uint8Array>
}): Score {
  files = artifacts
  return scoreItem(JSON.parse(item) as ScoreItem, known)
}

/** Makes the scoring orders of a large body, without the store. */
export const orderItems = (items: readonly ScoreItem[], isBatch: boolean): ScoreOrder[] =>
  items.map((item, n) => {
    try {
      const names = resolveNames(item)
      checkNames(names, known)
      if (names.artifacts.length === 0) return { score: scoreItem(item, known) }
      return { names, item: isLongItem(item) ? JSON.stringify(item) : item }
    } catch (error) {
      throw locateProblem(isBatch ? `/items/${n}` : '', error)
    }
  })
