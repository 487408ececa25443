/** A mutant that passed: reference and mutant each play an episode on further inputs, which is never scored. */
import type { EpisodeOptions, Turn } from '@stateeval/contracts'
import type { Player } from '@stateeval/program'
import { dialogueOf, type Entry } from './dialogue.ts'
import { continuationOf } from './events.ts'
import { again, type ItemAnswer, type ItemNeed } from './flow.ts'
import { furtherOptions, observationsOf, outcomeWhenPassed } from './mutant.ts'
import { itemNeedOf } from './needs.ts'
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
import { carriedOf, finish, type Playing, type SampleContext, type SampleState, type Step } from './sample.ts'

type Waiting = SampleState & { step: 'further' }
type Further = Omit<Waiting, keyof Playing>

/** Who plays: the reference first, then the mutant. */
const nameOf = ({ reference }: Further) => (reference === null ? 'reference' : 'mutant')

const playerOf = (
  state: Further,
  { benchmark, case: c }: SampleContext,
  options: EpisodeOptions,
): Player | null =>
  state.reference === null
    ? benchmark.player(c, options)
    : benchmark.player(c, options, state.mutant?.mutant ?? null)

function playedBy(state: Waiting, context: SampleContext, entries: readonly Entry[]): Played {
  const options = furtherOptions(context)
  return playedFrom(context, options, () => playerOf(state, context, options), state.log, entries)
}

/** Begins the episode of whoever is next. */
export function beginFurther(state: Further, context: SampleContext): Step {
  const options = furtherOptions(context)
  const played = playedFrom(context, options, () => playerOf(state, context, options))
  return furtherTurn(state, context, played, beginningOf(context, options).turn)
}

function furtherTurn(state: Further, context: SampleContext, before: Played, first: Turn): Step {
  const { played, turn } = play(context, before, first)
  if (!('done' in turn))
    return { state: { ...state, tries: 0, ...playing(turn.state, turn.need, played.log) } }
  if (turn.notScored) return finish(carriedOf(state), context, state, { notScored: turn.notScored.detail })
  const observations = observationsOf({ said: turn.done, ...dialogueOf(allEntries(played)) })
  if (state.reference === null) return beginFurther({ ...state, reference: observations }, context)
  const { mutants } = context.benchmark
  const { own, score, reference } = state
  const fate = mutants
    ? outcomeWhenPassed(mutants, context.case, own, { reference, mutant: observations })
    : 'survived'
  return finish(carriedOf(state), context, state, { score, fate })
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
  const sent = needOf(state, context, before)
  const { carried, event, entry, trouble } = continuationOf(state, sent, answer, entries)
  const repeated = trouble && again(state, trouble)
  if (repeated) return repeated
  const { episode, need: _, log: _log, ...rest } = state
  const played = entry ? withEntry(before, entry) : before
  const turn = turnAfter(context, played, episode, event)
  const { passing: _passing, ...took } = carried
  return furtherTurn({ ...rest, ...took }, context, played, turn)
}
