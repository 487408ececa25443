/**
 * Translates an episode's need for the queue: a job of another service, or a question that this service
 * asks.
 */
import {
  type AnyExecutionRequest,
  type AnswerLimits,
  buildCallsRequest,
  buildExecutionRequest,
  type Message,
  sha256,
  type ToolSessionJob,
} from '@stateeval/contracts'
import { liveQuestion, type NamedModel, type Question } from '@stateeval/models'
import type { ItemNeed } from './flow.ts'
import { partOf, partyOf, type Played, runsIn, transcriptsOf } from './play.ts'
import type { Playing, Responder, SampleContext, Sessions } from './sample.ts'
import { withSeeds } from './seeds.ts'

type Waiting = Playing['need']

/** Why an answer ended is no part of the next question. */
const withoutFinish = (message: Message): Message => {
  if (message.role !== 'assistant') return message
  const { finish: _, ...rest } = message
  return rest
}

/** Builds the common part of questions. */
const questionTo = (
  { name, settings }: NamedModel,
  messages: readonly Message[],
  { toolChoice, schema, parameters }: AnswerLimits,
): Question => ({
  model: { name, settings },
  messages: messages.map(withoutFinish),
  ...(toolChoice && { toolChoice }),
  ...(schema && { schema }),
  ...(parameters && { parameters }),
})

function replyQuestion(need: Waiting & { kind: 'reply' }, context: SampleContext, played: Played): Question {
  const { responder, sample } = context
  const model = need.role === 'model' ? modelOf(responder) : partyOf('user', context)
  const { messages = [], tools } = transcriptsOf(played)[need.transcript] ?? {}
  return { ...questionTo(model, messages, need), ...(tools && { tools }), sample }
}

/** An agent is asked by nobody: its name stands in the key of the question, as an endpoint's would. */
const agent: NamedModel = { name: 'agent', settings: { baseUrl: '', model: 'agent' } }

function modelOf(responder: Responder): NamedModel {
  if (responder.kind === 'agent') return agent
  if (responder.kind === 'endpoint') return responder
  throw new Error(`${responder.kind} is not an endpoint`)
}

/** A judge's answer has no sample: the same question is one question, unless it is numbered. */
function consultQuestion(need: Waiting & { kind: 'consult' }, context: SampleContext): Question {
  const { role, messages, attempt } = need
  return {
    ...questionTo(partyOf(role, context), messages, need),
    ...(attempt !== undefined && { attempt }),
  }
}

/** The question for each distinct text that is compared. */
export const similarQuestions = (
  { left, right }: { left: readonly string[]; right: readonly string[] },
  { name, settings }: NamedModel,
): Map<string, Question> =>
  new Map(
    [...left, ...right].map((content) => [
      content,
      { model: { name, settings }, messages: [{ role: 'user', content }] },
    ]),
  )

/** The longest run that execution's contract takes, in seconds. */
const longestRun = 600

/** The request with the evaluation's time limit; CPU time is that of all inputs together. */
function limited(request: AnyExecutionRequest, seconds: number | undefined): AnyExecutionRequest {
  if (seconds === undefined) return request
  const cpuSeconds = Math.min(longestRun, Math.ceil(seconds * request.inputs.length))
  return { ...request, limits: { ...request.limits, wallMs: Math.round(seconds * 1000), cpuSeconds } }
}

/**
 * `player` distinguishes the sessions of several episodes of one item; `sessions` counts the calls of each.
 */
export function itemNeedOf(
  need: Waiting,
  context: SampleContext,
  played: Played,
  { player, sessions = {} }: { player: string; sessions?: Sessions },
): ItemNeed {
  const part = partOf(need)
  const as = part !== null && { part }
  switch (need.kind) {
    case 'reply':
      return { kind: 'ask', payload: replyQuestion(need, context, played), ...as }
    case 'consult':
      return { kind: 'ask', payload: consultQuestion(need, context), ...as }
    case 'http':
      return { kind: 'ask', payload: liveQuestion(need.request, need.attempt), ...as }
    case 'similar': {
      const { left, right } = need
      return { kind: 'compare', payload: { left, right, by: partyOf('similar', context) } }
    }
    case 'execute': {
      const { request } = need
      const payload = request.kind === 'code' ? buildExecutionRequest(request) : buildCallsRequest(request)
      const seeded = withSeeds(payload, runsIn(played.since), context.seeds)
      return { kind: 'execute', payload: limited(seeded, context.options.timeLimit) }
    }
    case 'open':
    case 'call':
    case 'close': {
      const session = sessionId(context, player, need.session)
      const seed = context.seeds?.[need.session]
      return { kind: 'session', payload: sessionJob(need, session, sessions[need.session] ?? 0, seed) }
    }
  }
}

/** The same session of the same item has the same id, so a repetition changes nothing. */
export const sessionId = ({ item }: Pick<SampleContext, 'item'>, player: string, session: number): string =>
  `ses_${sha256(`${item}/${player}/${session}`).slice(0, 40)}`

function sessionJob(
  need: Waiting & { kind: 'open' | 'call' | 'close' },
  session: string,
  index: number,
  seed: string | undefined,
): ToolSessionJob {
  switch (need.kind) {
    case 'open':
      return {
        kind: 'open',
        session,
        world: need.world,
        input: need.input,
        ...(seed !== undefined && { seed }),
      }
    case 'call':
      return { kind: 'call', session, index, calls: need.calls }
    case 'close':
      return { kind: 'close', session, ...(need.result !== undefined && { result: need.result }) }
  }
}
