/**
 * Looks ahead for adjacent pairs that no program has yet: all sequences of APIs a few calls long are rated by how many
 * they add and by how well the rest can be walked afterwards; the best are tried on real states, and of those that are
 * possible the one with most new pair transitions is taken. Where nothing is left to add, it is `coverage`.
 */
import type { Operation } from '@stateeval/program'
import { movesOf, pickMove } from '../moves.ts'
import type { Recorder } from '../recorder.ts'
import type { Trail } from '../trail.ts'
import { chooseByCoverage, coverage } from './coverage.ts'
import { Outlook, sequences } from './outlook.ts'
import { type Strategy, take, type Walk } from './strategy.ts'

/** Sequences rated at once: the horizon is as long as that allows. */
const maxSequences = 20_000
/** Sequences of a class that are tried on real states, and how often each, since parameters are drawn. */
const tried = 24
const draws = 3

export const planned: Strategy = {
  id: 'planned',
  walk(walk, trail, calls) {
    let now = trail
    for (let left = calls; left > 0; ) {
      const stretch = Math.min(left, horizon(walk.operations.length))
      const next = plan(walk, now, stretch, stretch === left) ?? coverage.walk(walk, now, stretch)
      if (!next) return null
      now = next
      left -= stretch
    }
    return now
  },
}

const horizon = (apis: number) => Math.max(1, Math.floor(Math.log(maxSequences) / Math.log(apis)))

interface Realised<W> {
  trail: Trail<W>
  recorder: Recorder
  pairs: number
}

/** The best stretch that adds a pair and is possible; null where none was found. */
function plan<W>(walk: Walk<W>, trail: Trail<W>, calls: number, ends: boolean): Trail<W> | null {
  const { operations, recorder, rng } = walk
  const apis = operations.map(({ id }) => id)
  const outlook = new Outlook(apis.length, (from, to) => recorder.countAdjacent(apis[from] as string, apis[to] as string) === 0)
  if (outlook.isEmpty) return null
  const last = trail.history.apis.at(-1)
  const from = last === undefined ? undefined : apis.indexOf(last)
  const starts = operations.map((operation) => movesOf(walk, trail, operation, rng.fork('starts')).length > 0)
  const rated = sequences(apis.length, calls, from)
    .map((sequence) => ({ sequence, gain: outlook.gain(sequence) }))
    .filter(({ gain, sequence }) => gain > 0 && (from !== undefined || starts[sequence[0] as number]))
  for (let gain = Math.max(0, ...rated.map((entry) => entry.gain)); gain > 0; gain--) {
    const best = rng.shuffle(rated.filter((entry) => entry.gain === gain)).map(({ sequence }) => ({
      operations: sequence.slice(from === undefined ? 0 : 1).map((api) => operations[api] as Operation<W>),
      surplus: outlook.surplusAfter(sequence, (api) => starts[api] as boolean),
    }))
    best.sort((a, b) => a.surplus - b.surplus)
    const found = tryAll(walk, trail, best, ends)
    if (found) {
      walk.recorder.adopt(found.recorder)
      return found.trail
    }
  }
  return null
}

interface Rated<W> {
  operations: Operation<W>[]
  surplus: number
}

/** Tries sequences on real states, best first; of equally good ones that are possible, the one with most new pair transitions. */
function tryAll<W>(walk: Walk<W>, trail: Trail<W>, rated: readonly Rated<W>[], ends: boolean): Realised<W> | null {
  const classes = Map.groupBy(rated.slice(0, tried), ({ surplus }) => surplus)
  for (const same of classes.values()) {
    const found = same.flatMap(({ operations }) =>
      Array.from({ length: draws }, (_, draw) => realise(walk, trail, operations, draw > 0) ?? []).flat(),
    )
    const accepted = found.sort((a, b) => b.pairs - a.pairs).find((entry) => !ends || walk.accepts(entry.trail))
    if (accepted) return accepted
  }
  return null
}

/**
 * Makes the calls of a sequence, with parametrisations that add most pair transitions, or `freely`: with any, since those
 * that add most may be what a filter drops. Null where a call is not possible.
 */
function realise<W>(walk: Walk<W>, trail: Trail<W>, operations: readonly Operation<W>[], freely: boolean): Realised<W> | null {
  const recorder = walk.recorder.copy()
  const trial = { ...walk, recorder }
  let now = trail
  for (const operation of operations) {
    const moves = movesOf(trial, now, operation, walk.rng)
    const move = freely ? pickMove(moves, walk.rng) : chooseByCoverage(trial, now, moves, walk.rng)
    if (!move) return null
    now = take(trial, now, move)
  }
  return { trail: now, recorder, pairs: recorder.linkedPairs().length }
}
