/** StateGen, Algorithm 1: new pair transitions first, those that add most; otherwise drawn by energy. */
import { type ScenarioOperation, type RandomSource, startOfTrace } from '@stateeval/program'
import { findAnyMove, listMoves, pickMove } from '../moves.ts'
import type { TraceMove, ProgramTrace } from '../trace.ts'
import { findMoveProducers, createStepwiseStrategy, type TraceWalk } from './strategy.ts'

const epsilon = 1e-3

/** A move with how many of its pairs are new, and how often the rarest of them was. */
interface RatedMove<W> {
  move: TraceMove<W>
  freshPairs: number
  least: number
}

function rateMoves<W>(walk: TraceWalk<W>, moves: readonly TraceMove<W>[]): RatedMove<W>[] {
  const rated: RatedMove<W>[] = []
  for (const move of moves) {
    let freshPairs = 0
    let least = Infinity
    for (const from of findMoveProducers(walk, move)) {
      const count = walk.recorder.count(from, move.call.api)
      if (count === 0) freshPairs++
      if (count < least) least = count
    }
    rated.push({ move, freshPairs, least })
  }
  return rated
}

/** One of the moves that add most new pairs; null where no move adds any. */
function pickFresh<W>(rated: readonly RatedMove<W>[], rng: RandomSource): TraceMove<W> | null {
  let largest = 0
  for (const { freshPairs } of rated) if (freshPairs > largest) largest = freshPairs
  if (largest === 0) return null
  return pickMove(
    rated.flatMap(({ move, freshPairs }) => (freshPairs === largest ? [move] : [])),
    rng,
  )
}

/** One of the moves, the likelier the rarer its rarest pair was. */
function pickRare<W>(rated: readonly RatedMove<W>[], rng: RandomSource): TraceMove<W> | null {
  // Each API stands once for each energy, so that having many parametrisations is no advantage.
  const alike = (one: RatedMove<W>, other: RatedMove<W>) =>
    one.least === other.least && one.move.call.api === other.move.call.api
  const classes: RatedMove<W>[] = []
  for (const entry of rated) if (!classes.some((other) => alike(entry, other))) classes.push(entry)
  if (classes.length === 0) return null
  const drawnEntry = rng.weighted(classes, ({ least }) => 1 / (least + epsilon))
  return rng.pick(classes.length === 1 ? rated : rated.filter((entry) => alike(entry, drawnEntry))).move
}

const pickRated = <W>(rated: readonly RatedMove<W>[], rng: RandomSource) =>
  pickFresh(rated, rng) ?? pickRare(rated, rng)

/** Lines 6 to 12 of Algorithm 1 over valid moves. */
export const chooseByCoverage = <W>(walk: TraceWalk<W>, moves: readonly TraceMove<W>[], rng: RandomSource) =>
  pickRated(rateMoves(walk, moves), rng)

/**
 * Calls without anything new after which new pairs are no longer looked for: what is left is hardly possible.
 */
const patience = 200

/** Tells whether a call of the API could make a new pair: only a transition of this trace can. */
function canAddPair<W>(
  { recorder, pairs }: TraceWalk<W>,
  { history: { apis } }: ProgramTrace<W>,
  api: string,
): boolean {
  const last = apis.at(-1) ?? startOfTrace
  return (
    recorder.count(last, api) === 0 ||
    (pairs === 'states' && apis.some((from) => recorder.count(from, api) === 0))
  )
}

/**
 * Lines 5 to 12 of Algorithm 1, lazily: parameters are solved for the APIs that could make a new pair and,
 * where none does, for the one that energy draws, whose energy is that of its adjacency to the call before
 * (line 6 as it is printed).
 */
function choose<W>(walk: TraceWalk<W>, trace: ProgramTrace<W>): TraceMove<W> | null {
  const { operations, recorder, rng } = walk
  const solved = new Map<ScenarioOperation<W>, RatedMove<W>[]>()
  const looks = recorder.stale <= patience
  if (looks) {
    for (const operation of operations)
      if (canAddPair(walk, trace, operation.id))
        solved.set(operation, rateMoves(walk, listMoves(walk, trace, operation, rng)))
    const freshMove = pickFresh([...solved.values()].flat(), rng)
    if (freshMove) return freshMove
  }

  const last = trace.history.apis.at(-1)
  const energy = ({ id }: ScenarioOperation<W>) =>
    1 / ((last === undefined ? recorder.count(startOfTrace, id) : recorder.countAdjacent(last, id)) + epsilon)
  for (let candidates = operations; candidates.length > 0;) {
    const drawnOperation = rng.weighted(candidates, energy)
    const move = looks
      ? pickRated(
          solved.get(drawnOperation) ?? rateMoves(walk, listMoves(walk, trace, drawnOperation, rng)),
          rng,
        )
      : findAnyMove(walk, trace, drawnOperation, rng)
    if (move) return move
    candidates = candidates.filter((operation) => operation !== drawnOperation)
  }
  return null
}

export const coverage = createStepwiseStrategy('coverage', choose)
