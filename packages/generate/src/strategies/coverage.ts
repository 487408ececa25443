/** StateGen, Algorithm 1: new pair transitions first, those that add most; else drawn by energy. */
import type { Rng } from '@stateeval/program'
import { allMoves, pickMove } from '../moves.ts'
import type { Move } from '../trail.ts'
import { producersOfMove, stepwise, type Walk } from './strategy.ts'

const epsilon = 1e-3

interface Rated<W> {
  move: Move<W>
  /** How many of its pairs are new, and how often the rarest of them was. */
  fresh: number
  least: number
}

function rate<W>(walk: Walk<W>, move: Move<W>): Rated<W> {
  let fresh = 0
  let least = Infinity
  for (const from of producersOfMove(walk, move)) {
    const count = walk.recorder.count(from, move.call.api)
    if (count === 0) fresh++
    if (count < least) least = count
  }
  return { move, fresh, least }
}

/** Lines 6 to 12 of Algorithm 1 over moves that are valid. */
export function chooseByCoverage<W>(walk: Walk<W>, moves: readonly Move<W>[], rng: Rng): Move<W> | null {
  const rated = moves.map((move) => rate(walk, move))
  const most = rated.reduce((all, { fresh }) => Math.max(all, fresh), 0)
  if (most > 0)
    return pickMove(
      rated.filter(({ fresh }) => fresh === most).map(({ move }) => move),
      rng,
    )
  // Each API stands once for each energy, so that having many parametrisations is no advantage.
  const alike = (one: Rated<W>, other: Rated<W>) => one.least === other.least && one.move.call.api === other.move.call.api
  const classes: Rated<W>[] = []
  for (const entry of rated) if (!classes.some((other) => alike(entry, other))) classes.push(entry)
  if (classes.length === 0) return null
  const drawn = rng.weighted(classes, ({ least }) => 1 / (least + epsilon))
  return rng.pick(rated.filter((entry) => alike(entry, drawn))).move
}

export const coverage = stepwise('coverage', (walk, trail) => chooseByCoverage(walk, allMoves(walk, trail, walk.rng), walk.rng))
