/**
 * Sequences of APIs tried on real states. Most promising sequences begin alike, so common beginnings are
 * computed once.
 */
import type { ScenarioOperation } from '@stateeval/program'
import { listMoves, pickMove } from '../moves.ts'
import type { PairRecorder } from '../recorder.ts'
import { extendTrace, type TraceMove, type ProgramTrace } from '../trace.ts'
import { chooseByCoverage } from './coverage.ts'
import { record, take, type TraceWalk } from './strategy.ts'

/**
 * How often a redrawn call takes the parameters that add most pair transitions now: what adds less may allow
 * more later, or be what a filter keeps.
 */
const greed = 0.5

/** A feasible sequence. */
export interface RealisedSequence<W> {
  /** The trace in the end: its last call is made when it is asked for, as few ends are. */
  end: () => ProgramTrace<W>
  recorder: PairRecorder
  pairs: number
}

/** A trace that sequences extend. */
export class SequenceAttempts<W> {
  private readonly walk: TraceWalk<W>
  private readonly trace: ProgramTrace<W>
  private readonly moves = new Map<ScenarioOperation<W>, readonly TraceMove<W>[]>()
  private readonly longer = new Map<ScenarioOperation<W>, SequenceAttempts<W> | null>()

  /** The walk's recorder is the trace's own, and stays as it is. */
  constructor(walk: TraceWalk<W>, trace: ProgramTrace<W>) {
    this.walk = walk
    this.trace = trace
  }

  private movesOf(operation: ScenarioOperation<W>): readonly TraceMove<W>[] {
    let moves = this.moves.get(operation)
    if (!moves)
      this.moves.set(operation, (moves = listMoves(this.walk, this.trace, operation, this.walk.rng)))
    return moves
  }
  canCall = (operation: ScenarioOperation<W>) => this.movesOf(operation).length > 0

  private after(move: TraceMove<W>): SequenceAttempts<W> {
    const walk = { ...this.walk, recorder: this.walk.recorder.copy() }
    return new SequenceAttempts(walk, take(walk, this.trace, move))
  }
  private best = (operation: ScenarioOperation<W>) =>
    chooseByCoverage(this.walk, this.movesOf(operation), this.walk.rng)

  /** The trace with one call more, the one that adds most pair transitions; null where there is none. */
  private next(operation: ScenarioOperation<W>): SequenceAttempts<W> | null {
    let next = this.longer.get(operation)
    if (next !== undefined) return next
    const move = this.best(operation)
    this.longer.set(operation, (next = move && this.after(move)))
    return next
  }

  /** Makes the calls, each the one that adds most pair transitions; null where one is not possible. */
  realise([operation, ...rest]: readonly ScenarioOperation<W>[]): RealisedSequence<W> | null {
    if (rest.length > 0) return this.next(operation as ScenarioOperation<W>)?.realise(rest) ?? null
    return this.ended(operation as ScenarioOperation<W>, this.best(operation as ScenarioOperation<W>))
  }

  /** The same with other parameters, from one of the calls on. */
  redraw(operations: readonly ScenarioOperation<W>[]): RealisedSequence<W> | null {
    const from = this.walk.rng.int(0, operations.length - 1)
    return this.along(operations.slice(0, from))?.draw(operations.slice(from)) ?? null
  }
  private along([operation, ...rest]: readonly ScenarioOperation<W>[]): SequenceAttempts<W> | null {
    return operation ? (this.next(operation)?.along(rest) ?? null) : this
  }
  private draw([operation, ...rest]: readonly ScenarioOperation<W>[]): RealisedSequence<W> | null {
    const { rng } = this.walk
    const moves = listMoves(this.walk, this.trace, operation as ScenarioOperation<W>, rng)
    const move = rng.chance(greed) ? chooseByCoverage(this.walk, moves, rng) : pickMove(moves, rng)
    if (rest.length > 0) return move && this.after(move).draw(rest)
    return this.ended(operation as ScenarioOperation<W>, move)
  }

  private ended(last: ScenarioOperation<W>, move: TraceMove<W> | null): RealisedSequence<W> | null {
    if (!move) return null
    const recorder = this.walk.recorder.copy()
    record({ ...this.walk, recorder }, this.trace, move)
    return { end: () => extendTrace(this.trace, move, last), recorder, pairs: recorder.pairs }
  }
}
