/** StateGen without coverage guidance: uniform over the callable APIs, then over their parametrisations. */
import { listMoves } from '../moves.ts'
import { createStepwiseStrategy } from './strategy.ts'

/**
 * Tries APIs in random order, and takes the first callable one; parameters of the others are never solved.
 */
export const random = createStepwiseStrategy('random', (walk, trace) => {
  for (const operation of walk.rng.shuffle(walk.operations)) {
    const moves = listMoves(walk, trace, operation, walk.rng)
    if (moves.length > 0) return walk.rng.pick(moves)
  }
  return null
})
