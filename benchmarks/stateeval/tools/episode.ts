/**
 * A case as tool calls: for each of its inputs a world is opened, the model calls its APIs until it submits
 * RESULT, and the world is observed. Wrong calls are answered and may be repaired.
 */
import {
  formatToolAnswer,
  type Case,
  type EpisodeEvent,
  type EpisodeOptions,
  type ExecutionInput,
  type JsonObject,
  type Message,
  type ModelTool,
  type ModelToolCall,
  type HostNeed,
  type SpeakerReply,
  type ToolResult,
  type Transcript,
  type EpisodeTransition,
} from '@stateeval/contracts'
import {
  type AllLimits,
  type BenchmarkHost,
  type Episode,
  limitReached,
  resolveLimits,
  nothingTaken,
  type DialogueUsage,
  measureReply,
} from '@stateeval/program'
import { limits, mostSilent } from './mode.ts'
import { buildToolPrompt } from './prompt.ts'
import { parseResult, resultTool, createResultTool } from './result-tool.ts'

/** Decisions that a transcript does not show. */
export type ToolDecision = {
  /** The limit that ended the dialogue, in words. */
  limit?: string
  /** Calls that were refused in the reply that submitted RESULT: the dialogue no longer reports them. */
  wrong?: number
}

type ToolState = {
  /** The place of the current input among those that are played. */
  at: number
  step: 'open' | 'reply' | 'call' | 'close'
  taken: DialogueUsage
  silent: number
  decisions: ToolDecision[]
  runs: (number | null)[]
}

const begin = { taken: nothingTaken, silent: 0 }

/** The inputs that are played, each with its place in the case. */
function listToolInputs(
  c: Case,
  { inputs, only }: EpisodeOptions,
): { input: ExecutionInput; place: number }[] {
  const all = (inputs ?? c.oracles.map(({ input }) => input)).map((input, place) => ({ input, place }))
  return only ? all.filter(({ place }) => only.includes(place)) : all
}

export const makeToolEpisode = (host: BenchmarkHost): Episode<Case> => ({
  start: (c, options) => open(c, options, { at: 0, step: 'open', ...begin, decisions: [], runs: [] }),
  resume: (c, options, state, event, transcripts) =>
    resume({ host, c, options, transcripts }, state as ToolState, event),
})

interface ToolContext {
  host: BenchmarkHost
  c: Case
  options: EpisodeOptions
  transcripts: readonly Transcript[]
}

const wait = (state: ToolState, need: HostNeed): EpisodeTransition => ({ state, need })

function open(c: Case, options: EpisodeOptions, state: ToolState): EpisodeTransition {
  const next = listToolInputs(c, options)[state.at]
  if (!next) return { done: buildDialogueStatement(state) }
  return wait(
    { ...state, step: 'open' },
    { kind: 'open', session: state.at, world: c.world, input: next.input },
  )
}

const buildDialogueStatement = ({ decisions, runs }: ToolState) => ({
  kind: 'dialogue' as const,
  policy: null,
  inputs: runs.map((run, transcript) => ({ transcript, run })),
  decisions,
})

function resume(context: ToolContext, state: ToolState, event: EpisodeEvent): EpisodeTransition {
  const { c, options, host } = context
  switch (event.kind) {
    case 'opened': {
      const messages = buildToolPrompt(c, host.scenario(c.scenario), event.variables)
      return ask(context, state, messages, [...event.tools, createResultTool(c)])
    }
    case 'replied':
      return continueAfterReply(context, state, event)
    case 'called':
      return continueAfterAnswer(context, state, event.results)
    case 'ended':
      return close(state)
    case 'closed': {
      const ended = { ...state, runs: [...state.runs, event.run] }
      return open(c, options, { ...ended, at: state.at + 1, ...begin })
    }
    case 'unavailable': {
      const { reason, detail } = event
      if (state.step === 'reply' && state.taken.turns > 0) {
        // Whoever has no further reply has ended the dialogue: that is scored.
        if (reason === 'exhausted') return close(state)
        // So is a dialogue that does not fit the model's context any more.
        if (reason === 'context') return close(state, { limit: 'the model’s context' })
      }
      return { done: buildDialogueStatement(state), notScored: { reason, detail } }
    }
    default:
      throw new TypeError(`a dialogue with a world cannot continue with ${event.kind}`)
  }
}

function ask(
  { c, options }: ToolContext,
  state: ToolState,
  append: Message[],
  tools?: readonly ModelTool[],
): EpisodeTransition {
  const input = listToolInputs(c, options)[state.at]!.place
  return wait(
    { ...state, step: 'reply' },
    { kind: 'reply', role: 'model', transcript: state.at, input, append, ...(tools && { tools }) },
  )
}

/** Ends the dialogue about the current input; with RESULT where the model submitted one. */
const close = (state: ToolState, decision: ToolDecision = {}, result?: JsonObject): EpisodeTransition =>
  wait(
    { ...state, step: 'close', decisions: [...state.decisions, decision] },
    { kind: 'close', session: state.at, ...(result && { result }) },
  )

/** The calls of a reply up to the one that submits RESULT, that one, and those behind it. */
function limitCalls(calls: readonly ModelToolCall[]) {
  const at = calls.findIndex(({ name }) => name === resultTool)
  if (at < 0) return { made: calls, submit: undefined, behind: [] }
  return { made: calls.slice(0, at), submit: calls[at], behind: calls.slice(at + 1) }
}

function continueAfterReply(context: ToolContext, state: ToolState, reply: SpeakerReply): EpisodeTransition {
  const { toolCalls = [] } = reply
  const { made, submit } = limitCalls(toolCalls)
  const { tokens, ms } = measureReply(reply)
  const now: ToolState = {
    ...state,
    silent: toolCalls.length === 0 ? state.silent + 1 : 0,
    taken: {
      turns: state.taken.turns + 1,
      calls: state.taken.calls + made.length,
      tokens: state.taken.tokens + tokens,
      ms: state.taken.ms + ms,
    },
  }
  if (made.length === 0 && submit) return continueAfterAnswer(context, now, [])
  if (now.silent >= mostSilent) return close(now)
  const limit = limitReached(getLimits(context), now.taken)
  // A reply that submits RESULT calls for no other one: its calls are made at the last turn, too.
  if (limit !== null && !(submit && limitReached(getLimits(context), { ...now.taken, turns: 0 }) === null))
    return close(now, { limit })
  if (made.length === 0) return ask(context, now, [{ role: 'user', content: nothingCalled }])
  return wait({ ...now, step: 'call' }, { kind: 'call', session: now.at, calls: [...made] })
}

const getLimits = ({ options }: ToolContext): AllLimits => resolveLimits(limits, options)
const nothingCalled = `No function was called. Call the functions that the task needs; when everything is done, call \`${resultTool}\`.`

/** The world has answered; a reply that submits RESULT ends the dialogue now. */
function continueAfterAnswer(
  context: ToolContext,
  state: ToolState,
  results: readonly ToolResult[],
): EpisodeTransition {
  const { made, submit, behind } = limitCalls(getNewestCalls(context.transcripts[state.at]))
  const outcome = submit && parseResult(submit)
  if (outcome && 'result' in outcome) {
    const wrong = results.filter(({ error }) => error).length
    return close(state, wrong > 0 ? { wrong } : {}, outcome.result)
  }
  const answers: Message[] = made.map(({ id }, at) => ({
    role: 'tool',
    toolCallId: id,
    content: formatToolAnswer(results[at] ?? { content: 'no answer', error: true }),
  }))
  const refused = (call: ModelToolCall, content: string): Message => ({
    role: 'tool',
    toolCallId: call.id,
    content: formatToolAnswer({ content, error: true }),
  })
  if (!submit || !outcome) return ask(context, state, answers)
  const limit = limitReached(getLimits(context), state.taken)
  if (limit !== null) return close(state, { limit })
  return ask(context, state, [
    ...answers,
    refused(submit, outcome.fault),
    ...behind.map((call) => refused(call, `${call.name} was not called: it came after ${resultTool}`)),
  ])
}

function getNewestCalls(transcript: Transcript | undefined): readonly ModelToolCall[] {
  const message = transcript?.messages.findLast(({ role }) => role === 'assistant')
  return message?.role === 'assistant' ? (message.toolCalls ?? []) : []
}
