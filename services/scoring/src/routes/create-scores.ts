import { setImmediate } from 'node:timers/promises'
import type { Score } from '@stateeval/contracts'
import type { ScoringRoute } from './route.ts'
import { scoreItem } from '../score-item.ts'
import { locateProblem } from '../score-order.ts'

export const createScores: ScoringRoute<'createScores'> = async (
  { body: { orders, isBatch }, signal },
  context,
) => {
  const scores: Score[] = []
  for (const [n, order] of orders.entries()) {
    // Other requests get a turn between two items, and a batch whose caller is gone ends here.
    if (n > 0) await setImmediate()
    signal.throwIfAborted()
    try {
      scores.push(
        'score' in order ? order.score : await scoreItem(order.item, context, { names: order.names, signal }),
      )
    } catch (error) {
      throw locateProblem(isBatch ? `/items/${n}` : '', error)
    }
  }
  return { status: 200, body: { scores } }
}
