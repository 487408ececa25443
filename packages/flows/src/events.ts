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
import {
  type AnsweredQuestion,
  parseLiveResponse,
  describeSilence,
  type UnansweredQuestion,
} from '@stateeval/models'
import type { EpisodeEntry } from './dialogue.ts'
import { addCost, withRuns } from './effort.ts'
import {
  type ComparisonResult,
  type ItemAnswer,
  type ItemNeed,
  readRunResult,
  type FlowTrouble,
  describeTrouble,
} from './flow.ts'
import { getNeedPart, listRuns, buildReplyEntry } from './play.ts'
import { computeNeedKey } from './record.ts'
import { type CarriedState, selectCarried, type PendingNeed } from './sample.ts'

/** How an episode continues; `trouble` where our side failed, so that the same step may be tried again. */
interface EpisodeContinuation {
  carried: CarriedState
  event: EpisodeEvent
  entry?: EpisodeEntry
  trouble?: FlowTrouble
}

/** Continues after trouble on our side, which keeps a candidate from being made. */
function continueAfterTrouble(
  carried: CarriedState,
  trouble: FlowTrouble,
  { mayRepeat = true } = {},
): EpisodeContinuation {
  const { says, passing } = trouble
  const event: UnmetNeed = {
    kind: 'unavailable',
    reason: 'infrastructure',
    detail: `infrastructure error: ${says}`,
  }
  return {
    carried: { ...carried, ...(passing && { passing: true as const }) },
    event,
    ...(mayRepeat && { trouble }),
  }
}

/** A consultation is kept with its event, so that scoring needs nobody else. */
const continueAfterConsultation = (
  carried: CarriedState,
  { need, key }: { need: PendingNeed; key: string },
  event: EpisodeEvent,
): EpisodeContinuation => ({
  carried,
  event,
  entry: { consultation: { need: need as Consultation['need'], event }, key },
})
/** Continues with an event that only the episode itself sees. */
const continueSilently = (carried: CarriedState, key: string, event: EpisodeEvent): EpisodeContinuation => ({
  carried,
  event,
  entry: { event, key },
})

const createUnmetNeed = ({
  refused,
  refusal,
  reason,
  unrecorded,
}: Omit<UnansweredQuestion, 'key'>): UnmetNeed => ({
  kind: 'unavailable',
  reason: unrecorded ? 'not_recorded' : (refusal ?? (refused ? 'refused' : 'failed')),
  detail: reason,
})

function continueAfterQuestion(
  carried: CarriedState,
  need: PendingNeed & { kind: 'reply' | 'consult' | 'http' },
  itemNeed: ItemNeed & { kind: 'ask' },
  answer: ItemAnswer,
): EpisodeContinuation {
  const part = getNeedPart(need)
  const key = computeNeedKey(need, itemNeed)
  const asked = { need, key }
  if (!answer.ok) {
    const unanswered = [...(carried.unanswered ?? []), describeSilence(itemNeed.payload, answer)]
    const event = createUnmetNeed(answer)
    const now: CarriedState = {
      ...carried,
      unanswered,
      ...(need.kind === 'reply' && answer.refusal === 'context' && part === null
        ? { refused: [...(carried.refused ?? []), { transcript: need.transcript, reason: answer.reason }] }
        : {}),
    }
    return need.kind === 'reply'
      ? continueSilently(now, key, event)
      : continueAfterConsultation(now, asked, event)
  }
  const { text, toolCalls, vendor, finish, usage, reported, ms, retries, repeated, storeKey, kept } =
    answer.value as AnsweredQuestion
  const paid = addCost(carried, part, {
    usage,
    retries,
    repeated,
    kept: kept ? 1 : 0,
    storeKeys: [storeKey],
  })
  const reply: SpeakerReply = { text, ...(toolCalls && { toolCalls }), ...(vendor && { vendor }), finish }
  if (need.kind === 'http') {
    const response = parseLiveResponse(text)
    const event: EpisodeEvent = response
      ? { kind: 'responded', ...response }
      : createUnmetNeed({ refused: true, reason: 'the recording contains no response' })
    return continueAfterConsultation(paid, asked, event)
  }
  if (need.kind === 'consult') return continueAfterConsultation(paid, asked, { kind: 'consulted', ...reply })
  const ofModel: Partial<CarriedState> =
    part === null ? { cut: (carried.cut ?? 0) + (finish === 'length' ? 1 : 0), finish } : {}
  // The same whoever paid for it, as an episode may count tokens and time.
  const took = { usage: reported, ...(ms !== undefined && { ms }) }
  return {
    carried: { ...paid, ...ofModel },
    event: { kind: 'replied', ...reply, ...took },
    entry: { ...buildReplyEntry(need.transcript, need.role, reply), replied: { key, ...took } },
  }
}

function continueAfterComparison(
  carried: CarriedState,
  need: PendingNeed,
  itemNeed: ItemNeed,
  answer: ItemAnswer,
): EpisodeContinuation {
  if (!answer.ok) return continueAfterTrouble(carried, describeTrouble(answer))
  const asked = { need, key: computeNeedKey(need, itemNeed) }
  const { end, ...cost } = answer.value as ComparisonResult
  const paid = addCost(carried, 'similar', cost)
  if ('matrix' in end) return continueAfterConsultation(paid, asked, { kind: 'similar', matrix: end.matrix })
  const unanswered = [...(paid.unanswered ?? []), end.silent]
  return continueAfterConsultation({ ...paid, unanswered }, asked, createUnmetNeed(end.silent))
}

function continueAfterSession(
  carried: CarriedState,
  need: PendingNeed & { kind: 'open' | 'call' | 'close' },
  itemNeed: ItemNeed,
  answer: ItemAnswer,
  runs: number,
): EpisodeContinuation {
  if (!answer.ok) return continueAfterTrouble(carried, describeTrouble(answer))
  const key = computeNeedKey(need, itemNeed)
  const { session } = need
  const reply = answer.value as ToolSessionAnswer
  const { [session]: calls = 0, ...others } = carried.sessions ?? {}
  switch (reply.kind) {
    case 'opened': {
      const { variables, tools, seed } = reply
      const event = { kind: 'opened' as const, variables: variables as Record<string, JsonValue>, tools }
      const seeds = { ...carried.seeds, [session]: seed }
      return continueSilently({ ...carried, seeds, sessions: { ...others, [session]: 0 } }, key, event)
    }
    case 'called': {
      const { results } = reply
      const sessions = { ...others, [session]: calls + results.length }
      return continueSilently({ ...carried, sessions }, key, { kind: 'called', results })
    }
    case 'ended': {
      const { ending } = reply
      if (ending.status === 'infrastructure')
        return continueAfterTrouble(carried, { says: ending.reason, passing: true }, { mayRepeat: false })
      return continueSilently(carried, key, { kind: 'ended', ending })
    }
    case 'closed': {
      const { result } = reply
      const now = { ...withRuns(carried, result), sessions: others }
      const ran = readRunResult({ ok: true, value: result })
      // The session is over: asking again would give the same.
      if ('trouble' in ran) return continueAfterTrouble(now, ran.trouble, { mayRepeat: false })
      return { carried: now, event: { kind: 'closed', run: runs, result }, entry: { run: result, key } }
    }
  }
}

function continueAfterRun(
  carried: CarriedState,
  key: string,
  answer: ItemAnswer,
  runs: number,
): EpisodeContinuation {
  const ran = readRunResult(answer)
  if ('trouble' in ran) return continueAfterTrouble(carried, ran.trouble)
  const { result } = ran
  return {
    carried: withRuns(carried, result),
    event: { kind: 'executed', run: runs, result },
    entry: { run: result, key },
  }
}

/** `sent` is the need in the queue's form; `since` are the entries of the record. */
export function continueEpisode(
  state: CarriedState & { need: PendingNeed },
  itemNeed: ItemNeed,
  answer: ItemAnswer,
  since: readonly EpisodeEntry[],
): EpisodeContinuation {
  const { need } = state
  const carried = selectCarried(state)
  switch (need.kind) {
    case 'reply':
    case 'consult':
    case 'http':
      return continueAfterQuestion(carried, need, itemNeed as ItemNeed & { kind: 'ask' }, answer)
    case 'similar':
      return continueAfterComparison(carried, need, itemNeed, answer)
    case 'open':
    case 'call':
    case 'close':
      return continueAfterSession(carried, need, itemNeed, answer, listRuns(since))
    case 'execute':
      return continueAfterRun(carried, computeNeedKey(need, itemNeed), answer, listRuns(since))
  }
}
