/**
 * One sample as a conversation of one answer: ask, read it as each policy does, run what can be run, done.
 */
import type {
  EpisodeEvent,
  EpisodeOptions,
  AnswerReading,
  EpisodeStatement,
  Transcript,
  EpisodeTransition,
} from '@stateeval/contracts'
import { type BenchmarkHost, type Episode, findNewestMessage } from '@stateeval/program'
import { type ApisOf, loadPythonSources } from './apis.ts'
import { isAnswerable, getLabel, type NestfulCase, withoutSpecification } from './case.ts'
import { buildHttpRequest, type LiveScope, extendScope } from './execution/live.ts'
import { type ExecutionStep, planSteps } from './execution/steps.ts'
import { getFamily, buildNestfulPrompt, getPromptSetup } from './prompt/prompt.ts'
import { nameTools } from './prompt/tools.ts'
import { noCall } from './outcome.ts'
import { readAnswer, readingsOf } from './readings.ts'

/** How a step ended: the place of its run, or what is known of it without one. */
type StepEnd = { run: number } | { note: string }
type LiveRun = { call: number; scope: LiveScope }
/** The answer is in the transcript, so what was read of it is computed anew. */
type RunningEpisode = { message: number; ended: StepEnd[]; live?: LiveRun }
type NestfulState = null | RunningEpisode

/** Limit of one list to live APIs: no published one has more than eight calls, and every request may cost. */
const maxRequests = 100

export const makeEpisode = (apisOf: ApisOf, host: BenchmarkHost): Episode<NestfulCase> => {
  const stepsFor = (c: NestfulCase, readings: readonly AnswerReading[]) =>
    planSteps(readings, c, apisOf(c), loadPythonSources(host, c))

  /**
   * Tells whether a sample runs over live APIs: all hosts of its gold calls are available, whatever an answer
   * calls.
   */
  const isLive = (c: NestfulCase, { parts = [] }: EpisodeOptions) =>
    c.task.form === 'v1' &&
    c.task.passable === true &&
    c.task.calls.every(({ name }) => {
      const http = apisOf(c).apis.get(name)?.http
      return http !== undefined && parts.includes(`http:${http.host}`)
    })

  const readingsFor = (c: NestfulCase, options: EpisodeOptions, message: Transcript['messages'][number]) => {
    const toolCalls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
    const { apis } = apisOf(c)
    const original = new Map([...nameTools([...apis.keys()])].map(([name, tool]) => [tool, name]))
    const renamed = toolCalls.map((call) => ({ ...call, name: original.get(call.name) ?? call.name }))
    return readAnswer(message.content, renamed, {
      family: getFamily(options),
      labelAt: (n) => getLabel(c, n),
      isApi: (name) => apis.has(name),
    })
  }

  /** The next request of a step over live APIs; what follows where there is none. */
  function live(
    c: NestfulCase,
    state: RunningEpisode,
    step: ExecutionStep,
    context: NestfulContext,
  ): EpisodeTransition {
    const { call: at, scope } = state.live ?? { call: 0, scope: {} }
    const call = step.calls[at]
    if (!call) return afterLive(c, state, 'every call was answered', context)
    const fail = (says: string) => afterLive(c, state, `call ${at + 1} failed: ${says}`, context)
    if (at >= maxRequests) return fail(`a list may send ${maxRequests} requests`)
    const http = apisOf(c).apis.get(call.name)?.http
    if (!http) return fail(`there is no API ${call.name.slice(0, 60)}`)
    const request = buildHttpRequest(call, http, scope)
    if ('fault' in request) return fail(request.fault)
    return { state: { ...state, live: { call: at, scope } }, need: { kind: 'http', request } }
  }

  function next(c: NestfulCase, state: RunningEpisode, context: NestfulContext): EpisodeTransition {
    const step = context.steps[state.ended.length]
    if (!step) return { done: buildStatement(state, context) }
    if (context.isLive) return live(c, state, step, context)
    return { state, need: { kind: 'execute', request: step.request } }
  }
  /** The next step, after one over live APIs that ended as `says`. */
  function afterLive(
    c: NestfulCase,
    { live: _, ...state }: RunningEpisode,
    says: string,
    context: NestfulContext,
  ): EpisodeTransition {
    const note = `live: ${says}`.slice(0, 300)
    return next(c, { ...state, ended: [...state.ended, { note }] }, context)
  }
  function responded(
    c: NestfulCase,
    state: RunningEpisode,
    event: RespondedEvent,
    context: NestfulContext,
  ): EpisodeTransition {
    const step = context.steps[state.ended.length]!
    const { call: at, scope } = state.live!
    const call = step.calls[at]!
    // No later call is sent, so none needs a value.
    const sent = step.calls.slice(0, maxRequests)
    const after = extendScope(sent, at, apisOf(c).apis.get(call.name)!.http!, event, scope)
    if ('scope' in after)
      return live(c, { ...state, live: { call: at + 1, scope: after.scope } }, step, context)
    return afterLive(c, state, `call ${at + 1} failed: ${after.fault}`, context)
  }

  return {
    start(c, options) {
      if (options.policy === 'sound' && !isAnswerable(c))
        return { done: { kind: 'calls', attempts: [] }, notScored: isUnanswerable(c) }
      const { messages, tools } = buildNestfulPrompt(c, apisOf(c), options)
      return {
        state: null,
        need: {
          kind: 'reply',
          role: 'model',
          transcript: 0,
          append: messages,
          ...(tools && { tools }),
          ...(getPromptSetup(options) === 'tools' && { toolChoice: 'auto' as const }),
        },
      }
    },
    resume(c, options, state: NestfulState, event, transcripts): EpisodeTransition {
      if (state === null) {
        if (event.kind === 'unavailable')
          return {
            done: { kind: 'calls', attempts: [] },
            notScored: { reason: event.reason, detail: event.detail },
          }
        if (event.kind !== 'replied')
          throw new TypeError(`an episode that waits for an answer cannot continue with ${event.kind}`)
      }
      const message = state?.message ?? findNewestMessage(transcripts)
      const readings = readingsFor(c, options, transcripts[0]!.messages[message]!)
      const context: NestfulContext = { readings, steps: stepsFor(c, readings), isLive: isLive(c, options) }
      if (state === null) return next(c, { message, ended: [] }, context)
      if (event.kind === 'executed')
        return next(c, { ...state, ended: [...state.ended, { run: event.run }] }, context)
      if (event.kind === 'responded') return responded(c, state, event, context)
      if (event.kind !== 'unavailable')
        throw new TypeError(`an episode that runs calls cannot continue with ${event.kind}`)
      if (!state.live)
        return {
          done: buildStatement(state, context),
          notScored: { reason: event.reason, detail: event.detail },
        }
      // A request that the client refuses, such as one whose URL is too long, counts against the model, and
      // so does one that was not recorded. A live API that is unreachable says nothing about the answer: the
      // rest is scored.
      const call = state.live.call + 1
      return afterLive(c, state, endOfLive(call, event.reason, event.detail), context)
    },
  }
}

/** No prompt offers what the gold calls need. `published` asks all the same, as the released code does. */
const isUnanswerable = ({ task }: NestfulCase) => ({
  reason: 'unanswerable' as const,
  detail: `unanswerable: ${task.faults.find((fault) => fault.includes(withoutSpecification))!}`,
})

function endOfLive(call: number, reason: string, detail: string): string {
  if (reason === 'refused') return `call ${call} failed: ${detail}`
  if (reason === 'not_configured') return `call ${call} failed: its host is not configured here`
  return `${reason === 'not_recorded' ? 'not recorded' : 'not run'}: ${detail}`
}

interface NestfulContext {
  readings: readonly AnswerReading[]
  steps: readonly ExecutionStep[]
  isLive: boolean
}
type RespondedEvent = Extract<EpisodeEvent, { kind: 'responded' }>

function buildStatement(
  { message, ended }: RunningEpisode,
  { readings, steps, isLive }: NestfulContext,
): EpisodeStatement {
  const outcome = new Map(
    steps.flatMap((step, at) => step.readings.map((reading) => [reading, ended[at]] as const)),
  )
  return {
    kind: 'calls',
    attempts: [
      {
        message,
        readings: readings.map((reading, at) => {
          const end = outcome.get(at)
          // An answer without live calls counts like the others.
          if (!end)
            return isLive && reading.policy === readingsOf.run ? { ...reading, none: noCall } : { ...reading }
          return 'run' in end ? { ...reading, run: end.run } : { ...reading, none: end.note }
        }),
      },
    ],
  }
}
