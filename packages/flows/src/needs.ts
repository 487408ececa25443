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
import { buildLiveQuestion, type NamedModel, type ModelQuestion } from '@stateeval/models'
import type { ItemNeed } from './flow.ts'
import { getNeedPart, getParty, type PlayedEpisode, listRuns, listTranscripts } from './play.ts'
import type { PendingNeed, Responder, SampleContext, OpenSessions } from './sample.ts'
import { withSeeds } from './seeds.ts'

/** Why an answer ended is no part of the next question. */
const removeFinish = (message: Message): Message => {
  if (message.role !== 'assistant') return message
  const { finish: _, ...rest } = message
  return rest
}

/** Builds the part that all questions to a model or a judge have. */
const buildQuestion = (
  { name, settings }: NamedModel,
  messages: readonly Message[],
  { toolChoice, schema, parameters }: AnswerLimits,
): ModelQuestion => ({
  model: { name, settings },
  messages: messages.map(removeFinish),
  ...(toolChoice && { toolChoice }),
  ...(schema && { schema }),
  ...(parameters && { parameters }),
})

function buildReplyQuestion(
  need: PendingNeed & { kind: 'reply' },
  context: SampleContext,
  played: PlayedEpisode,
): ModelQuestion {
  const { responder, sample } = context
  const model = need.role === 'model' ? getModel(responder) : getParty('user', context)
  const { messages = [], tools } = listTranscripts(played)[need.transcript] ?? {}
  return { ...buildQuestion(model, messages, need), ...(tools && { tools }), sample }
}

/** An agent is asked by nobody: its name stands in the key of the question, as an endpoint's would. */
const agent: NamedModel = { name: 'agent', settings: { baseUrl: '', model: 'agent' } }

function getModel(responder: Responder): NamedModel {
  if (responder.kind === 'agent') return agent
  if (responder.kind === 'endpoint') return responder
  throw new Error(`${responder.kind} is not an endpoint`)
}

/** A judge's answer has no sample: the same question is one question, unless it is numbered. */
function buildConsultQuestion(
  need: PendingNeed & { kind: 'consult' },
  context: SampleContext,
): ModelQuestion {
  const { role, messages, attempt } = need
  return {
    ...buildQuestion(getParty(role, context), messages, need),
    ...(attempt !== undefined && { attempt }),
  }
}

/** The question for each distinct text that is compared. */
export const buildSimilarityQuestions = (
  { left, right }: { left: readonly string[]; right: readonly string[] },
  { name, settings }: NamedModel,
): Map<string, ModelQuestion> =>
  new Map(
    [...left, ...right].map((content) => [
      content,
      { model: { name, settings }, messages: [{ role: 'user', content }] },
    ]),
  )

/** The longest run that execution's contract takes, in seconds. */
const longestRun = 600

/** The request with the evaluation's time limit; CPU time is that of all inputs together. */
function limitRequest(request: AnyExecutionRequest, seconds: number | undefined): AnyExecutionRequest {
  if (seconds === undefined) return request
  const cpuSeconds = Math.min(longestRun, Math.ceil(seconds * request.inputs.length))
  return { ...request, limits: { ...request.limits, wallMs: Math.round(seconds * 1000), cpuSeconds } }
}

/**
 * `player` distinguishes the sessions of several episodes of one item; `sessions` counts the calls of each.
 */
export function buildItemNeed(
  need: PendingNeed,
  context: SampleContext,
  played: PlayedEpisode,
  { player, sessions = {} }: { player: string; sessions?: OpenSessions },
): ItemNeed {
  const part = getNeedPart(need)
  const as = part !== null && { part }
  switch (need.kind) {
    case 'reply':
      return { kind: 'ask', payload: buildReplyQuestion(need, context, played), ...as }
    case 'consult':
      return { kind: 'ask', payload: buildConsultQuestion(need, context), ...as }
    case 'http':
      return { kind: 'ask', payload: buildLiveQuestion(need.request, need.attempt), ...as }
    case 'similar': {
      const { left, right } = need
      return { kind: 'compare', payload: { left, right, by: getParty('similar', context) } }
    }
    case 'execute': {
      const { request } = need
      const payload = request.kind === 'code' ? buildExecutionRequest(request) : buildCallsRequest(request)
      const seeded = withSeeds(payload, listRuns(played.since), context.seeds)
      return { kind: 'execute', payload: limitRequest(seeded, context.options.timeLimit) }
    }
    case 'open':
    case 'call':
    case 'close': {
      const session = formatSessionId(context, player, need.session)
      const seed = context.seeds?.[need.session]
      return { kind: 'session', payload: buildSessionJob(need, session, sessions[need.session] ?? 0, seed) }
    }
  }
}

/** The same session of the same item has the same id, so a repetition changes nothing. */
export const formatSessionId = (
  { item }: Pick<SampleContext, 'item'>,
  player: string,
  session: number,
): string => `ses_${sha256(`${item}/${player}/${session}`).slice(0, 40)}`

function buildSessionJob(
  need: PendingNeed & { kind: 'open' | 'call' | 'close' },
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
