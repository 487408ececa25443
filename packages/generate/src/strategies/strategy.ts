/** A strategy: how a trace continues. One file each, listed in index.ts. */
import {
  type ScenarioOperation,
  findProducingTransitions,
  type RandomSource,
  startOfTrace,
} from '@stateeval/program'
import { extend, type Move, type Trace } from '../trace.ts'
import type { Search } from '../moves.ts'
import type { Recorder } from '../recorder.ts'

export interface Walk<W> extends Search<W> {
  /** Is told every call that is chosen, in order. */
  recorder: Recorder
  rng: RandomSource
  /** The counted pairs: see GenerateOptions. */
  pairs: 'states' | 'previous'
  /** Tells whether a finished trace would pass the filters; for strategies that look ahead. */
  accepts(trace: Trace<W>): boolean
}

export interface Strategy {
  id: string
  /** Goes on for `calls` more calls; null where no valid call is left. */
  walk<W>(walk: Walk<W>, trace: Trace<W>, calls: number): Trace<W> | null
}

/** The transitions that a move continues: each makes a pair with it. */
export function producersOfMove<W>(
  { pairs }: Pick<Walk<W>, 'pairs'>,
  { call, consumes, ready }: Move<W>,
): string[] {
  return pairs === 'previous'
    ? [ready.history.apis.at(-1) ?? startOfTrace]
    : findProducingTransitions(ready.history, call, consumes)
}

/** Records a move whose effect is not needed yet. */
export const record = <W>(walk: Walk<W>, trace: Trace<W>, move: Move<W>): void =>
  walk.recorder.record(producersOfMove(walk, move), trace.history.apis.at(-1), move.call.api)

/** Makes a move and records it. */
export function take<W>(walk: Walk<W>, trace: Trace<W>, move: Move<W>): Trace<W> {
  record(walk, trace, move)
  return extend(trace, move, operationOf(walk, move.call.api))
}

export const operationOf = <W>({ operations }: Search<W>, api: string) =>
  operations.find(({ id }) => id === api) as ScenarioOperation<W>

/** A strategy that chooses one move at a time. */
export const stepwise = (
  id: string,
  choose: <W>(walk: Walk<W>, trace: Trace<W>) => Move<W> | null,
): Strategy => ({
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
