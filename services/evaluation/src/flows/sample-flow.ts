/**
 * One sample of one case: the benchmark's episode is led to a candidate, the candidate is scored, and a mutant's fate
 * is settled. Infrastructure errors are tried again, then the sample is not scored; they never count against a model.
 */
import {
  type Case,
  type EpisodeEvent,
  type EpisodeOptions,
  type ExecutionRequest,
  type ExecutionResult,
  executionRequestOf,
  type Json,
  type Reply,
  type Score,
  type Turn,
  type Unavailable,
} from '@stateeval/contracts'
import { addUsage, type Answered, type Question, silenceOf } from '@stateeval/models'
import { createRng, type Player } from '@stateeval/program'
import { addCounts, countBy } from '../counts.ts'
import { dialogueOf, type Entry, type Log } from './dialogue.ts'
import { again, type ItemAnswer, type ItemNeed, ranIn, troubleOf } from './flow.ts'
import { outcomeWhenFailed, outcomeWhenPassed, furtherOptions, observationsOf } from './mutant.ts'
import {
  allEntries,
  beginningOf,
  play,
  type Played,
  playedFrom,
  playing,
  runsIn,
  said,
  transcriptsOf,
  turnAfter,
  withEntry,
} from './play.ts'
import {
  answerIn,
  type Carried,
  carriedOf,
  type End,
  finish,
  nothing,
  type Playing,
  type PlayedMutant,
  type SampleContext,
  type SampleState,
  type Step,
} from './sample.ts'

const givenPlayer =
  (replies: readonly Reply[]): Player =>
  ({ messages }) =>
    replies[messages.filter(({ role }) => role === 'assistant').length] ?? null

/** Who answers in an endpoint's place; `none` where nobody can. */
function playerOf(
  { benchmark, case: c, responder, options }: SampleContext,
  mutant?: PlayedMutant,
): { player: Player | null } | { none: string } {
  switch (responder.kind) {
    case 'endpoint':
      return { player: null }
    case 'given':
      return { player: givenPlayer(responder.replies) }
    case 'reference': {
      const player = benchmark.player(c, options)
      return player ? { player } : { none: 'the case has no reference answer in this language' }
    }
    case 'mutant': {
      const player = mutant && benchmark.player(c, options, mutant.mutant)
      return player ? { player } : { none: 'no mutation operator applies' }
    }
  }
}

/** The sample's own episode, wherever it has come to. */
function advance(carried: Carried, context: SampleContext, before: Played, first: Turn): Step {
  const { played, turn } = play(context, before, first)
  if (!('done' in turn))
    return { state: { ...carried, step: 'play', ...playing(turn.state, turn.need, played.log) } }
  const { notScored } = turn
  if (!notScored) return { state: { ...carried, step: 'score', said: turn.done, log: played.log } }
  return finish(
    carried,
    context,
    { answer: answerIn(played.since), log: played.log },
    { notScored: notScored.detail, passing: carried.passing === true },
  )
}

/** Continues the sample's own episode with an event. */
const resumed = (
  context: SampleContext,
  state: Json,
  carried: Carried,
  played: Played,
  event: EpisodeEvent,
): Step => advance(carried, context, played, turnAfter(context, played, state, event))

const withRuns = (carried: Carried, { runtime, observations }: ExecutionResult): Carried => ({
  ...carried,
  runtimes: [...new Set([...carried.runtimes, runtime])].sort(),
  sandboxes: addCounts([carried.sandboxes, countBy(observations, ({ sandbox }) => sandbox)]),
})

function afterReply(
  state: SampleState & { step: 'play' },
  answer: ItemAnswer,
  context: SampleContext,
  played: Played,
): Step {
  const { need } = state
  if (need.kind !== 'reply') throw new TypeError(`a state that waits for ${need.kind} has no reply`)
  if (!answer.ok) {
    const { refused, reason: detail } = answer
    const silent = silenceOf(questionOf(need, context, played), { refused, reason: detail })
    const carried = { ...carriedOf(state), unanswered: [...(state.unanswered ?? []), silent] }
    return resumed(context, state.episode, carried, played, {
      kind: 'unavailable',
      reason: refused ? 'refused' : 'failed',
      detail,
    })
  }
  const {
    text,
    toolCalls,
    usage,
    retries,
    repeated,
    place,
    kept,
    finish: why,
  } = answer.value as unknown as Answered
  const carried: Carried = {
    ...carriedOf(state),
    usage: addUsage(state.usage, usage),
    retries: state.retries + retries,
    places: [...(state.places ?? []), place],
    kept: (state.kept ?? 0) + (kept ? 1 : 0),
    repeated: (state.repeated ?? 0) + repeated,
    cut: (state.cut ?? 0) + (why === 'length' ? 1 : 0),
    finish: why,
  }
  const reply: Reply = { text, ...(toolCalls && { toolCalls }), finish: why, usage }
  return resumed(
    context,
    state.episode,
    carried,
    withEntry(played, said(need.transcript, need.role, reply)),
    { kind: 'replied', ...reply },
  )
}

function afterRun(
  state: SampleState & { step: 'play' },
  answer: ItemAnswer,
  context: SampleContext,
  played: Played,
): Step {
  const ran = ranIn(answer)
  if ('trouble' in ran) {
    const { says, passing } = ran.trouble
    const carried = { ...carriedOf(state), ...(passing && { passing: true as const }) }
    const event: Unavailable = {
      kind: 'unavailable',
      reason: passing ? 'failed' : 'refused',
      detail: `infrastructure error: ${says}`,
    }
    return again(state, ran.trouble) ?? resumed(context, state.episode, carried, played, event)
  }
  const run = runsIn(played.since)
  return resumed(
    context,
    state.episode,
    withRuns(carriedOf(state), ran.result),
    withEntry(played, { run: ran.result }),
    {
      kind: 'executed',
      run,
      result: ran.result,
    },
  )
}

const candidateOf = ({ said: of }: SampleState & { step: 'score' }, played: Played) => ({
  said: of,
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
  const ended = (end: End) => finish(carried, context, { answer: text, log: state.log }, end)
  if (!answer.ok) {
    const trouble = troubleOf(answer)
    return (
      again(state, trouble) ??
      ended({ notScored: `the score could not be had: ${trouble.says}`, passing: trouble.passing })
    )
  }
  const score = answer.value as unknown as Score
  if (score.verdict === 'infrastructure_error') {
    const says = score.evidence.differences[0]?.says
    return ended({
      notScored: says === undefined ? 'infrastructure error' : `infrastructure error: ${says}`,
      passing: true,
    })
  }
  if (!state.mutant || !mutants) return ended({ score })
  const own = observationsOf(candidateOf(state, played))
  if (!score.passed) return ended({ score, fate: outcomeWhenFailed(mutants, ofProgram(context), own, score) })
  return further({ ...carried, step: 'further', answer: text, own, score, reference: null }, context)
}

type Further = Omit<SampleState & { step: 'further' }, keyof Playing>

/** Who plays on the further inputs: the reference first, then the mutant. */
const furtherPlayer = (
  { reference, mutant }: Further,
  { benchmark, case: c }: SampleContext,
  options: EpisodeOptions,
) =>
  reference === null ? benchmark.player(c, options) : benchmark.player(c, options, mutant?.mutant ?? null)

/** Begins the episode of whoever is next on the further inputs. */
function further(state: Further, context: SampleContext): Step {
  const options = furtherOptions(context)
  const played = playedFrom(context, options, () => furtherPlayer(state, context, options))
  return furtherTurn(state, context, played, beginningOf(context, options).turn)
}

function furtherTurn(state: Further, context: SampleContext, before: Played, first: Turn): Step {
  const { played, turn } = play(context, before, first)
  if (!('done' in turn))
    return { state: { ...state, tries: 0, ...playing(turn.state, turn.need, played.log) } }
  if (turn.notScored) return finish(carriedOf(state), context, state, { notScored: turn.notScored.detail })
  const observations = observationsOf({ said: turn.done, ...dialogueOf(allEntries(played)) })
  if (state.reference === null) return further({ ...state, reference: observations }, context)
  const { mutants } = context.benchmark
  const { own, score, reference } = state
  const fate = mutants
    ? outcomeWhenPassed(mutants, ofProgram(context), own, { reference, mutant: observations })
    : 'survived'
  return finish(carriedOf(state), context, state, { score, fate })
}

function afterFurther(
  state: SampleState & { step: 'further' },
  answer: ItemAnswer,
  context: SampleContext,
  entries: readonly Entry[],
): Step {
  const ran = ranIn(answer)
  if ('trouble' in ran)
    return (
      again(state, ran.trouble) ??
      finish(carriedOf(state), context, state, { notScored: `infrastructure error: ${ran.trouble.says}` })
    )
  const { episode, need: _, log, ...rest } = state
  const options = furtherOptions(context)
  const played = playedFrom(context, options, () => furtherPlayer(rest, context, options), log, entries)
  const now = withEntry(played, { run: ran.result })
  const turn = turnAfter(context, now, episode, {
    kind: 'executed',
    run: runsIn(entries),
    result: ran.result,
  })
  return furtherTurn({ ...rest, ...withRuns(carriedOf(rest), ran.result) }, context, now, turn)
}

/** Only benchmarks of programs have mutants. */
const ofProgram = (context: SampleContext) => context.case as Case

function questionOf(
  need: Playing['need'] & { kind: 'reply' },
  { responder, sample }: SampleContext,
  played: Played,
): Question {
  if (responder.kind !== 'endpoint') throw new Error(`${responder.kind} is no endpoint`)
  const { messages = [], tools } = transcriptsOf(played)[need.transcript] ?? {}
  const { toolChoice, schema, parameters } = need
  return {
    model: { name: responder.name, settings: responder.settings },
    // Why an answer ended is no part of the next question.
    messages: messages.map((message) => {
      if (message.role !== 'assistant') return message
      const { finish: _, ...rest } = message
      return rest
    }),
    ...(tools && { tools }),
    ...(toolChoice && { toolChoice }),
    ...(schema && { schema }),
    ...(parameters && { parameters }),
    sample,
  }
}

/** The longest run that execution's contract takes, in seconds. */
const longestRun = 600

/** The request with the evaluation's time limit; CPU time is that of all inputs together. */
function limited(request: ExecutionRequest, seconds: number | undefined): ExecutionRequest {
  if (seconds === undefined) return request
  const cpuSeconds = Math.min(longestRun, Math.ceil(seconds * request.inputs.length))
  return { ...request, limits: { ...request.limits, wallMs: Math.round(seconds * 1000), cpuSeconds } }
}

function needOf(need: Playing['need'], context: SampleContext, played: Played): ItemNeed {
  if (need.kind === 'reply') return { kind: 'ask', payload: questionOf(need, context, played) }
  if (need.kind === 'execute' && need.request.kind === 'code')
    return { kind: 'execute', payload: limited(executionRequestOf(need.request), context.options.timeLimit) }
  throw new Error(`this host cannot fulfil ${need.kind}`)
}

/** A sample's way. `entries` are those of the state's log, the stored ones among them. */
export const sampleFlow = {
  start(context: SampleContext): Step {
    const { benchmark, case: c, sample, responder, options } = context
    const drawn =
      responder.kind === 'mutant'
        ? benchmark.mutants?.mutate(c, options, createRng(`mutant/${options.seed}/${c.id}/${sample}`))
        : undefined
    const carried: Carried = { ...nothing, ...(drawn && { mutant: drawn }) }
    const who = playerOf(context, drawn ?? undefined)
    if ('none' in who) return finish(carried, context, { answer: null }, { notScored: who.none })
    const played = playedFrom(context, options, () => who.player)
    return advance(carried, context, played, beginningOf(context, options).turn)
  },
  resume(state: SampleState, answer: ItemAnswer, context: SampleContext, entries: readonly Entry[]): Step {
    if (state.step === 'further') return afterFurther(state, answer, context, entries)
    const played = ownEpisode(state, context, entries)
    if (state.step === 'score') return afterScore(state, answer, context, played)
    return state.need.kind === 'reply'
      ? afterReply(state, answer, context, played)
      : afterRun(state, answer, context, played)
  },
  need(state: SampleState, context: SampleContext, entries: readonly Entry[]): ItemNeed {
    const { benchmark, case: c, options } = context
    if (state.step === 'further')
      return needOf(
        state.need,
        context,
        playedFrom(context, furtherOptions(context), () => null, state.log, entries),
      )
    const played = ownEpisode(state, context, entries)
    if (state.step === 'play') return needOf(state.need, context, played)
    const { policy } = options
    return {
      kind: 'score',
      payload: {
        benchmark: benchmark.id,
        ...(policy !== undefined && { policy }),
        case: c,
        candidate: candidateOf(state, played),
      },
    }
  },
}

function ownEpisode(
  state: SampleState & { log: Log },
  context: SampleContext,
  entries: readonly Entry[],
): Played {
  const player = () => {
    const who = playerOf(context, state.mutant)
    return 'player' in who ? who.player : null
  }
  return playedFrom(context, context.options, player, state.log, entries)
}
