/**
 * Three turns with a live world: the model calls tools, possibly in parallel, and sees the errors of wrong
 * calls. Then a judge decides whether the last answer answers the question. Similarities and a live API add
 * figures if they are configured.
 */
import type {
  EpisodeEvent,
  Message,
  ModelTool,
  ModelToolCall,
  HostNeed,
  SpeakerReply,
  ToolResult,
  Transcript,
  EpisodeTransition,
  UnmetNeed,
} from '@stateeval/contracts'
import {
  type AllLimits,
  type Episode,
  type LimitRange,
  limitReached,
  resolveLimits,
  nothingTaken,
  type DialogueUsage,
  measureReply,
} from '@stateeval/program'
import type { DialogueCase } from './case.ts'
import { faultOfCall } from './tools.ts'

export const limits: LimitRange = {
  usual: { turns: 12, calls: 50, tokens: 100_000, seconds: 3600 },
  most: { turns: 100 },
}

export type Decisions = {
  judged: 'yes' | 'no' | null
  similarity: number | null
  live: number | null
}
type State = {
  step: 'open' | 'reply' | 'user' | 'call' | 'judge' | 'similar' | 'live' | 'close'
  turn: number
  taken: DialogueUsage
  /**
   * Answers to calls that the world never sees, by the id of the call; in the order of the calls with the
   * world's.
   */
  calls?: { id: string; fault?: string }[]
  /** Why somebody did not answer about the model's text; the same is now asked about a known text. */
  silence?: Pick<UnmetNeed, 'reason' | 'detail'>
  decisions: Decisions
}

const session = 0
const transcript = 0
const wait = (state: State, need: HostNeed): EpisodeTransition => ({ state, need })
const asking = (state: State, append: Message[], tools?: readonly ModelTool[]): EpisodeTransition =>
  wait(
    { ...state, step: 'reply' },
    { kind: 'reply', role: 'model', transcript, input: 0, append, ...(tools && { tools }) },
  )
const close = (state: State): EpisodeTransition =>
  wait({ ...state, step: 'close' }, { kind: 'close', session })

/** What somebody else says in the third turn, where a user is simulated. */
const userAsks = (state: State, c: DialogueCase): EpisodeTransition =>
  wait(
    { ...state, step: 'user' },
    {
      kind: 'reply',
      role: 'user',
      transcript: 1,
      append: [{ role: 'user', content: `Say this in your own words: ${c.task.turns[2]}` }],
    },
  )

function nextTurn(state: State, c: DialogueCase, text: string): EpisodeTransition {
  const turn = state.turn + 1
  if (turn === 2) return userAsks({ ...state, turn }, c)
  const content = c.task.turns[turn]
  if (content !== undefined) return asking({ ...state, turn }, [{ role: 'user', content }])
  return examining({ ...state, step: 'judge' }, c, text)
}

/** Asks the part of this step about a text: the model's last one or, after a silence, a known one. */
function examining(state: State, { task }: DialogueCase, last: string): EpisodeTransition {
  const text = state.silence ? task.answer : last
  switch (state.step) {
    case 'judge': {
      const content = `Question: ${task.turns[2]}\nAnswer: ${text}\nExpected: ${task.answer}\nyes or no?`
      return wait(state, { kind: 'consult', role: 'judge:quality', messages: [{ role: 'user', content }] })
    }
    case 'similar':
      return wait(state, { kind: 'similar', left: [text], right: [task.answer] })
    case 'live':
      return wait(state, {
        kind: 'http',
        request: { api: 'facts', method: 'GET', path: '/fact', query: { about: text } },
      })
    default:
      return close(state)
  }
}
/** An answer about a known text decides nothing: the model's text was the reason for the silence. */
function examined(
  state: State,
  decision: Partial<Decisions>,
  c: DialogueCase,
  last: string,
): EpisodeTransition {
  const { silence, ...rest } = state
  const decided = silence ? (state.step === 'judge' ? { judged: 'no' as const } : {}) : decision
  const step = state.step === 'judge' ? 'similar' : state.step === 'similar' ? 'live' : 'close'
  return examining({ ...rest, step, decisions: { ...state.decisions, ...decided } }, c, last)
}

function replied(
  state: State,
  { text, toolCalls = [], ...reply }: SpeakerReply,
  c: DialogueCase,
  { limits, dialogue }: { limits: AllLimits; dialogue: Transcript },
): EpisodeTransition {
  const { taken } = state
  const { tokens, ms } = measureReply({ text, toolCalls, ...reply })
  const now = {
    ...state,
    taken: {
      turns: taken.turns + 1,
      calls: taken.calls + toolCalls.length,
      tokens: taken.tokens + tokens,
      ms: taken.ms + ms,
    },
  }
  const isLast = toolCalls.length === 0 && state.turn === c.task.turns.length - 1
  if (!isLast && limitReached(limits, now.taken) !== null) return close(now)
  if (toolCalls.length === 0) return nextTurn(now, c, text)
  const calls = toolCalls.map((call) => {
    const fault = faultOfCall(call, dialogue)
    return { id: call.id, ...(fault !== null && { fault }) }
  })
  const sound = toolCalls.filter((_, at) => calls[at]?.fault === undefined)
  const next: State = { ...now, step: 'call', calls }
  return sound.length === 0
    ? called(next, [])
    : wait(next, { kind: 'call', session, calls: [...sound] as ModelToolCall[] })
}

/** One message for each call, in the order asked. */
function called({ calls = [], ...state }: State, results: readonly ToolResult[]): EpisodeTransition {
  let at = 0
  const append = calls.map(({ id, fault }): Message => ({
    role: 'tool',
    toolCallId: id,
    content: fault ?? results[at++]?.content ?? '',
  }))
  return asking(state, append)
}

function ended({ decisions }: State, run: number | null): EpisodeTransition {
  return {
    done: {
      kind: 'dialogue',
      policy: null,
      inputs: [{ transcript, run }],
      decisions: [decisions],
    },
  }
}

function notScored(
  state: State,
  { reason, detail }: Pick<UnmetNeed, 'reason' | 'detail'>,
): EpisodeTransition {
  const turn = ended(state, null)
  return 'done' in turn ? { ...turn, notScored: { reason, detail } } : turn
}

/** What the model said last: a state has no room for it. */
const lastIn = (transcripts: readonly Transcript[]) =>
  transcripts[transcript]?.messages.findLast(({ role }) => role === 'assistant')?.content ?? ''

/** A part that may be missing leaves its figure null; the model and its world may not. */
function unavailable(
  state: State,
  event: Extract<EpisodeEvent, { kind: 'unavailable' }>,
  c: DialogueCase,
  last: string,
): EpisodeTransition {
  const absent = event.reason === 'not_configured' || event.reason === 'not_recorded'
  if (state.step === 'user' && absent)
    return asking(state, [{ role: 'user', content: c.task.turns[2] ?? '' }])
  const isExamining = state.step === 'judge' || state.step === 'similar' || state.step === 'live'
  if (state.step !== 'judge' && isExamining && absent) return examined(state, {}, c, last)
  if (isExamining && state.silence) return notScored(state, state.silence)
  if (isExamining && !absent) {
    const { reason, detail } = event
    return examining({ ...state, silence: { reason, detail } }, c, last)
  }
  // Whoever has no further reply has ended the dialogue: that is scored.
  if (state.step === 'reply' && event.reason === 'exhausted' && state.taken.turns > 0) return close(state)
  return notScored(state, event)
}

export const episode: Episode<DialogueCase> = {
  start: ({ task }) =>
    wait(
      {
        step: 'open',
        turn: 0,
        taken: nothingTaken,
        decisions: { judged: null, similarity: null, live: null },
      },
      {
        kind: 'open',
        session,
        world: 'session-service',
        input: { variables: {}, world: { items: task.items } },
      },
    ),
  resume(c, options, state: State, event, transcripts): EpisodeTransition {
    switch (event.kind) {
      case 'unavailable':
        return unavailable(state, event, c, lastIn(transcripts))
      case 'opened':
        return asking(
          state,
          [
            { role: 'system', content: c.instruction },
            { role: 'user', content: c.task.turns[0] ?? '' },
          ],
          event.tools,
        )
      case 'replied':
        return state.step === 'user'
          ? asking(state, [{ role: 'user', content: event.text }])
          : replied(state, event, c, {
              limits: resolveLimits(limits, options),
              dialogue: transcripts[transcript] ?? { role: 'model', messages: [] },
            })
      case 'called':
        return called(state, event.results)
      case 'consulted':
        return examined(state, { judged: /^yes\b/i.test(event.text) ? 'yes' : 'no' }, c, lastIn(transcripts))
      case 'similar':
        return examined(state, { similarity: event.matrix[0]?.[0] ?? null }, c, lastIn(transcripts))
      case 'responded':
        return examined(state, { live: event.status }, c, lastIn(transcripts))
      case 'closed':
        return ended(state, event.run)
      case 'ended':
        return close(state)
      case 'executed':
        throw new TypeError('nothing was executed')
    }
  },
}
