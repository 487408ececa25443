/**
 * Looks ahead for adjacent pairs that no program has yet: all sequences of APIs a few calls long are rated by
 * how many they add and by how well the rest can be walked afterwards; the best are tried on real states, and
 * of those that are possible the one with most new pair transitions is taken. Where nothing is left to add,
 * it is `coverage`.
 */
import type { ScenarioOperation, RandomSource } from '@stateeval/program'
import type { ProgramTrace } from '../trace.ts'
import { SequenceAttempts, type RealisedSequence } from './attempts.ts'
import { coverage } from './coverage.ts'
import { PairLookahead, listSequences } from './lookahead.ts'
import type { SearchStrategy, TraceWalk } from './strategy.ts'

/** Sequences rated at once: the horizon is as long as that allows. */
const maxSequences = 8000
/** Sequences of a class that are tried on real states. */
const maxTried = 90
/**
 * How many of them are tried again, and how often, since parameters are drawn: rounds, the best so far in
 * each.
 */
const rounds = [
  { maxPromising: 16, draws: 1 },
  { maxPromising: 8, draws: 2 },
  { maxPromising: 4, draws: 3 },
]
const compareWorth = (a: { worth: number }, b: { worth: number }) => b.worth - a.worth
/** Sequences of a class that are rated by what they leave. */
const considered = 300
/**
 * How much may be spent on putting finished traces to the filters, which run each once for every step: 12
 * traces of 5 calls, none of more than 20.
 */
const limitTrials = (calls: number) => (calls > 20 ? 0 : Math.ceil(60 / calls))
/** How many new pair transitions a walk less for the rest is worth. */
const surplusWeight = 0.5
/** And an adjacent pair. */
const gainWeight = 0.8
/** Calls without anything new after which no more is looked for: what is left is hardly possible. */
const patience = 40

export const planned: SearchStrategy = {
  id: 'planned',
  walk(walk, trace, calls) {
    let now = trace
    for (let callsLeft = calls; callsLeft > 0;) {
      const stretch = Math.min(callsLeft, chooseHorizon(walk.operations.length))
      const next = plan(walk, now, stretch, stretch === callsLeft) ?? coverage.walk(walk, now, stretch)
      if (!next) return null
      now = next
      callsLeft -= stretch
    }
    return now
  },
}

const chooseHorizon = (apis: number) => Math.max(1, Math.floor(Math.log(maxSequences) / Math.log(apis)))

/** The best stretch that adds something and is possible; null where none was found. */
function plan<W>(
  walk: TraceWalk<W>,
  trace: ProgramTrace<W>,
  calls: number,
  ends: boolean,
): ProgramTrace<W> | null {
  const { operations, recorder, rng } = walk
  if (recorder.stale > patience) return null
  const apis = operations.map(({ id }) => id)
  const lookahead = new PairLookahead(
    apis.length,
    (from, to) => recorder.countAdjacent(apis[from] as string, apis[to] as string) === 0,
  )
  // In the middle of a long trace, pair transitions come by themselves.
  if (lookahead.isEmpty && !ends) return null
  const last = trace.history.apis.at(-1)
  const from = last === undefined ? undefined : apis.indexOf(last)
  const attempts = new SequenceAttempts(walk, trace)
  const starts = operations.map(attempts.canCall)
  // The first calls of a program are known at its beginning only.
  const canStart = (api: number) => from !== undefined || (starts[api] as boolean)
  const begins = (sequence: readonly number[]) => starts[sequence[from === undefined ? 0 : 1] as number]
  const all: readonly (readonly number[])[] = lookahead.isEmpty
    ? drawSequences(apis.length, calls, from, rng)
    : listSequences(apis.length, calls, from)
  const possible = all.filter(begins)
  const classes = Map.groupBy(possible, (sequence) => lookahead.gain(sequence))
  for (const gain of [...classes.keys()].sort((a, b) => b - a)) {
    if (gain === 0 && !ends) break
    const rate = (gain: number, count: number) =>
      rng
        .sample(classes.get(gain) ?? [], gain > 0 ? considered : count)
        .map((sequence) => ({
          operations: sequence
            .slice(from === undefined ? 0 : 1)
            .map((api) => operations[api] as ScenarioOperation<W>),
          cost: surplusWeight * lookahead.surplusAfter(sequence, canStart) - gainWeight * gain,
        }))
        .sort((a, b) => a.cost - b.cost)
        .slice(0, count)
    // A pair less is worth it where that makes room for other new pairs.
    const rated = [...rate(gain, gain > 0 ? maxTried : 12), ...(gain > 1 ? rate(gain - 1, 16) : [])]
    // A stretch without a new adjacent pair has to have another new pair: else energy decides.
    const realisation = tryAll(
      walk,
      attempts,
      rated,
      ends ? limitTrials(trace.history.apis.length + calls) : 0,
      gain > 0 ? 0 : recorder.pairs + 1,
    )
    if (realisation) {
      recorder.adopt(realisation.recorder)
      return realisation.end()
    }
  }
  return null
}

/** A few sequences at random, for when none adds an adjacent pair. */
const drawSequences = (
  apis: number,
  calls: number,
  from: number | undefined,
  rng: RandomSource,
): number[][] =>
  Array.from({ length: 24 }, () => [
    ...(from === undefined ? [] : [from]),
    ...Array.from({ length: calls }, () => rng.int(0, apis - 1)),
  ])

interface RatedSequence<W> {
  operations: ScenarioOperation<W>[]
  /** The later cost of its choice, in pair transitions. */
  cost: number
}

/**
 * Tries sequences on real states; of those that are possible, the one with the best of new pair transitions
 * and of what it leaves; with at least so many pairs. `trials`: so many of them are put to the filters, and
 * one has to pass; 0 where none has to.
 */
function tryAll<W>(
  walk: TraceWalk<W>,
  attempts: SequenceAttempts<W>,
  rated: readonly RatedSequence<W>[],
  trials: number,
  pairs: number,
): RealisedSequence<W> | null {
  const judged = (entry: RatedSequence<W>, realised: RealisedSequence<W> | null) =>
    realised ? [{ ...realised, entry, worth: realised.pairs - entry.cost }] : []
  const best = rated.flatMap((entry) => judged(entry, attempts.realise(entry.operations))).sort(compareWorth)
  for (const { maxPromising, draws } of rounds) {
    const promising = [...new Set(best.map(({ entry }) => entry))].slice(0, maxPromising)
    for (const entry of promising)
      for (let draw = 0; draw < draws; draw++) best.push(...judged(entry, attempts.redraw(entry.operations)))
    best.sort(compareWorth)
  }
  const candidates = best.filter((one) => one.pairs >= pairs)
  return (
    (trials > 0 ? candidates.slice(0, trials).find(({ end }) => walk.accepts(end())) : candidates[0]) ?? null
  )
}
