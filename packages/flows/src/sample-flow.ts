/**
 * One sample of one case: the benchmark's episode produces a candidate, the candidate is scored, and the
 * outcome of a mutant is determined. Infrastructure errors are retried, then the sample is not scored; they
 * never count against a model.
 */
import type { EpisodeStatement, Score, EpisodeTransition } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { findNewestReply, buildDialogue, emptyLog, type EpisodeEntry, type EntryLog } from './dialogue.ts'
import { countEndings } from './endings.ts'
import { continueEpisode } from './events.ts'
import { retryStep, type ItemAnswer, type ItemNeed, describeTrouble } from './flow.ts'
import {
  advanceFurther,
  beginFurther,
  resolveFurtherNeed,
  listObservations,
  judgeFailedMutant,
} from './mutant.ts'
import { buildItemNeed, formatSessionId } from './needs.ts'
import {
  listAllEntries,
  beginEpisode,
  playEpisode,
  type PlayedEpisode,
  restorePlayedEpisode,
  createPlayingState,
  takeTurnAfter,
  withEntry,
} from './play.ts'
import { createPlayer } from './players.ts'
import { replay, replayMutant } from './replay.ts'
import {
  type CarriedState,
  selectCarried,
  type SampleEnd,
  finish,
  nothing,
  type SampleContext,
  type SampleState,
  type SampleStep,
} from './sample.ts'
import { collectRunSeeds } from './seeds.ts'

const player = 'sample'
/** The id of a tool session of an item's own episode. */
export const formatItemSession = (item: string, session: number) => formatSessionId({ item }, player, session)

/** The sample's own episode, wherever it has come to. */
function advance(
  carried: CarriedState,
  context: SampleContext,
  before: PlayedEpisode,
  first: EpisodeTransition,
): SampleStep {
  const { played, turn } = (context.replay ? replay : playEpisode)(context, before, first)
  if (!('done' in turn)) {
    const { need } = turn
    const afterMs = need.kind === 'http' ? need.afterMs : undefined
    return {
      state: { ...carried, step: 'play', ...createPlayingState(turn.state, need, played.log) },
      ...(afterMs !== undefined && { afterMs }),
    }
  }
  const { done: said, notScored } = turn
  const { kind } = context.responder
  const isBuiltIn = kind === 'reference' || kind === 'mutant' || kind === 'none'
  const endings = isBuiltIn ? {} : { endings: countEndings(played.since) }
  return endEpisode(
    { ...carried, ...endings, step: 'close', said, ...(notScored && { notScored }), log: played.log },
    context,
    played.since,
  )
}

type ClosingState = SampleState & { step: 'close' }
const openSession = ({ sessions = {} }: CarriedState): number | undefined =>
  Object.keys(sessions).map(Number)[0]

/** The episode has ended: sessions that it left open are closed first. */
function endEpisode(state: ClosingState, context: SampleContext, since: readonly EpisodeEntry[]): SampleStep {
  if (openSession(state) !== undefined) return { state }
  const { step: _, said, notScored, log, ...carried } = state
  if (!notScored) return { state: { ...carried, step: 'score', said, log } }
  return finish(
    carried,
    context,
    { answer: findNewestReply(since), log },
    { notScored: notScored.detail, reason: notScored.reason, passing: carried.passing === true },
  )
}

/**
 * Whatever came of it: a session that cannot be closed now ends by itself when nobody has called it for long.
 */
function advanceClosing(
  state: ClosingState,
  context: SampleContext,
  since: readonly EpisodeEntry[],
): SampleStep {
  const { [openSession(state) ?? 0]: _, ...sessions } = state.sessions ?? {}
  return endEpisode({ ...state, sessions }, context, since)
}

function advancePlay(
  state: SampleState & { step: 'play' },
  answer: ItemAnswer,
  context: SampleContext,
  played: PlayedEpisode,
): SampleStep {
  const sent = buildItemNeed(state.need, context, played, { ...state, player })
  const { carried, event, entry, trouble } = continueEpisode(state, sent, answer, played.since)
  const repeated = trouble && retryStep(state, trouble)
  if (repeated) return repeated
  const now = entry ? withEntry(played, entry) : played
  const turn = takeTurnAfter(context, now, state.episode, event)
  // A dialogue's text after a run may name the run's ids.
  const seeds = event.kind === 'executed' && 'need' in turn ? collectRunSeeds(event.run, event.result) : null
  return advance(seeds ? { ...carried, seeds: { ...carried.seeds, ...seeds } } : carried, context, now, turn)
}

const buildCandidate = ({ said }: SampleState & { step: 'score' }, played: PlayedEpisode) => ({
  said,
  ...buildDialogue(listAllEntries(played)),
})

function advanceScore(
  state: SampleState & { step: 'score' },
  answer: ItemAnswer,
  context: SampleContext,
  played: PlayedEpisode,
): SampleStep {
  const carried = selectCarried(state)
  const { mutants } = context.benchmark
  const text = findNewestReply(played.since)
  const over = (end: SampleEnd) => finish(carried, context, { answer: text, log: state.log }, end)
  if (!answer.ok) {
    const trouble = describeTrouble(answer)
    return (
      retryStep(state, trouble) ??
      over({
        notScored: `the sample could not be scored: ${trouble.says}`,
        reason: 'infrastructure',
        passing: trouble.passing,
      })
    )
  }
  const score = answer.value as Score
  if (score.verdict === 'infrastructure_error') {
    const says = score.evidence.differences[0]?.says
    return over({
      notScored: says === undefined ? 'infrastructure error' : `infrastructure error: ${says}`,
      reason: 'infrastructure',
      passing: true,
    })
  }
  if (!state.mutant || !mutants) return over({ score })
  const observations = listObservations(buildCandidate(state, played))
  if (!score.passed)
    return over({ score, outcome: judgeFailedMutant(mutants, context.case, observations, score) })
  // Without runs there is nothing to compare on further inputs.
  if (observations.length === 0) return over({ score, outcome: 'survived' })
  if (context.replay) return over(replayMutant(context, observations, score))
  const own = { answer: text, own: observations, ownLog: state.log }
  return beginFurther({ ...carried, step: 'further', ...own, score, reference: null }, context)
}

/** No answer, in the terms of every benchmark. */
const noAnswer: EpisodeStatement = { kind: 'program', attempts: [] }

/** The flow of a sample. `entries` are those of the state's log, including the stored ones. */
export const sampleFlow = {
  start(context: SampleContext): SampleStep {
    const { benchmark, case: c, sample, responder, options } = context
    const mutation =
      responder.kind === 'mutant'
        ? benchmark.mutants?.mutate(c, options, createRng(`mutant/${options.seed}/${c.id}/${sample}`))
        : undefined
    const carried: CarriedState = {
      ...nothing,
      ...context.replay?.effort,
      ...(mutation && { mutant: mutation }),
    }
    const who = createPlayer(context, mutation ?? undefined)
    if ('notScored' in who) return finish(carried, context, { answer: null }, who)
    const played = restorePlayedEpisode(context, options, () => who.player)
    return advance(carried, context, played, beginEpisode(context, options).turn)
  },
  /**
   * A sample whose episode fails over the candidate's words: they count as no answer. Null where what failed
   * reads nothing of a candidate. `state`: null at the start.
   */
  unreadable(state: SampleState | null, context: SampleContext): SampleStep | null {
    const { kind } = context.responder
    if (kind !== 'endpoint' && kind !== 'given' && kind !== 'agent') return null
    if (state !== null && state.step !== 'play') return null
    const carried = state ? selectCarried(state) : { ...nothing, ...context.replay?.effort }
    return endEpisode({ ...carried, step: 'close', said: noAnswer, log: state?.log ?? emptyLog }, context, [])
  },
  resume(
    state: SampleState,
    answer: ItemAnswer,
    context: SampleContext,
    entries: readonly EpisodeEntry[],
  ): SampleStep {
    switch (state.step) {
      case 'further':
        return advanceFurther(state, answer, context, entries)
      case 'close':
        return advanceClosing(state, context, entries)
      case 'score':
        return advanceScore(state, answer, context, playOwnEpisode(state, context, entries))
      case 'play':
        return advancePlay(state, answer, context, playOwnEpisode(state, context, entries))
    }
  },
  need(state: SampleState, context: SampleContext, entries: readonly EpisodeEntry[]): ItemNeed {
    const { benchmark, case: c, options } = context
    switch (state.step) {
      case 'further':
        return resolveFurtherNeed(state, context, entries)
      case 'close': {
        const session = formatSessionId(context, player, openSession(state) ?? 0)
        return { kind: 'session', payload: { kind: 'close', session } }
      }
      case 'play':
        return buildItemNeed(state.need, context, playOwnEpisode(state, context, entries), {
          ...state,
          player,
        })
      case 'score': {
        const { policy } = options
        return {
          kind: 'score',
          payload: {
            kind: benchmark.kind,
            ...(policy !== undefined && { policy }),
            case: c,
            candidate: buildCandidate(state, playOwnEpisode(state, context, entries)),
          },
        }
      }
    }
  },
}

function playOwnEpisode(
  state: SampleState & { log: EntryLog },
  context: SampleContext,
  entries: readonly EpisodeEntry[],
): PlayedEpisode {
  const who = () => {
    const answerer = createPlayer(context, state.mutant)
    return 'player' in answerer ? answerer.player : null
  }
  return restorePlayedEpisode(context, context.options, who, state.log, entries)
}
