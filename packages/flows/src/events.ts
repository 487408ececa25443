/**
 * Translates an answer from the queue for the waiting episode: its event, the entries for the record, and
 * the cost.
 */
import type {
  Consultation,
  EpisodeEvent,
  JsonValue,
  SpeakerReply,
  ToolSessionAnswer,
  UnmetNeed,
} from '@stateeval/contracts'
import { type Answered, responseIn, silenceOf } from '@stateeval/models'
import type { Entry } from './dialogue.ts'
import { plusCost, withRuns } from './effort.ts'
import {
  type Compared,
  type ItemAnswer,
  type ItemNeed,
  readRunResult,
  type FlowTrouble,
  describeTrouble,
} from './flow.ts'
import { partOf, runsIn, entryOf } from './play.ts'
import { needKey } from './record.ts'
import { type Carried, carriedOf, type Playing } from './sample.ts'

type Waiting = Playing['need']

/** How an episode continues; `trouble` where our side failed, so that the same step may be tried again. */
interface Continuation {
  carried: Carried
  event: EpisodeEvent
  entry?: Entry
  trouble?: FlowTrouble
}

/** Ends an episode by a fault of ours. */
function troubled(carried: Carried, trouble: FlowTrouble, { mayRepeat = true } = {}): Continuation {
  const { says, passing } = trouble
  const event: UnmetNeed = {
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
const consulted = (
  carried: Carried,
  { need, key }: { need: Waiting; key: string },
  event: EpisodeEvent,
): Continuation => ({
  carried,
  event,
  entry: { consultation: { need: need as Consultation['need'], event }, key },
})
/** Continues with an event that an episode has to show to nobody but the episode itself. */
const seen = (carried: Carried, key: string, event: EpisodeEvent): Continuation => ({
  carried,
  event,
  entry: { event, key },
})

const silent = (refused: boolean, detail: string, unrecorded = false): UnmetNeed => ({
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
  const key = needKey(need, itemNeed)
  const asked = { need, key }
  if (!answer.ok) {
    const { refused, reason, unrecorded } = answer
    const unanswered = [...(carried.unanswered ?? []), silenceOf(itemNeed.payload, answer)]
    const event = silent(refused, reason, unrecorded)
    const now: Carried = {
      ...carried,
      unanswered,
      ...(need.kind === 'reply' && refused && part === null
        ? { refused: [...(carried.refused ?? []), { transcript: need.transcript, reason }] }
        : {}),
    }
    return need.kind === 'reply' ? seen(now, key, event) : consulted(now, asked, event)
  }
  const { text, toolCalls, vendor, finish, usage, reported, ms, retries, repeated, storeKey, kept } =
    answer.value as Answered
  const paid = plusCost(carried, part, {
    usage,
    retries,
    repeated,
    kept: kept ? 1 : 0,
    storeKeys: [storeKey],
  })
  const reply: SpeakerReply = { text, ...(toolCalls && { toolCalls }), ...(vendor && { vendor }), finish }
  if (need.kind === 'http') {
    const response = responseIn(text)
    const event: EpisodeEvent = response
      ? { kind: 'responded', ...response }
      : silent(true, 'the recording contains no response')
    return consulted(paid, asked, event)
  }
  if (need.kind === 'consult') return consulted(paid, asked, { kind: 'consulted', ...reply })
  const ofModel: Partial<Carried> =
    part === null ? { cut: (carried.cut ?? 0) + (finish === 'length' ? 1 : 0), finish } : {}
  // The same whoever paid for it, as an episode may count tokens and time.
  const took = { usage: reported, ...(ms !== undefined && { ms }) }
  return {
    carried: { ...paid, ...ofModel },
    event: { kind: 'replied', ...reply, ...took },
    entry: { ...entryOf(need.transcript, need.role, reply), replied: { key, ...took } },
  }
}

function afterComparing(
  carried: Carried,
  need: Waiting,
  itemNeed: ItemNeed,
  answer: ItemAnswer,
): Continuation {
  if (!answer.ok) return troubled(carried, describeTrouble(answer))
  const asked = { need, key: needKey(need, itemNeed) }
  const { end, ...cost } = answer.value as Compared
  const paid = plusCost(carried, 'similar', cost)
  if ('matrix' in end) return consulted(paid, asked, { kind: 'similar', matrix: end.matrix })
  const unanswered = [...(paid.unanswered ?? []), end.silent]
  return consulted({ ...paid, unanswered }, asked, silent(end.silent.refused, end.silent.reason))
}

function afterSession(
  carried: Carried,
  need: Waiting & { kind: 'open' | 'call' | 'close' },
  itemNeed: ItemNeed,
  answer: ItemAnswer,
  runs: number,
): Continuation {
  if (!answer.ok) return troubled(carried, describeTrouble(answer))
  const key = needKey(need, itemNeed)
  const { session } = need
  const reply = answer.value as ToolSessionAnswer
  const { [session]: calls = 0, ...others } = carried.sessions ?? {}
  switch (reply.kind) {
    case 'opened': {
      const { variables, tools, seed } = reply
      const event = { kind: 'opened' as const, variables: variables as Record<string, JsonValue>, tools }
      const seeds = { ...carried.seeds, [session]: seed }
      return seen({ ...carried, seeds, sessions: { ...others, [session]: 0 } }, key, event)
    }
    case 'called': {
      const { results } = reply
      const sessions = { ...others, [session]: calls + results.length }
      return seen({ ...carried, sessions }, key, { kind: 'called', results })
    }
    case 'ended': {
      const { ending } = reply
      if (ending.status === 'infrastructure')
        return troubled(carried, { says: ending.reason, passing: true }, { mayRepeat: false })
      return seen(carried, key, { kind: 'ended', ending })
    }
    case 'closed': {
      const { result } = reply
      const now = { ...withRuns(carried, result), sessions: others }
      const ran = readRunResult({ ok: true, value: result })
      // The session is over: asking again would give the same.
      if ('trouble' in ran) return troubled(now, ran.trouble, { mayRepeat: false })
      return { carried: now, event: { kind: 'closed', run: runs, result }, entry: { run: result, key } }
    }
  }
}

function afterRun(carried: Carried, key: string, answer: ItemAnswer, runs: number): Continuation {
  const ran = readRunResult(answer)
  if ('trouble' in ran) return troubled(carried, ran.trouble)
  const { result } = ran
  return {
    carried: withRuns(carried, result),
    event: { kind: 'executed', run: runs, result },
    entry: { run: result, key },
  }
}

/** `sent` is the need in the queue's form; `since` are the entries of the record. */
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
      return afterComparing(carried, need, itemNeed, answer)
    case 'open':
    case 'call':
    case 'close':
      return afterSession(carried, need, itemNeed, answer, runsIn(since))
    case 'execute':
      return afterRun(carried, needKey(need, itemNeed), answer, runsIn(since))
  }
}
