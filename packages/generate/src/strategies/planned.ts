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
const draws = 4
/** Sequences of a class that are rated by what they leave. */
const considered = 300
/** How much may be spent on putting finished traces to the filters, which run each once for every step: 12 traces of 5 calls, none of more than 20. */
const trials = (calls: number) => (calls > 20 ? 0 : Math.ceil(60 / calls))
/** How many new pair transitions a walk less for the rest is worth. */
const surplusWeight = 0.5
/** Calls without anything new after which no more is looked for: what is left is hardly possible. */
const patience = 60

export const planned: Strategy = {
  id: 'planned',
  walk(walk, trail, calls) {
    let now = trail
    for (let left = calls; left > 0;) {
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

/** The best stretch that adds something and is possible; null where none was found. */
function plan<W>(walk: Walk<W>, trail: Trail<W>, calls: number, ends: boolean): Trail<W> | null {
  const { operations, recorder, rng } = walk
  if (recorder.stale > patience) return null
  const apis = operations.map(({ id }) => id)
  const outlook = new Outlook(apis.length, (from, to) => recorder.countAdjacent(apis[from] as string, apis[to] as string) === 0)
  // In the middle of a long trace, pair transitions come by themselves.
  if (outlook.isEmpty && !ends) return null
  const last = trail.history.apis.at(-1)
  const from = last === undefined ? undefined : apis.indexOf(last)
  const starts = operations.map((operation) => movesOf(walk, trail, operation, rng.fork('starts')).length > 0)
  // What a program can begin with is known at its beginning only.
  const canStart = (api: number) => from !== undefined || (starts[api] as boolean)
  const possible = sequences(apis.length, calls, from).filter(([first, second]) => starts[(from === undefined ? first : second) as number])
  const classes = Map.groupBy(possible, (sequence) => outlook.gain(sequence))
  for (const gain of [...classes.keys()].sort((a, b) => b - a)) {
    if (gain === 0 && !ends) break
    const rated = rng.sample(classes.get(gain) ?? [], gain > 0 ? considered : tried).map((sequence) => ({
      operations: sequence.slice(from === undefined ? 0 : 1).map((api) => operations[api] as Operation<W>),
      surplus: outlook.surplusAfter(sequence, canStart),
    }))
    rated.sort((a, b) => a.surplus - b.surplus)
    // A stretch without a new adjacent pair has to have another new pair: else energy decides.
    const found = tryAll(walk, trail, rated, ends, gain > 0 ? 0 : recorder.linkedPairs().length + 1)
    if (found) {
      recorder.adopt(found.recorder)
      return found.trail
    }
  }
  return null
}

interface Rated<W> {
  operations: Operation<W>[]
  surplus: number
}

/** Tries sequences on real states; of those that are possible, the one with the best of new pair transitions and of what it leaves; with at least so many pairs. */
function tryAll<W>(walk: Walk<W>, trail: Trail<W>, rated: readonly Rated<W>[], ends: boolean, pairs: number): Realised<W> | null {
  const found = rated.slice(0, tried).flatMap(({ operations, surplus }) =>
    Array.from({ length: draws }, (_, draw) => {
      const realised = realise(walk, trail, operations, draw === 0 ? 1 : 0.5)
      return realised && realised.pairs >= pairs ? [{ ...realised, worth: realised.pairs - surplusWeight * surplus }] : []
    }).flat(),
  )
  found.sort((a, b) => b.worth - a.worth)
  const finished = found.slice(0, ends ? trials(found[0]?.trail.history.apis.length ?? 0) : 0)
  return (finished.length ? finished.find(({ trail: end }) => walk.accepts(end)) : found[0]) ?? null
}

/**
 * Makes the calls of a sequence; null where one is not possible. `greed` is the chance that a call's parameters are those
 * that add most pair transitions now: what adds less now may allow more later, or be what a filter keeps.
 */
function realise<W>(walk: Walk<W>, trail: Trail<W>, operations: readonly Operation<W>[], greed: number): Realised<W> | null {
  const recorder = walk.recorder.copy()
  const trial = { ...walk, recorder }
  let now = trail
  for (const operation of operations) {
    const moves = movesOf(trial, now, operation, walk.rng)
    const move = walk.rng.chance(greed) ? chooseByCoverage(trial, now, moves, walk.rng) : pickMove(moves, walk.rng)
    if (!move) return null
    now = take(trial, now, move)
  }
  return { trail: now, recorder, pairs: recorder.linkedPairs().length }
}
