/**
 * Pairs created ids that occur at the same places of RESULT and belong to equal items, which distinguishes
 * twins in explanations.
 */
import type { IdLabels } from './labels.ts'
import { computeSignature } from './signature.ts'

type ItemOwners = Record<'expected' | 'found', ReadonlyMap<string, unknown>>

export function findPairThroughResult(
  expected: unknown,
  actual: unknown,
  owners: ItemOwners,
  labels: IdLabels,
): void {
  const content = (side: 'expected' | 'found', id: string) =>
    computeSignature(owners[side].get(id), {
      ids: side === 'expected' ? labels.expectedIds : labels.foundIds,
      maskNumbers: false,
    })
  const stack: [unknown, unknown][] = [[expected, actual]]
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [e, f] = pair
    if (typeof e === 'string' && typeof f === 'string') {
      const created =
        labels.expectedIds.info(e)?.kind === 'created' && labels.foundIds.info(f)?.kind === 'created'
      if (created && content('expected', e) === content('found', f)) labels.pair(e, f)
    } else if (e !== null && f !== null && typeof e === 'object' && typeof f === 'object') {
      for (const key of Object.keys(e).reverse())
        if (Object.hasOwn(f, key)) stack.push([(e as HintFields)[key], (f as HintFields)[key]])
    }
  }
}
type HintFields = Record<string, unknown>
