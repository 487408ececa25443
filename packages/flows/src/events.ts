/**
 * What an answer of the queue is to the episode that waits for it: its event, what the record gets, and what
 * it took.
 */
import type {
  Consultation,
  EpisodeEvent,
  Json,
  Reply,
  ToolSessionAnswer,
  Unavailable,
} from '@stateeval/contracts'
import { type Answered, responseIn, silenceOf } from '@stateeval/models'
import type { Entry } from './dialogue.ts'
import { plusCost, withRuns } from './effort.ts'
import { type Compared, type ItemAnswer, type ItemNeed, ranIn, type Trouble, troubleOf } from './flow.ts'
import { partOf, runsIn, entryOf } from './play.ts'
import { type Carried, carriedOf, type Playing } from './sample.ts'

type Waiting = Playing['need']

/** How an episode continues; `trouble` where our side failed, so that the same step may be tried again. */
interface Continuation {
  carried: Carried
  event: EpisodeEvent
  entry?: Entry
  trouble?: Trouble
}

/** What keeps a candidate from being one, by a fault of ours. */
function troubled(carried: Carried, trouble: Trouble, { mayRepeat = true } = {}): Continuation {
  const { says, passing } = trouble
  const event: Unavailable = {
    kind: 'unavailable',
    reason: passing ? 'failed' : 'refused',
    detail: `infrastructure error: ${says}`,
  }
  return {
    carried: { ...carried, ...(passing && { passing: true as const }) },
    event,
    ...(mayRepeat && { trouble }),
  }
}

/** A consultation is kept with its event, so that scoring needs nobody else. */
const consulted = (carried: Carried, need: Waiting, event: EpisodeEvent): Continuation => ({
  carried,
  event,
  entry: { consultation: { need: need as Consultation['need'], event } },
})

const silent = (refused: boolean, detail: string, unrecorded = false): Unavailable => ({
  kind: 'unavailable',
  reason: unrecorded ? 'not_recorded' : refused ? 'refused' : 'failed',
  detail,
})

function afterQuestion(
  carried: Carried,
  need: Waiting & { kind: 'reply' | 'consult' | 'http' },
  itemNeed: ItemNeed & { kind: 'ask' },
  answer: ItemAnswer,
): Continuation {
  const part = partOf(need)
  if (!answer.ok) {
    const { refused, reason, unrecorded } = answer
    const unanswered = [...(carried.unanswered ?? []), silenceOf(itemNeed.payload, answer)]
    const event = silent(refused, reason, unrecorded)
    const now = { ...carried, unanswered }
    return need.kind === 'reply' ? { carried: now, event } : consulted(now, need, event)
  }
  const { text, toolCalls, finish, usage, reported, ms, retries, repeated, storeKey, kept } =
    answer.value as Answered
  const paid = plusCost(carried, part, {
    usage,
    retries,
    repeated,
    kept: kept ? 1 : 0,
    storeKeys: [storeKey],
  })
  const reply: Reply = { text, ...(toolCalls && { toolCalls }), finish }
  if (need.kind === 'http') {
    const response = responseIn(text)
    const event: EpisodeEvent = response
      ? { kind: 'responded', ...response }
      : silent(true, 'the recording holds no response')
    return consulted(paid, need, event)
  }
  if (need.kind === 'consult') return consulted(paid, need, { kind: 'consulted', ...reply })
  const ofModel: Partial<Carried> =
    part === null ? { cut: (carried.cut ?? 0) + (finish === 'length' ? 1 : 0), finish } : {}
  return {
    carried: { ...paid, ...ofModel },
    // The same whoever paid for it, as an episode may count tokens and time.
    event: { kind: 'replied', ...reply, usage: reported, ...(ms !== undefined && { ms }) },
    entry: entryOf(need.transcript, need.role, reply),
  }
}

function afterComparing(carried: Carried, need: Waiting, answer: ItemAnswer): Continuation {
  if (!answer.ok) return troubled(carried, troubleOf(answer))
  const { end, ...cost } = answer.value as Compared
  const paid = plusCost(carried, 'similar', cost)
  if ('matrix' in end) return consulted(paid, need, { kind: 'similar', matrix: end.matrix })
  const unanswered = [...(paid.unanswered ?? []), end.silent]
  return consulted({ ...paid, unanswered }, need, silent(end.silent.refused, end.silent.reason))
}

function afterSession(
  carried: Carried,
  need: Waiting & { kind: 'open' | 'call' | 'close' },
  answer: ItemAnswer,
  runs: number,
): Continuation {
  if (!answer.ok) return troubled(carried, troubleOf(answer))
  const { session } = need
  const reply = answer.value as ToolSessionAnswer
  const { [session]: calls = 0, ...others } = carried.sessions ?? {}
  switch (reply.kind) {
    case 'opened': {
      const { variables, tools, seed } = reply
      const event = { kind: 'opened' as const, variables: variables as Record<string, Json>, tools }
      const seeds = { ...carried.seeds, [session]: seed }
      return { carried: { ...carried, seeds, sessions: { ...others, [session]: 0 } }, event }
    }
    case 'called': {
      const { results } = reply
      const sessions = { ...others, [session]: calls + results.length }
      return { carried: { ...carried, sessions }, event: { kind: 'called', results } }
    }
    case 'ended': {
      const { ending } = reply
      if (ending.status === 'infrastructure')
        return troubled(carried, { says: ending.reason, passing: true }, { mayRepeat: false })
      return { carried, event: { kind: 'ended', ending } }
    }
    case 'closed': {
      const { result } = reply
      const now = { ...withRuns(carried, result), sessions: others }
      const ran = ranIn({ ok: true, value: result })
      // The session is over: asking again would give the same.
      if ('trouble' in ran) return troubled(now, ran.trouble, { mayRepeat: false })
      return { carried: now, event: { kind: 'closed', run: runs, result }, entry: { run: result } }
    }
  }
}

function afterRun(carried: Carried, answer: ItemAnswer, runs: number): Continuation {
  const ran = ranIn(answer)
  if ('trouble' in ran) return troubled(carried, ran.trouble)
  const { result } = ran
  return {
    carried: withRuns(carried, result),
    event: { kind: 'executed', run: runs, result },
    entry: { run: result },
  }
}

/** `sent` is what the need was to the queue; `since` the entries that the record has. */
export function continuationOf(
  state: Carried & { need: Waiting },
  itemNeed: ItemNeed,
  answer: ItemAnswer,
  since: readonly Entry[],
): Continuation {
  const { need } = state
  const carried = carriedOf(state)
  switch (need.kind) {
    case 'reply':
    case 'consult':
    case 'http':
      return afterQuestion(carried, need, itemNeed as ItemNeed & { kind: 'ask' }, answer)
    case 'similar':
      return afterComparing(carried, need, answer)
    case 'open':
    case 'call':
    case 'close':
      return afterSession(carried, need, answer, runsIn(since))
    case 'execute':
      return afterRun(carried, answer, runsIn(since))
  }
}
