/**
 * Runs an episode between two needs that must be sent: entries are recorded, and parties that can answer
 * immediately do. Entries of the episode's beginning are computed when needed, once per context.
 */
import type {
  Consultation,
  EpisodeEvent,
  EpisodeOptions,
  JsonValue,
  HostNeed as EpisodeNeed,
  SpeakerReply,
  Speaker,
  Transcript,
  EpisodeTransition,
  UnmetNeed,
} from '@stateeval/contracts'
import type { NamedModel } from '@stateeval/models'
import { buildDialogue, emptyLog, type EpisodeEntry, type EntryLog, appendEntries } from './dialogue.ts'
import type { AnyPlayer } from './players.ts'
import type { PendingNeed, PlayingState, SampleContext } from './sample.ts'
import { buildUnfitResult } from './unfit.ts'

/** A running episode with all of its entries. */
export interface PlayedEpisode {
  options: EpisodeOptions
  /** Entries that its beginning appended: computed anew where needed, never carried. */
  before: () => readonly EpisodeEntry[]
  /** Entries since, the stored ones among them. */
  since: readonly EpisodeEntry[]
  log: EntryLog
  /** The player that answers at once; null where a model has to be asked. */
  player: () => AnyPlayer | null
}

export const listAllEntries = ({ before, since }: PlayedEpisode) => [...before(), ...since]
export const listTranscripts = (played: PlayedEpisode) => buildDialogue(listAllEntries(played)).transcripts
export const withEntry = (played: PlayedEpisode, entry: EpisodeEntry): PlayedEpisode => ({
  ...played,
  since: [...played.since, entry],
  log: appendEntries(played.log, entry),
})

const createExhaustedNeed = ({ responder }: SampleContext): UnmetNeed => ({
  kind: 'unavailable',
  reason: 'exhausted',
  detail:
    responder.kind === 'given' && responder.replies.length === 0
      ? 'no answer was given'
      : 'there are no more answers',
})

/** Builds the entry that a need appends to its transcript; null where it appends nothing. */
function buildAppendedEntry({
  transcript,
  role,
  append,
  input,
  tools,
}: EpisodeNeed & { kind: 'reply' }): EpisodeEntry | null {
  if (append.length === 0 && !tools) return null
  return {
    transcript,
    role,
    messages: append,
    ...(input !== undefined && { input }),
    ...(tools && { tools: tools as Transcript['tools'] }),
  }
}

/** Limit of an episode's state, in bytes of JSON: larger data belongs in the transcripts. */
const maxStateBytes = 65_536
/** Steps that somebody at hand answers, one after the other. */
const maxStepsAtOnce = 10_000

/** Throws where a benchmark breaks the rules of episodes: that is a fault of its code. */
function checkTurn(turn: EpisodeTransition, { benchmark, case: { id } }: SampleContext): EpisodeTransition {
  if ('done' in turn) return turn
  const bytes = Buffer.byteLength(JSON.stringify(turn.state))
  if (bytes <= maxStateBytes) return turn
  throw new TypeError(
    `the episode of ${benchmark.kind} has a state of ${bytes} bytes at the case ${id}; at most ${maxStateBytes} are allowed`,
  )
}

/** The turn after an event. */
export const takeTurnAfter = (
  context: SampleContext,
  played: PlayedEpisode,
  state: JsonValue,
  event: EpisodeEvent,
): EpisodeTransition =>
  checkTurn(
    context.benchmark.episode.resume(
      context.case,
      withParts(played.options, context),
      state,
      event,
      listTranscripts(played),
    ),
    context,
  )
/** A benchmark may do otherwise where nobody plays a part. */
const withParts = (options: EpisodeOptions, { parties }: SampleContext): EpisodeOptions =>
  parties ? { ...options, parts: Object.keys(parties) } : options

/** Runs an episode from turn to turn until something must be sent. */
export function playEpisode(
  context: SampleContext,
  played: PlayedEpisode,
  turn: EpisodeTransition,
): { played: PlayedEpisode; turn: EpisodeTransition } {
  for (let steps = 0; steps < maxStepsAtOnce; steps++) {
    if ('done' in turn) return { played, turn }
    const { state, need } = turn
    const entry = need.kind === 'reply' ? buildAppendedEntry(need) : null
    if (entry) played = withEntry(played, entry)
    const absent = explainUnmet(need, context)
    if (absent) {
      if (need.kind !== 'reply')
        played = withEntry(played, { consultation: { need, event: absent } as Consultation })
      turn = takeTurnAfter(context, played, state, absent)
      continue
    }
    const result = need.kind === 'execute' ? buildUnfitResult(need.request) : null
    if (result) {
      const run = listRuns(played.since)
      played = withEntry(played, { run: result })
      turn = takeTurnAfter(context, played, state, { kind: 'executed', run, result })
      continue
    }
    const player = need.kind === 'reply' && need.role === 'model' ? played.player() : null
    if (need.kind !== 'reply' || !player) return { played, turn }
    const { transcript: at, role } = need
    const reply = player(listTranscripts(played)[at] ?? { role, messages: [] }, at)
    if (reply && 'refused' in reply) {
      turn = takeTurnAfter(context, played, state, {
        kind: 'unavailable',
        reason: 'context',
        detail: reply.refused,
      })
      continue
    }
    if (reply) played = withEntry(played, buildReplyEntry(at, role, reply))
    turn = takeTurnAfter(
      context,
      played,
      state,
      reply ? { kind: 'replied', ...reply } : createExhaustedNeed(context),
    )
  }
  throw new TypeError(
    `the episode of ${context.benchmark.kind} does not end at the case ${context.case.id}: ${maxStepsAtOnce} steps`,
  )
}

export const buildReplyEntry = (
  transcript: number,
  role: Speaker,
  { text, toolCalls, vendor, finish: why }: SpeakerReply,
): Extract<EpisodeEntry, { messages: unknown }> => ({
  transcript,
  role,
  messages: [
    {
      role: 'assistant',
      content: text,
      ...(toolCalls && { toolCalls: [...toolCalls] }),
      ...(vendor && { vendor }),
      finish: why,
    },
  ],
})

interface EpisodeBeginning {
  entries: readonly EpisodeEntry[]
  /** Its need appends nothing any more. */
  turn: EpisodeTransition
}

/** A message leads a sample through several steps with one context: its prompt is made once. */
const beginnings = new WeakMap<SampleContext, EpisodeBeginning>()

export function beginEpisode(context: SampleContext, options: EpisodeOptions): EpisodeBeginning {
  const earlier = options === context.options ? beginnings.get(context) : undefined
  if (earlier) return earlier
  const turn = checkTurn(context.benchmark.episode.start(context.case, withParts(options, context)), context)
  let beginning: EpisodeBeginning = { entries: [], turn }
  if ('need' in turn && turn.need.kind === 'reply') {
    const entry = buildAppendedEntry(turn.need)
    const { tools: _, ...need } = turn.need
    beginning = { entries: entry ? [entry] : [], turn: { ...turn, need: { ...need, append: [] } } }
  }
  if (options === context.options) beginnings.set(context, beginning)
  return beginning
}

/** A running episode with the entries of its log; without any, at its beginning. */
export const restorePlayedEpisode = (
  context: SampleContext,
  options: EpisodeOptions,
  player: () => AnyPlayer | null,
  log = emptyLog,
  since: readonly EpisodeEntry[] = [],
): PlayedEpisode => ({ options, before: () => beginEpisode(context, options).entries, since, log, player })

export const createPlayingState = (episode: JsonValue, need: EpisodeNeed, log: EntryLog): PlayingState => {
  if (need.kind !== 'reply') return { episode, need, log }
  const { append: _append, tools: _tools, ...rest } = need
  return { episode, need: rest, log }
}

export const listRuns = (entries: readonly EpisodeEntry[]) => entries.filter((entry) => 'run' in entry).length

/** The part that a need addresses, other than the model under test; null if there is none. */
export function getNeedPart(need: EpisodeNeed | PendingNeed): string | null {
  switch (need.kind) {
    case 'reply':
      return need.role === 'user' ? 'user' : null
    case 'consult':
      return need.role
    case 'similar':
      return 'similar'
    case 'http':
      return `http:${need.request.api}`
    default:
      return null
  }
}

/** Why a need cannot be sent for: nobody plays its part. null where it can. */
function explainUnmet(need: EpisodeNeed, { parties = {} }: SampleContext): UnmetNeed | null {
  const part = getNeedPart(need)
  if (part === null || parties[part]) return null
  return { kind: 'unavailable', reason: 'not_configured', detail: `no player was named for ${part}` }
}

/** The party that plays a part. Throws if none is named. */
export function getParty(part: string, { parties = {} }: SampleContext): NamedModel {
  const party = parties[part]
  if (!party) throw new Error(`no player was named for ${part}`)
  return party
}
