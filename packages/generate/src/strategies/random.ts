/** StateGen without coverage guidance: uniform over the APIs that can be called, then over their parametrisations. */
import { allMoves, pickMove } from '../moves.ts'
import { stepwise } from './strategy.ts'

export const random = stepwise('random', (walk, trail) => pickMove(allMoves(walk, trail, walk.rng), walk.rng))
