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
import { dialogueOf, emptyLog, type Entry, type Log, plusEntries } from './dialogue.ts'
import type { AnyPlayer } from './players.ts'
import type { Playing, SampleContext } from './sample.ts'
import { unfitRun } from './unfit.ts'

/** A running episode with all of its entries. */
export interface Played {
  options: EpisodeOptions
  /** Entries of its beginning: computed anew where it is needed, never carried. */
  before: () => readonly Entry[]
  /** Entries since, the stored ones among them. */
  since: readonly Entry[]
  log: Log
  /** The player that answers at once; null where a model has to be asked. */
  player: () => AnyPlayer | null
}

export const allEntries = ({ before, since }: Played) => [...before(), ...since]
export const transcriptsOf = (played: Played) => dialogueOf(allEntries(played)).transcripts
export const withEntry = (played: Played, entry: Entry): Played => ({
  ...played,
  since: [...played.since, entry],
  log: plusEntries(played.log, entry),
})

const exhausted = ({ responder }: SampleContext): UnmetNeed => ({
  kind: 'unavailable',
  reason: 'exhausted',
  detail:
    responder.kind === 'given' && responder.replies.length === 0
      ? 'no answer was given'
      : 'there are no more answers',
})

/** Builds the entry that a need appends; null where that is nothing. */
function appended({ transcript, role, append, input, tools }: EpisodeNeed & { kind: 'reply' }): Entry | null {
  if (append.length === 0 && !tools) return null
  return {
    transcript,
    role,
    messages: append,
    ...(input !== undefined && { input }),
    ...(tools && { tools: tools as Transcript['tools'] }),
  }
}

/** Limit of an episode's state in bytes of JSON: what is larger belongs into the transcripts. */
const maxStateBytes = 65_536
/** Steps that somebody at hand answers, one after the other. */
const maxStepsAtOnce = 10_000

/** Throws where a benchmark breaks the rules of episodes: that is a fault of its code. */
function checked(turn: EpisodeTransition, { benchmark, case: { id } }: SampleContext): EpisodeTransition {
  if ('done' in turn) return turn
  const bytes = Buffer.byteLength(JSON.stringify(turn.state))
  if (bytes <= maxStateBytes) return turn
  throw new TypeError(
    `the episode of ${benchmark.kind} has a state of ${bytes} bytes at the case ${id}; at most ${maxStateBytes} are allowed`,
  )
}

/** The turn after an event. */
export const turnAfter = (
  context: SampleContext,
  played: Played,
  state: JsonValue,
  event: EpisodeEvent,
): EpisodeTransition =>
  checked(
    context.benchmark.episode.resume(
      context.case,
      withParts(played.options, context),
      state,
      event,
      transcriptsOf(played),
    ),
    context,
  )
/** A benchmark may do otherwise where nobody plays a part. */
const withParts = (options: EpisodeOptions, { parties }: SampleContext): EpisodeOptions =>
  parties ? { ...options, parts: Object.keys(parties) } : options

/** Runs an episode from turn to turn until something must be sent. */
export function play(
  context: SampleContext,
  played: Played,
  turn: EpisodeTransition,
): { played: Played; turn: EpisodeTransition } {
  for (let steps = 0; steps < maxStepsAtOnce; steps++) {
    if ('done' in turn) return { played, turn }
    const { state, need } = turn
    const entry = need.kind === 'reply' ? appended(need) : null
    if (entry) played = withEntry(played, entry)
    const absent = unmet(need, context)
    if (absent) {
      if (need.kind !== 'reply')
        played = withEntry(played, { consultation: { need, event: absent } as Consultation })
      turn = turnAfter(context, played, state, absent)
      continue
    }
    const result = need.kind === 'execute' ? unfitRun(need.request) : null
    if (result) {
      const run = runsIn(played.since)
      played = withEntry(played, { run: result })
      turn = turnAfter(context, played, state, { kind: 'executed', run, result })
      continue
    }
    const player = need.kind === 'reply' && need.role === 'model' ? played.player() : null
    if (need.kind !== 'reply' || !player) return { played, turn }
    const { transcript: at, role } = need
    const reply = player(transcriptsOf(played)[at] ?? { role, messages: [] }, at)
    if (reply && 'refused' in reply) {
      turn = turnAfter(context, played, state, {
        kind: 'unavailable',
        reason: 'refused',
        detail: reply.refused,
      })
      continue
    }
    if (reply) played = withEntry(played, entryOf(at, role, reply))
    turn = turnAfter(context, played, state, reply ? { kind: 'replied', ...reply } : exhausted(context))
  }
  throw new TypeError(
    `the episode of ${context.benchmark.kind} does not end at the case ${context.case.id}: ${maxStepsAtOnce} steps`,
  )
}

export const entryOf = (
  transcript: number,
  role: Speaker,
  { text, toolCalls, vendor, finish: why }: SpeakerReply,
): Extract<Entry, { messages: unknown }> => ({
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

interface Beginning {
  entries: readonly Entry[]
  /** Its need appends nothing any more. */
  turn: EpisodeTransition
}

/** A message leads a sample through several steps with one context: its prompt is made once. */
const beginnings = new WeakMap<SampleContext, Beginning>()

export function beginningOf(context: SampleContext, options: EpisodeOptions): Beginning {
  const earlier = options === context.options ? beginnings.get(context) : undefined
  if (earlier) return earlier
  const turn = checked(context.benchmark.episode.start(context.case, withParts(options, context)), context)
  let beginning: Beginning = { entries: [], turn }
  if ('need' in turn && turn.need.kind === 'reply') {
    const entry = appended(turn.need)
    const { tools: _, ...need } = turn.need
    beginning = { entries: entry ? [entry] : [], turn: { ...turn, need: { ...need, append: [] } } }
  }
  if (options === context.options) beginnings.set(context, beginning)
  return beginning
}

/** A running episode with the entries of its log; without any, at its beginning. */
export const playedFrom = (
  context: SampleContext,
  options: EpisodeOptions,
  player: () => AnyPlayer | null,
  log = emptyLog,
  since: readonly Entry[] = [],
): Played => ({ options, before: () => beginningOf(context, options).entries, since, log, player })

export const playing = (episode: JsonValue, need: EpisodeNeed, log: Log): Playing => {
  if (need.kind !== 'reply') return { episode, need, log }
  const { append: _append, tools: _tools, ...rest } = need
  return { episode, need: rest, log }
}

export const runsIn = (entries: readonly Entry[]) => entries.filter((entry) => 'run' in entry).length

/** The part that a need addresses, other than the model under test; null if there is none. */
export function partOf(need: EpisodeNeed | Playing['need']): string | null {
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
function unmet(need: EpisodeNeed, { parties = {} }: SampleContext): UnmetNeed | null {
  const part = partOf(need)
  if (part === null || parties[part]) return null
  return { kind: 'unavailable', reason: 'not_configured', detail: `no player was named for ${part}` }
}

/** The party that plays a part. Throws if none is named. */
export function partyOf(part: string, { parties = {} }: SampleContext): NamedModel {
  const party = parties[part]
  if (!party) throw new Error(`no player was named for ${part}`)
  return party
}
