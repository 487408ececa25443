/**
 * Stored episodes over HTTP: how each was opened, each reply, and the turn after it. Each is one insert
 * under a deterministic id, and the first insert counts (docs/decisions/inserts.md).
 */
import type { AgentReply, EpisodeTurn, EvaluationOptions, JobPayload } from '@stateeval/contracts'
import type { EndpointModel } from '@stateeval/flows'
import type { FixedDocuments } from '@stateeval/service-kit'
import type { EndedOwner } from '@stateeval/jobs'

export interface StoredEpisode {
  id: string
  /** The set that holds its case: a benchmark, or a block of its stream. */
  benchmark: string
  stream?: { id: string; index: number }
  kind: string
  /** The place of its case in the set, and the case's id. */
  place: number
  case: string
  options: EvaluationOptions
  /** Players of the further parts. */
  parties?: Readonly<Record<string, EndpointModel>>
  leaseSeconds: number
  createdAt: string
}

/** A reply as received; `digest` detects a different reply to the same step. */
export interface StoredReply {
  digest: string
  reply: AgentReply
}

/**
 * The observation for the agent, and the state that waits for its reply; without a state, the episode is
 * done.
 */
export interface StoredTurn {
  turn: EpisodeTurn
  /** The turn's messages, if they may be more than a document holds; the turn then has none. */
  messages?: JobPayload
  state?: JobPayload
  /** For a sealed stream: the whole score, encrypted as its seed is. The turn’s score has no evidence. */
  sealed?: string
}

export interface EpisodeDocuments {
  episodeHeads: FixedDocuments<StoredEpisode>
  episodeReplies: FixedDocuments<StoredReply>
  episodeTurns: FixedDocuments<StoredTurn>
  /** Finished owners that may have left tool sessions. */
  endedOwners: FixedDocuments<EndedOwner>
  /** Episodes that are deleted, whose documents in all services the sweep removes. */
  removedEpisodes: FixedDocuments<true>
}

/** The key of a reply and of the turn after it. */
export const formatStepKey = (episode: string, step: number) => `${episode}/${String(step).padStart(7, '0')}`

/** Tells whether a step of an episode has its turn. */
export const isTurnStored = async (
  { episodeTurns }: Pick<EpisodeDocuments, 'episodeTurns'>,
  episode: string,
  step: number,
): Promise<boolean> => (await episodeTurns.get(formatStepKey(episode, step))) !== null

/**
 * The newest turn, found by doubling and halving because turns have no gaps; null before the first turn.
 */
export async function findNewestTurn(
  { episodeTurns }: Pick<EpisodeDocuments, 'episodeTurns'>,
  episode: string,
): Promise<StoredTurn | null> {
  const at = (step: number) => episodeTurns.get(formatStepKey(episode, step))
  let newest: StoredTurn | null = null
  let [low, step] = [0, 1]
  for (;;) {
    const found = await at(low + step - 1)
    if (!found) break
    newest = found
    low += step
    step *= 2
  }
  let high = low + step - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await at(middle)
    if (found) {
      newest = found
      low = middle + 1
    } else high = middle
  }
  return newest
}
