/**
 * The outcome of a mutant. The oracle is what is measured, so equivalence is judged by code other than the
 * scorer's. A mutant that passes is equivalent only if it agrees with the reference on the case's inputs
 * and on 20 further ones, where reference and mutant each play an episode that is never scored.
 */
import type {
  BenchmarkCase,
  Candidate,
  EpisodeOptions,
  ExecutionInput,
  Observation,
  Score,
  EpisodeTransition,
} from '@stateeval/contracts'
import { listAttempts, createRng, type MutantSupport, type ReplyPlayer } from '@stateeval/program'
import { dialogueOf, emptyLog, type Entry } from './dialogue.ts'
import { continuationOf } from './events.ts'
import { retryStep, type ItemAnswer, type ItemNeed } from './flow.ts'
import { itemNeedOf } from './needs.ts'
import type { FurtherRuns } from './record.ts'
import {
  allEntries,
  beginningOf,
  play,
  type Played,
  playedFrom,
  playing,
  turnAfter,
  withEntry,
} from './play.ts'
import {
  carriedOf,
  type End,
  finish,
  type MutantOutcome,
  type Playing,
  type SampleContext,
  type SampleState,
  type Step,
} from './sample.ts'

const furtherCount = 20

/** The observations of a candidate on the inputs of its case, in order. */
export function observationsOf(candidate: Candidate): Observation[] {
  const { said, runs } = candidate
  if (said.kind === 'dialogue')
    return said.inputs.flatMap(({ run }) => (run === null ? [] : (runs[run]?.observations ?? [])))
  return [
    ...(listAttempts(candidate, said.attempts.at(-1)?.readings[0]?.policy ?? null).at(-1)?.observations ??
      []),
  ]
}

/** Without observations of either, nothing says that they agree. */
const agreeAll = (
  mutants: MutantSupport,
  c: BenchmarkCase,
  a: readonly Observation[],
  b: readonly Observation[],
) =>
  a.length > 0 && a.length === b.length && a.every((one, at) => mutants.agree(c, one, b[at] as Observation))

/**
 * A failed mutant is detected, unless the independent comparison sees no difference: then the scorer is in
 * doubt.
 */
export function outcomeWhenFailed(
  mutants: MutantSupport,
  c: BenchmarkCase,
  observations: readonly Observation[],
  score: Score,
): MutantOutcome {
  if (agreeAll(mutants, c, mutants.expected(c), observations)) return 'disputed'
  return mutants.isCaughtByComparison(score) ? 'caught_by_comparison' : 'caught_by_exception'
}

/**
 * The outcome of a mutant that passed, from the observations of reference and mutant on the further inputs.
 */
export function outcomeWhenPassed(
  mutants: MutantSupport,
  c: BenchmarkCase,
  observations: readonly Observation[],
  further: FurtherRuns,
): MutantOutcome {
  return agreeAll(mutants, c, mutants.expected(c), observations) &&
    agreeAll(mutants, c, further.reference, further.mutant)
    ? 'equivalent'
    : 'survived'
}

/** The options of episodes on further inputs: the same inputs for every mutant of a case. */
function furtherOptions({ benchmark, case: c, options: { language, mode } }: SampleContext): EpisodeOptions {
  const inputs = furtherInputs(benchmark.mutants, c)
  return {
    ...(language && { language }),
    ...(mode && { mode }),
    prompting: benchmark.promptings[0] ?? 'direct',
    inputs,
  }
}

/** Drawing them takes a tenth of a second, so a case's are kept as long as the case is. */
const inputsByCase = new WeakMap<BenchmarkCase, ExecutionInput[]>()

function furtherInputs(mutants: MutantSupport | undefined, c: BenchmarkCase): ExecutionInput[] {
  const before = inputsByCase.get(c)
  if (before) return before
  const inputs = mutants?.furtherInputs(c, furtherCount, createRng(`further/${c.id}`)) ?? []
  inputsByCase.set(c, inputs)
  return inputs
}

type Waiting = SampleState & { step: 'further' }
type Further = Omit<Waiting, keyof Playing>

/** Gets the player: the reference first, then the mutant. */
const nameOf = ({ reference }: Further) => (reference === null ? 'reference' : 'mutant')

const playerOf = (
  state: Further,
  { benchmark, case: c }: SampleContext,
  options: EpisodeOptions,
): ReplyPlayer | null =>
  state.reference === null
    ? benchmark.player(c, options)
    : benchmark.player(c, options, state.mutant?.mutant ?? null)

function playedBy(state: Waiting, context: SampleContext, entries: readonly Entry[]): Played {
  const options = furtherOptions(context)
  return playedFrom(context, options, () => playerOf(state, context, options), state.log, entries)
}

/** Begins the next player's episode. */
export function beginFurther(state: Further, context: SampleContext): Step {
  const options = furtherOptions(context)
  const played = playedFrom(context, options, () => playerOf(state, context, options))
  return furtherTurn(state, context, played, beginningOf(context, options).turn)
}

function furtherTurn(state: Further, context: SampleContext, before: Played, first: EpisodeTransition): Step {
  const { played, turn } = play(context, before, first)
  if (!('done' in turn))
    return { state: { ...state, tries: 0, ...playing(turn.state, turn.need, played.log) } }
  const { answer, ownLog: log = emptyLog } = state
  const over = (end: End) => finish(carriedOf(state), context, { answer, log }, end)
  if (turn.notScored) return over({ notScored: turn.notScored.detail })
  const observations = observationsOf({ said: turn.done, ...dialogueOf(allEntries(played)) })
  if (state.reference === null) return beginFurther({ ...state, reference: observations }, context)
  const { mutants } = context.benchmark
  const { own, score, reference } = state
  const further: FurtherRuns = { reference, mutant: observations }
  const outcome = mutants ? outcomeWhenPassed(mutants, context.case, own, further) : 'survived'
  return over({ score, outcome, further })
}

const needOf = (state: Waiting, context: SampleContext, played: Played): ItemNeed =>
  itemNeedOf(state.need, context, played, { ...state, player: nameOf(state) })

export const furtherNeed = (state: Waiting, context: SampleContext, entries: readonly Entry[]): ItemNeed =>
  needOf(state, context, playedBy(state, context, entries))

export function afterFurther(
  state: Waiting,
  answer: ItemAnswer,
  context: SampleContext,
  entries: readonly Entry[],
): Step {
  const before = playedBy(state, context, entries)
  const itemNeed = needOf(state, context, before)
  const { carried, event, entry, trouble } = continuationOf(state, itemNeed, answer, entries)
  const repeated = trouble && retryStep(state, trouble)
  if (repeated) return repeated
  const { episode, need: _, log: _log, ...rest } = state
  const played = entry ? withEntry(before, entry) : before
  const turn = turnAfter(context, played, episode, event)
  const { passing: _passing, ...took } = carried
  return furtherTurn({ ...rest, ...took }, context, played, turn)
}
