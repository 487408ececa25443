/**
 * StateGen without coverage guidance: uniform over the APIs that can be called, then over their
 * parametrisations.
 */
import { movesOf } from '../moves.ts'
import { stepwise } from './strategy.ts'

/**
 * APIs are tried in random order, and the first that can be called is: the others' parameters are never
 * solved.
 */
export const random = stepwise('random', (walk, trace) => {
  for (const operation of walk.rng.shuffle(walk.operations)) {
    const moves = movesOf(walk, trace, operation, walk.rng)
    if (moves.length > 0) return walk.rng.pick(moves)
  }
  return null
})
