/**
 * A sample that is scored again: the record of its first run drives its episode. If the episode now asks
 * something else, the sample is not scored, because that requires a new evaluation.
 */
import type { EpisodeEvent, HostNeed, Observation, Score, EpisodeTransition } from '@stateeval/contracts'
import type { EpisodeEntry } from './dialogue.ts'
import type { ItemNeed } from './flow.ts'
import { judgePassedMutant } from './mutant.ts'
import { buildItemNeed } from './needs.ts'
import {
  playEpisode,
  type PlayedEpisode,
  createPlayingState,
  listRuns,
  takeTurnAfter,
  withEntry,
} from './play.ts'
import { computeNeedKey, type ReplayRecord } from './record.ts'
import type { SampleEnd, SampleContext, OpenSessions } from './sample.ts'

const getEntryKey = (entry: EpisodeEntry) => ('messages' in entry ? entry.replied?.key : entry.key)

/** Entries by what they answer; asked for again, the last one answers again. */
function indexAnswers({
  entries,
}: ReplayRecord): (need: HostNeed, itemNeed: ItemNeed) => EpisodeEntry | undefined {
  const byKey = Map.groupBy(entries, getEntryKey)
  const similar = indexSimilarities(entries)
  return (need, itemNeed) => {
    const key = computeNeedKey(need, itemNeed)
    const [first, ...others] = byKey.get(key) ?? []
    if (others.length > 0) byKey.set(key, others)
    if (first || need.kind !== 'similar') return first
    const event = similar(need)
    return event && { consultation: { need, event }, key }
  }
}

/** Similarities of any texts that were compared, whatever stood beside them: a pair's depends on no other. */
function indexSimilarities(entries: readonly EpisodeEntry[]) {
  const byPair = new Map<string, number>()
  const pairOf = (left: string, right: string) => JSON.stringify([left, right])
  for (const entry of entries) {
    if (!('consultation' in entry)) continue
    const { need, event } = entry.consultation
    if (need.kind !== 'similar' || event.kind !== 'similar') continue
    for (const [row, left] of need.left.entries())
      for (const [column, right] of need.right.entries())
        byPair.set(pairOf(left, right), event.matrix[row]?.[column] ?? 0)
  }
  return ({ left, right }: HostNeed & { kind: 'similar' }): EpisodeEvent | undefined => {
    const matrix = left.map((one) => right.flatMap((other) => byPair.get(pairOf(one, other)) ?? []))
    return matrix.every((row) => row.length === right.length) ? { kind: 'similar', matrix } : undefined
  }
}

/** Replays an entry as an event. */
function replayEvent(entry: EpisodeEntry, need: HostNeed, since: readonly EpisodeEntry[]): EpisodeEvent {
  if ('event' in entry) return entry.event
  if ('consultation' in entry) return entry.consultation.event
  if ('run' in entry) {
    const told = { run: listRuns(since), result: entry.run }
    return need.kind === 'close' ? { kind: 'closed', ...told } : { kind: 'executed', ...told }
  }
  const [message] = entry.messages
  if (message?.role !== 'assistant') throw new Error('the record of a reply has no reply')
  const { content: text, toolCalls, vendor, finish = 'stop' } = message
  const { key: _, ...took } = entry.replied ?? { key: '' }
  return {
    kind: 'replied',
    text,
    ...(toolCalls && { toolCalls }),
    ...(vendor && { vendor }),
    finish,
    ...took,
  }
}

/** How many calls each session has had after this event. */
function countSessionCalls(sessions: OpenSessions, need: HostNeed, event: EpisodeEvent): OpenSessions {
  if (need.kind === 'open') return { ...sessions, [need.session]: 0 }
  if (need.kind !== 'call' || event.kind !== 'called') return sessions
  return { ...sessions, [need.session]: (sessions[need.session] ?? 0) + event.results.length }
}

/** Runs an episode from beginning to end with the record. */
export function replay(
  context: SampleContext,
  before: PlayedEpisode,
  first: EpisodeTransition,
): { played: PlayedEpisode; turn: EpisodeTransition } {
  const take = indexAnswers(context.replay ?? { entries: [], effort: {} })
  let { played, turn } = playEpisode(context, before, first)
  let sessions: OpenSessions = {}
  while ('need' in turn) {
    const { need } = createPlayingState(turn.state, turn.need, played.log)
    const itemNeed = buildItemNeed(need, context, played, { player: 'sample', sessions })
    const entry = take(turn.need, itemNeed)
    if (!entry) return { played, turn: createNotRecordedTurn(itemNeed) }
    const event = replayEvent(entry, turn.need, played.since)
    sessions = countSessionCalls(sessions, turn.need, event)
    played = withEntry(played, entry)
    ;({ played, turn } = playEpisode(context, played, takeTurnAfter(context, played, turn.state, event)))
  }
  return { played, turn }
}

function describeItemNeed(itemNeed: ItemNeed): string {
  switch (itemNeed.kind) {
    case 'ask':
      return `a question to ${itemNeed.part ?? 'the model'} that was not asked`
    case 'compare':
      return 'texts that were not compared'
    case 'execute':
      return 'a run that was not made'
    default:
      return 'a tool call that was not made'
  }
}

const createNotRecordedTurn = (itemNeed: ItemNeed): EpisodeTransition => ({
  done: { kind: 'program', attempts: [] },
  notScored: {
    reason: 'not_recorded',
    detail: `not recorded: to be scored this way, the sample needs ${describeItemNeed(itemNeed)} in the original evaluation`,
  },
})

/** The outcome of a mutant that passes now: its further runs exist only if it passed before. */
export function replayMutant(
  { benchmark: { mutants }, case: c, replay: record }: SampleContext,
  observations: readonly Observation[],
  score: Score,
): SampleEnd {
  const further = record?.further
  if (!further || !mutants)
    return {
      notScored:
        'not recorded: the mutant passes now, and the original evaluation did not run it on further inputs',
      reason: 'not_recorded',
    }
  return { score, outcome: judgePassedMutant(mutants, c, observations, further), further }
}
