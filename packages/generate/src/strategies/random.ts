/** StateGen without coverage guidance: uniform over the callable APIs, then over their parametrisations. */
import { movesOf } from '../moves.ts'
import { stepwise } from './strategy.ts'

/**
 * Tries APIs in random order, and takes the first callable one; parameters of the others are never solved.
 */
export const random = stepwise('random', (walk, trace) => {
  for (const operation of walk.rng.shuffle(walk.operations)) {
    const moves = movesOf(walk, trace, operation, walk.rng)
    if (moves.length > 0) return walk.rng.pick(moves)
  }
  return null
})
