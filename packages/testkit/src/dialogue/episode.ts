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
  Need,
  Reply,
  ToolResult,
  Transcript,
  Turn,
} from '@stateeval/contracts'
import {
  type AllLimits,
  type Episode,
  type LimitRange,
  limitReached,
  limitsOf,
  nothingTaken,
  type Taken,
  takenBy,
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
  taken: Taken
  /**
   * Answers to calls that the world never sees, by the id of the call; in the order of the calls with the
   * world's.
   */
  calls?: { id: string; fault?: string }[]
  last: string
  decisions: Decisions
}

const session = 0
const transcript = 0
const wait = (state: State, need: Need): Turn => ({ state, need })
const asking = (state: State, append: Message[], tools?: readonly ModelTool[]): Turn =>
  wait(
    { ...state, step: 'reply' },
    { kind: 'reply', role: 'model', transcript, input: 0, append, ...(tools && { tools }) },
  )
const close = (state: State): Turn => wait({ ...state, step: 'close' }, { kind: 'close', session })

/** What somebody else says in the third turn, where a user is simulated. */
const userAsks = (state: State, c: DialogueCase): Turn =>
  wait(
    { ...state, step: 'user' },
    {
      kind: 'reply',
      role: 'user',
      transcript: 1,
      append: [{ role: 'user', content: `Say this in your own words: ${c.task.turns[2]}` }],
    },
  )

function nextTurn(state: State, c: DialogueCase): Turn {
  const turn = state.turn + 1
  if (turn === 2) return userAsks({ ...state, turn }, c)
  const content = c.task.turns[turn]
  if (content !== undefined) return asking({ ...state, turn }, [{ role: 'user', content }])
  const question = `Question: ${c.task.turns[2]}\nAnswer: ${state.last}\nExpected: ${c.task.answer}\nyes or no?`
  return wait(
    { ...state, step: 'judge' },
    { kind: 'consult', role: 'judge:quality', messages: [{ role: 'user', content: question }] },
  )
}

function replied(
  state: State,
  { text, toolCalls = [], ...reply }: Reply,
  c: DialogueCase,
  { limits, dialogue }: { limits: AllLimits; dialogue: Transcript },
): Turn {
  const { taken } = state
  const { tokens, ms } = takenBy({ text, toolCalls, ...reply })
  const now = {
    ...state,
    taken: {
      turns: taken.turns + 1,
      calls: taken.calls + toolCalls.length,
      tokens: taken.tokens + tokens,
      ms: taken.ms + ms,
    },
    last: text,
  }
  const isLast = toolCalls.length === 0 && state.turn === c.task.turns.length - 1
  if (!isLast && limitReached(limits, now.taken) !== null) return close(now)
  if (toolCalls.length === 0) return nextTurn(now, c)
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
function called({ calls = [], ...state }: State, results: readonly ToolResult[]): Turn {
  let at = 0
  const append = calls.map(({ id, fault }): Message => ({
    role: 'tool',
    toolCallId: id,
    content: fault ?? results[at++]?.content ?? '',
  }))
  return asking(state, append)
}

function ended({ decisions }: State, run: number | null): Turn {
  return {
    done: {
      kind: 'dialogue',
      policy: null,
      inputs: [{ transcript, run }],
      decisions: [decisions],
    },
  }
}

function notScored(state: State, { reason, detail }: Extract<EpisodeEvent, { kind: 'unavailable' }>): Turn {
  const turn = ended(state, null)
  return 'done' in turn ? { ...turn, notScored: { reason, detail } } : turn
}

const similarity = (state: State, { task }: DialogueCase): Turn =>
  wait({ ...state, step: 'similar' }, { kind: 'similar', left: [state.last], right: [task.answer] })
const live = (state: State): Turn =>
  wait(
    { ...state, step: 'live' },
    { kind: 'http', request: { api: 'facts', method: 'GET', path: '/fact', query: { about: state.last } } },
  )
const decided = (state: State, decision: Partial<Decisions>): State => ({
  ...state,
  decisions: { ...state.decisions, ...decision },
})

/** A part that may be missing leaves its figure null; the model and its world may not. */
function unavailable(
  state: State,
  event: Extract<EpisodeEvent, { kind: 'unavailable' }>,
  c: DialogueCase,
): Turn {
  const absent = event.reason === 'not_configured' || event.reason === 'not_recorded'
  if (state.step === 'user' && absent)
    return asking(state, [{ role: 'user', content: c.task.turns[2] ?? '' }])
  if (state.step === 'similar' && absent) return live(state)
  if (state.step === 'live' && absent) return close(state)
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
        last: '',
        decisions: { judged: null, similarity: null, live: null },
      },
      {
        kind: 'open',
        session,
        world: 'session-service',
        input: { variables: {}, world: { items: task.items } },
      },
    ),
  resume(c, options, state: State, event, transcripts): Turn {
    switch (event.kind) {
      case 'unavailable':
        return unavailable(state, event, c)
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
              limits: limitsOf(limits, options),
              dialogue: transcripts[transcript] ?? { role: 'model', messages: [] },
            })
      case 'called':
        return called(state, event.results)
      case 'consulted':
        return similarity(decided(state, { judged: /^yes\b/i.test(event.text) ? 'yes' : 'no' }), c)
      case 'similar':
        return live(decided(state, { similarity: event.matrix[0]?.[0] ?? null }))
      case 'responded':
        return close(decided(state, { live: event.status }))
      case 'closed':
        return ended(state, event.run)
      case 'ended':
        return close(state)
      case 'executed':
        throw new TypeError('nothing was executed')
    }
  },
}
