/**
 * The host's record of an episode: transcripts, runs and consultations, as a list of entries that only
 * grows. Entries that the episode's beginning appends are recomputed. Of the others, older ones are stored
 * by hash and newer ones are part of the state, so a step costs the same at any length of the dialogue.
 */
import type {
  Candidate,
  Consultation,
  EpisodeEvent,
  ExecutionResult,
  Message,
  SpeakerReply,
  Speaker,
  Transcript,
} from '@stateeval/contracts'

/** The hash of the question that an entry answers (`computeNeedKey`); absent where nothing was sent for. */
interface EntryAnswer {
  key?: string
}

export type EpisodeEntry =
  | {
      transcript: number
      role: Speaker
      messages: Message[]
      input?: number
      tools?: Transcript['tools']
      /** Facts about a reply that was sent for: its question's hash, its usage and its time. */
      replied?: { key: string } & Pick<SpeakerReply, 'usage' | 'ms'>
    }
  | ({ run: ExecutionResult } & EntryAnswer)
  | ({ consultation: Consultation } & EntryAnswer)
  /** An event that only the episode sees: a step of a tool session, or why there is no reply. */
  | { event: EpisodeEvent; key: string }

/** The entries of an episode within a state. */
export interface EntryLog {
  /** Hashes of the stored ones, oldest first. */
  stored: readonly string[]
  /** The newer ones. */
  entries: readonly EpisodeEntry[]
}
export const emptyLog: EntryLog = { stored: [], entries: [] }

export const appendEntries = (log: EntryLog, ...entries: EpisodeEntry[]): EntryLog => ({
  ...log,
  entries: [...log.entries, ...entries],
})

/**
 * The version of messages (chooseMessageVersion) that carry this state of an item: replicas older than logs
 * with events cannot read them. Stored data may contain events, too. A new form of states needs a new
 * version here.
 */
export function readStateVersion(state: unknown): number {
  const { log } = (state ?? {}) as { log?: EntryLog }
  return log && (log.stored.length > 0 || log.entries.some((entry) => 'event' in entry)) ? 4 : 1
}

/** The record as scorers and episodes read it. */
type DialogueRecord = Omit<Candidate, 'said'>

export function buildDialogue(entries: readonly EpisodeEntry[]): DialogueRecord {
  const transcripts: Transcript[] = []
  const runs: ExecutionResult[] = []
  const consultations: Consultation[] = []
  for (const entry of entries) {
    if ('run' in entry) runs.push(entry.run)
    else if ('consultation' in entry) consultations.push(entry.consultation)
    else if ('messages' in entry) {
      const { transcript: at, role, messages, input, tools } = entry
      const transcript = (transcripts[at] ??= { role, ...(input !== undefined && { input }), messages: [] })
      if (tools) transcript.tools = tools
      transcript.messages.push(...messages)
    }
  }
  return { transcripts, runs, consultations }
}

/** The store of older entries. */
export interface EntryStore {
  put(entries: readonly EpisodeEntry[]): Promise<string>
  get(hash: string): Promise<readonly EpisodeEntry[]>
}

/** Characters of JSON that travel with a state, about. */
const maxTravelling = 16_000

/** A log whose newer entries are stored once they are too many for the state. */
export async function settleLog(log: EntryLog, store: EntryStore): Promise<EntryLog> {
  if (JSON.stringify(log.entries).length <= maxTravelling) return log
  return { stored: [...log.stored, await store.put(log.entries)], entries: [] }
}

export async function loadEntries(
  { stored, entries }: EntryLog,
  store: EntryStore,
): Promise<readonly EpisodeEntry[]> {
  if (stored.length === 0) return entries
  return [...(await Promise.all(stored.map((hash) => store.get(hash)))).flat(), ...entries]
}

/** The newest reply of the model under test; null if there is none. */
export function findNewestReply(entries: readonly EpisodeEntry[]): string | null {
  const messages = entries.flatMap((entry) =>
    'messages' in entry && entry.role === 'model' ? entry.messages : [],
  )
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? null
}

const hasCalls = (message: Message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0

/** Tells whether a log contains more than the text of the last answer, such as its calls. */
export const isDialogue = ({ stored, entries }: EntryLog): boolean =>
  stored.length > 0 ||
  entries.some((entry) => 'consultation' in entry) ||
  entries.some((entry) => 'messages' in entry && entry.messages.some(hasCalls)) ||
  entries.filter((entry) => 'messages' in entry && entry.messages.some(({ role }) => role === 'assistant'))
    .length > 1
