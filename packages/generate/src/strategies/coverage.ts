/** StateGen, Algorithm 1: new pair transitions first, those that add most; else drawn by energy. */
import { type Operation, type Rng, startOfTrace } from '@stateeval/program'
import { movesOf, pickMove } from '../moves.ts'
import type { Move, Trail } from '../trail.ts'
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

/** The moves that add most new pairs; none where no move adds any. */
function best<W>(walk: Walk<W>, moves: readonly Move<W>[]): Move<W>[] {
  let most = 0
  let found: Move<W>[] = []
  for (const move of moves) {
    const { fresh } = rate(walk, move)
    if (fresh > most) [most, found] = [fresh, []]
    if (fresh > 0 && fresh === most) found.push(move)
  }
  return found
}

/** Lines 6 to 12 of Algorithm 1 over moves that are valid. */
export function chooseByCoverage<W>(walk: Walk<W>, moves: readonly Move<W>[], rng: Rng): Move<W> | null {
  const found = best(walk, moves)
  if (found.length > 0) return pickMove(found, rng)
  const rated = moves.map((move) => rate(walk, move))
  // Each API stands once for each energy, so that having many parametrisations is no advantage.
  const alike = (one: Rated<W>, other: Rated<W>) => one.least === other.least && one.move.call.api === other.move.call.api
  const classes: Rated<W>[] = []
  for (const entry of rated) if (!classes.some((other) => alike(entry, other))) classes.push(entry)
  if (classes.length === 0) return null
  const drawn = rng.weighted(classes, ({ least }) => 1 / (least + epsilon))
  return rng.pick(rated.filter((entry) => alike(entry, drawn))).move
}

/** Calls without anything new after which new pairs are no longer looked for in every API: what is left is hardly possible. */
const patience = 200

/** Whether a call of the API could make a new pair: only with a transition of this trace. */
function mayAddPair<W>({ recorder, pairs }: Walk<W>, { history: { apis } }: Trail<W>, api: string): boolean {
  const last = apis.at(-1) ?? startOfTrace
  return recorder.count(last, api) === 0 || (pairs === 'states' && apis.some((from) => recorder.count(from, api) === 0))
}

/**
 * Lines 5 to 12 of Algorithm 1, lazily: parameters are solved for the APIs that could make a new pair and, where none
 * does, for the one that energy draws, whose energy is that of its adjacency to the call before (line 6 as it is printed).
 */
function choose<W>(walk: Walk<W>, trail: Trail<W>): Move<W> | null {
  const { operations, recorder, rng } = walk
  const solved = new Map<Operation<W>, Move<W>[]>()
  if (recorder.stale <= patience)
    for (const operation of operations)
      if (mayAddPair(walk, trail, operation.id)) solved.set(operation, movesOf(walk, trail, operation, rng))
  const found = best(walk, [...solved.values()].flat())
  if (found.length > 0) return pickMove(found, rng)

  const last = trail.history.apis.at(-1)
  const energy = ({ id }: Operation<W>) =>
    1 / ((last === undefined ? recorder.count(startOfTrace, id) : recorder.countAdjacent(last, id)) + epsilon)
  for (let left = operations; left.length > 0;) {
    const drawn = rng.weighted(left, energy)
    const move = chooseByCoverage(walk, solved.get(drawn) ?? movesOf(walk, trail, drawn, rng), rng)
    if (move) return move
    left = left.filter((operation) => operation !== drawn)
  }
  return null
}

export const coverage = stepwise('coverage', choose)
