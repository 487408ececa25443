/** StateGen, Algorithm 1: new pair transitions first, those that add most; else drawn by energy. */
import type { Rng } from '@stateeval/program'
import { allMoves, pickMove } from '../moves.ts'
import type { Move } from '../trail.ts'
import { pairsOfMove, stepwise, type Walk } from './strategy.ts'

const epsilon = 1e-3

/** Lines 6 to 12 of Algorithm 1 over moves that are valid. */
export function chooseByCoverage<W>(walk: Walk<W>, moves: readonly Move<W>[], rng: Rng): Move<W> | null {
  const rated = moves.map((move) => {
    const counts = pairsOfMove(walk, move).map(walk.recorder.count)
    return { move, fresh: counts.filter((count) => count === 0).length, least: Math.min(...counts) }
  })
  const most = Math.max(0, ...rated.map(({ fresh }) => fresh))
  if (most > 0)
    return pickMove(
      rated.filter(({ fresh }) => fresh === most).map(({ move }) => move),
      rng,
    )
  // Each API stands once for each energy, so that having many parametrisations is no advantage.
  const classes = [...new Map(rated.map((entry) => [`${entry.move.call.api} ${entry.least}`, entry])).values()]
  if (classes.length === 0) return null
  const drawn = rng.weighted(classes, ({ least }) => 1 / (least + epsilon))
  return rng.pick(rated.filter(({ move, least }) => move.call.api === drawn.move.call.api && least === drawn.least)).move
}

export const coverage = stepwise('coverage', (walk, trail) => chooseByCoverage(walk, allMoves(walk, trail, walk.rng), walk.rng))
