/** A strategy: how a trace continues. One file each, listed in index.ts. */
import {
  type ScenarioOperation,
  findProducingTransitions,
  type RandomSource,
  startOfTrace,
} from '@stateeval/program'
import { extendTrace, type TraceMove, type ProgramTrace } from '../trace.ts'
import type { MoveSearch } from '../moves.ts'
import type { PairRecorder } from '../recorder.ts'

export interface TraceWalk<W> extends MoveSearch<W> {
  /** Records every chosen call, in order. */
  recorder: PairRecorder
  rng: RandomSource
  /** The pairs that the recorder counts: see GenerateOptions. */
  pairs: 'states' | 'previous'
  /** Tells whether a finished trace would pass the filters; for strategies that look ahead. */
  accepts(trace: ProgramTrace<W>): boolean
}

export interface SearchStrategy {
  id: string
  /** Continues for `calls` more calls; null where no valid call is left. */
  walk<W>(walk: TraceWalk<W>, trace: ProgramTrace<W>, calls: number): ProgramTrace<W> | null
}

/** The transitions that a move continues: each makes a pair with it. */
export function findMoveProducers<W>(
  { pairs }: Pick<TraceWalk<W>, 'pairs'>,
  { call, consumes, ready }: TraceMove<W>,
): string[] {
  return pairs === 'previous'
    ? [ready.history.apis.at(-1) ?? startOfTrace]
    : findProducingTransitions(ready.history, call, consumes)
}

/** Records a move whose effect is not needed yet. */
export const record = <W>(walk: TraceWalk<W>, trace: ProgramTrace<W>, move: TraceMove<W>): void =>
  walk.recorder.record(findMoveProducers(walk, move), trace.history.apis.at(-1), move.call.api)

/** Makes a move and records it. */
export function take<W>(walk: TraceWalk<W>, trace: ProgramTrace<W>, move: TraceMove<W>): ProgramTrace<W> {
  record(walk, trace, move)
  return extendTrace(trace, move, findOperation(walk, move.call.api))
}

export const findOperation = <W>({ operations }: MoveSearch<W>, api: string) =>
  operations.find(({ id }) => id === api) as ScenarioOperation<W>

/** A strategy that chooses one move at a time. */
export const createStepwiseStrategy = (
  id: string,
  choose: <W>(walk: TraceWalk<W>, trace: ProgramTrace<W>) => TraceMove<W> | null,
): SearchStrategy => ({
  id,
  walk(walk, trace, calls) {
    let now = trace
    for (let call = 0; call < calls; call++) {
      const move = choose(walk, now)
      if (!move) return null
      now = take(walk, now, move)
    }
    return now
  },
})
