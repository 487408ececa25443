/**
 * One sample of one case: the benchmark's episode produces a candidate, the candidate is scored, and the
 * outcome of a mutant is determined. Infrastructure errors are retried, then the sample is not scored; they
 * never count against a model.
 */
import type { EpisodeStatement, Score, EpisodeTransition } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { answerIn, dialogueOf, emptyLog, type Entry, type Log } from './dialogue.ts'
import { endingsIn } from './endings.ts'
import { continuationOf } from './events.ts'
import { retryStep, type ItemAnswer, type ItemNeed, describeTrouble } from './flow.ts'
import { afterFurther, beginFurther, furtherNeed, observationsOf, outcomeWhenFailed } from './mutant.ts'
import { itemNeedOf, sessionId } from './needs.ts'
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
import { playerOf } from './players.ts'
import { replay, replayedMutant } from './replay.ts'
import {
  type Carried,
  carriedOf,
  type End,
  finish,
  nothing,
  type SampleContext,
  type SampleState,
  type Step,
} from './sample.ts'
import { seedsOfRun } from './seeds.ts'

const player = 'sample'
/** The id of a tool session of an item's own episode. */
export const sessionOf = (item: string, session: number) => sessionId({ item }, player, session)

/** The sample's own episode, wherever it has come to. */
function advance(carried: Carried, context: SampleContext, before: Played, first: EpisodeTransition): Step {
  const { played, turn } = (context.replay ? replay : play)(context, before, first)
  if (!('done' in turn)) {
    const { need } = turn
    const afterMs = need.kind === 'http' ? need.afterMs : undefined
    return {
      state: { ...carried, step: 'play', ...playing(turn.state, need, played.log) },
      ...(afterMs !== undefined && { afterMs }),
    }
  }
  const { done: said, notScored } = turn
  const { kind } = context.responder
  const isBuiltIn = kind === 'reference' || kind === 'mutant' || kind === 'none'
  const endings = isBuiltIn ? {} : { endings: endingsIn(played.since) }
  return ended(
    { ...carried, ...endings, step: 'close', said, ...(notScored && { notScored }), log: played.log },
    context,
    played.since,
  )
}

type Closing = SampleState & { step: 'close' }
const openSession = ({ sessions = {} }: Carried): number | undefined => Object.keys(sessions).map(Number)[0]

/** The episode has ended: sessions that it left open are closed first. */
function ended(state: Closing, context: SampleContext, since: readonly Entry[]): Step {
  if (openSession(state) !== undefined) return { state }
  const { step: _, said, notScored, log, ...carried } = state
  if (!notScored) return { state: { ...carried, step: 'score', said, log } }
  return finish(
    carried,
    context,
    { answer: answerIn(since), log },
    { notScored: notScored.detail, passing: carried.passing === true },
  )
}

/**
 * Whatever came of it: a session that cannot be closed now ends by itself when nobody has called it for long.
 */
function afterClosing(state: Closing, context: SampleContext, since: readonly Entry[]): Step {
  const { [openSession(state) ?? 0]: _, ...sessions } = state.sessions ?? {}
  return ended({ ...state, sessions }, context, since)
}

function afterNeed(
  state: SampleState & { step: 'play' },
  answer: ItemAnswer,
  context: SampleContext,
  played: Played,
): Step {
  const sent = itemNeedOf(state.need, context, played, { ...state, player })
  const { carried, event, entry, trouble } = continuationOf(state, sent, answer, played.since)
  const repeated = trouble && retryStep(state, trouble)
  if (repeated) return repeated
  const now = entry ? withEntry(played, entry) : played
  const turn = turnAfter(context, now, state.episode, event)
  // A dialogue's text after a run may name the run's ids.
  const seeds = event.kind === 'executed' && 'need' in turn ? seedsOfRun(event.run, event.result) : null
  return advance(seeds ? { ...carried, seeds: { ...carried.seeds, ...seeds } } : carried, context, now, turn)
}

const candidateOf = ({ said }: SampleState & { step: 'score' }, played: Played) => ({
  said,
  ...dialogueOf(allEntries(played)),
})

function afterScore(
  state: SampleState & { step: 'score' },
  answer: ItemAnswer,
  context: SampleContext,
  played: Played,
): Step {
  const carried = carriedOf(state)
  const { mutants } = context.benchmark
  const text = answerIn(played.since)
  const over = (end: End) => finish(carried, context, { answer: text, log: state.log }, end)
  if (!answer.ok) {
    const trouble = describeTrouble(answer)
    return (
      retryStep(state, trouble) ??
      over({ notScored: `the sample could not be scored: ${trouble.says}`, passing: trouble.passing })
    )
  }
  const score = answer.value as Score
  if (score.verdict === 'infrastructure_error') {
    const says = score.evidence.differences[0]?.says
    return over({
      notScored: says === undefined ? 'infrastructure error' : `infrastructure error: ${says}`,
      passing: true,
    })
  }
  if (!state.mutant || !mutants) return over({ score })
  const observations = observationsOf(candidateOf(state, played))
  if (!score.passed)
    return over({ score, outcome: outcomeWhenFailed(mutants, context.case, observations, score) })
  // Without runs there is nothing to compare on further inputs.
  if (observations.length === 0) return over({ score, outcome: 'survived' })
  if (context.replay) return over(replayedMutant(context, observations, score))
  const own = { answer: text, own: observations, ownLog: state.log }
  return beginFurther({ ...carried, step: 'further', ...own, score, reference: null }, context)
}

/** No answer, in the terms of every benchmark. */
const noAnswer: EpisodeStatement = { kind: 'program', attempts: [] }

/** The flow of a sample. `entries` are those of the state's log, including the stored ones. */
export const sampleFlow = {
  start(context: SampleContext): Step {
    const { benchmark, case: c, sample, responder, options } = context
    const mutation =
      responder.kind === 'mutant'
        ? benchmark.mutants?.mutate(c, options, createRng(`mutant/${options.seed}/${c.id}/${sample}`))
        : undefined
    const carried: Carried = {
      ...nothing,
      ...context.replay?.effort,
      ...(mutation && { mutant: mutation }),
    }
    const who = playerOf(context, mutation ?? undefined)
    if ('notScored' in who) return finish(carried, context, { answer: null }, who)
    const played = playedFrom(context, options, () => who.player)
    return advance(carried, context, played, beginningOf(context, options).turn)
  },
  /**
   * A sample whose episode fails over the candidate's words: they count as no answer. Null where what failed
   * reads nothing of a candidate. `state`: null at the start.
   */
  unreadable(state: SampleState | null, context: SampleContext): Step | null {
    const { kind } = context.responder
    if (kind !== 'endpoint' && kind !== 'given' && kind !== 'agent') return null
    if (state !== null && state.step !== 'play') return null
    const carried = state ? carriedOf(state) : { ...nothing, ...context.replay?.effort }
    return ended({ ...carried, step: 'close', said: noAnswer, log: state?.log ?? emptyLog }, context, [])
  },
  resume(state: SampleState, answer: ItemAnswer, context: SampleContext, entries: readonly Entry[]): Step {
    switch (state.step) {
      case 'further':
        return afterFurther(state, answer, context, entries)
      case 'close':
        return afterClosing(state, context, entries)
      case 'score':
        return afterScore(state, answer, context, ownEpisode(state, context, entries))
      case 'play':
        return afterNeed(state, answer, context, ownEpisode(state, context, entries))
    }
  },
  need(state: SampleState, context: SampleContext, entries: readonly Entry[]): ItemNeed {
    const { benchmark, case: c, options } = context
    switch (state.step) {
      case 'further':
        return furtherNeed(state, context, entries)
      case 'close': {
        const session = sessionId(context, player, openSession(state) ?? 0)
        return { kind: 'session', payload: { kind: 'close', session } }
      }
      case 'play':
        return itemNeedOf(state.need, context, ownEpisode(state, context, entries), { ...state, player })
      case 'score': {
        const { policy } = options
        return {
          kind: 'score',
          payload: {
            kind: benchmark.kind,
            ...(policy !== undefined && { policy }),
            case: c,
            candidate: candidateOf(state, ownEpisode(state, context, entries)),
          },
        }
      }
    }
  },
}

function ownEpisode(
  state: SampleState & { log: Log },
  context: SampleContext,
  entries: readonly Entry[],
): Played {
  const who = () => {
    const answerer = playerOf(context, state.mutant)
    return 'player' in answerer ? answerer.player : null
  }
  return playedFrom(context, context.options, who, state.log, entries)
}
