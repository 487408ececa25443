/**
 * Episodes over HTTP, on any replica. The replica that gets a request executes the step: from the stored
 * state before it, with the same flows, jobs and questions as a sample of an evaluation, to the next state
 * that waits for the agent. Only the first stored turn of a step counts. A repeated step is therefore
 * answered from the store. A step that a kill interrupted runs again, with the same jobs.
 */
import {
  type AgentReply,
  computeContentId,
  type EpisodeTurn,
  ProblemError,
  type Score,
} from '@stateeval/contracts'
import type { SampleState } from '@stateeval/flows'
import {
  qualifyName,
  isLong,
  pauseUnlessAborted,
  type ServicePlatform,
  runSealed,
  writeObject,
} from '@stateeval/service-kit'
import { LRUCache } from 'lru-cache'
import { createGate } from './gate.ts'
import { type WaitingSample, type EpisodeStepResult, leadEpisodeStep } from './lead.ts'
import type { LeaseStore } from './leases.ts'
import type { EpisodeMetrics } from './metrics.ts'
import type { NeedParts } from './needs.ts'
import type { SampleSources } from './sample.ts'
import { isSealed, type StreamParts } from '../streams/stored.ts'
import {
  type EpisodeDocuments,
  findNewestTurn,
  type StoredEpisode,
  type StoredTurn,
  formatStepKey,
} from './stored.ts'

interface EpisodeParts
  extends EpisodeDocuments, SampleSources, NeedParts, Pick<ServicePlatform, 'now'>, StreamParts {
  leases: LeaseStore
  episodeMetrics: EpisodeMetrics
}

export interface EpisodeStore {
  /** Stores an episode, unless there is one of its id, and leads it to its first turn. */
  open(episode: StoredEpisode): Promise<{ episode: StoredEpisode; turn: EpisodeTurn }>
  /** Takes the agent's reply and gives the turn that follows. Throws a problem where it is not its turn. */
  step(id: string, step: number, reply: AgentReply): Promise<EpisodeTurn>
  /** Throws a problem where there is none. */
  existing(id: string): Promise<StoredEpisode>
  newest(id: string): Promise<EpisodeTurn | null>
  /** Moves the end of its lease; opens it again where it was over. */
  renew(id: string, seconds: number): Promise<Date>
  /** The end of its lease; null where it is over. */
  endOf(id: string): Promise<Date | null>
  remove(id: string): Promise<void>
  /** When the service stops: what is led here is led again where the step is sent again. */
  close(): void
}

/** Episodes are believed to be there for so long after they were seen, in milliseconds. */
const believedMs = 2000
/** Turns that this process stored last and whose next step has not come, in characters of JSON. */
const maxTurnsSize = 32 * 2 ** 20
/**
 * Characters of a turn's messages in its document. One reply may call tools that answer 32 MiB in all, and a
 * document holds 16.
 */
const maxMessages = 2 ** 20
/** Steps that are led at once; the others wait. */
const maxLed = 256
/**
 * A step that somebody took already may be under way on another replica: its turn is looked for, less and
 * less often, and so long before it is led here as well. In milliseconds.
 */
const [firstLookMs, longestLookMs, patienceMs] = [10, 200, 2000]

/** A score without what was expected. */
const selectTold = ({ passed, verdict, reward, metrics }: Score): Score => ({
  passed,
  verdict,
  ...(reward !== undefined && { reward }),
  metrics,
  evidence: { differences: [] },
})

const createEndedError = (step: number) =>
  new ProblemError('conflict', `the episode ended with step ${step}; open another one`, '/step')

export function openEpisodes(parts: EpisodeParts): EpisodeStore {
  const { episodeHeads, episodeReplies, episodeTurns, leases } = parts
  const closing = new AbortController()
  const heads = new LRUCache<string, StoredEpisode>({ max: 10_000, ttl: believedMs })
  const turns = new LRUCache<string, StoredTurn>({ maxSize: maxTurnsSize })
  /** Steps that are led here now, by place: who sends one again shares its turn. */
  const led = new Map<string, Promise<StoredTurn>>()
  const gate = createGate(maxLed)
  const placeOf = (id: string, step: number) => qualifyName(formatStepKey(id, step))

  async function find(id: string): Promise<StoredEpisode | null> {
    const name = qualifyName(id)
    const known = heads.get(name)
    if (known) return known
    const episode = await episodeHeads.get(id)
    if (episode) heads.set(name, episode)
    return episode
  }
  async function existing(id: string): Promise<StoredEpisode> {
    const episode = await find(id)
    if (episode) return episode
    throw new ProblemError('not-found', `there is no episode ${id}; POST /v1/episodes opens one`)
  }

  /** Tells whether its task is secret now; also if its stream was deleted before it was revealed. */
  async function isOfSealed({ stream }: StoredEpisode): Promise<boolean> {
    const found = stream && (await parts.streams.get(stream.id))
    return stream !== undefined && (!found || isSealed(found))
  }
  /** The turn as it is stored: of a sealed stream, what was expected is encrypted. */
  async function kept(head: StoredEpisode, turn: EpisodeTurn): Promise<Omit<StoredTurn, 'state'>> {
    const { score, episode, step } = turn
    if (!score || !(await isOfSealed(head))) return { turn }
    const sealed = await parts.streamBox.seal(JSON.stringify(score), formatStepKey(episode, step))
    return { turn: { ...turn, score: selectTold(score) }, sealed }
  }
  /** The turn as the caller may see it: with what was expected, once the stream is revealed. */
  async function shown(head: StoredEpisode, stored: StoredTurn): Promise<EpisodeTurn> {
    const { messages, sealed } = stored
    const turn = messages
      ? { ...stored.turn, messages: (await parts.artifacts.unpack(messages)) as EpisodeTurn['messages'] }
      : stored.turn
    if (!head.stream || !turn.score) return turn
    if (await isOfSealed(head)) return { ...turn, score: selectTold(turn.score) }
    const text =
      sealed === undefined ? null : await parts.streamBox.open(sealed, formatStepKey(turn.episode, turn.step))
    return text === null ? turn : { ...turn, score: JSON.parse(text) as Score }
  }

  /** Stores a turn, and gives the one that counts. */
  async function keep(
    head: StoredEpisode,
    { turn: led, state, usedWorld }: EpisodeStepResult,
  ): Promise<StoredTurn> {
    const stored = await kept(head, led)
    const { turn } = stored
    const { episode, step } = turn
    const packed = state && (await parts.artifacts.pack(state))
    const apart = isLong(turn.messages, maxMessages) && {
      turn: { ...turn, messages: [] },
      messages: await parts.artifacts.pack(turn.messages),
    }
    const written = writeObject({ ...stored, ...apart, ...(packed && { state: packed }) })
    if (turn.done && usedWorld) await parts.endedOwners.put(episode, { step })
    if (!(await episodeTurns.put(formatStepKey(episode, step), written)))
      return (await episodeTurns.get(formatStepKey(episode, step))) ?? stored
    parts.episodeMetrics(turn)
    turns.delete(placeOf(episode, step - 1))
    if (turn.done) await leases.end(episode)
    else
      turns.set(placeOf(episode, step), JSON.parse(written.text) as StoredTurn, {
        size: written.text.length,
      })
    return stored
  }

  /** The turn that another replica stores for a step; looked for until the signal. */
  async function storedTurn(id: string, step: number, signal: AbortSignal): Promise<StoredTurn> {
    for (let lookMs = firstLookMs; ; lookMs = Math.min(longestLookMs, lookMs * 2)) {
      const stored = await episodeTurns.get(formatStepKey(id, step))
      if (stored) return stored
      await pauseUnlessAborted(lookMs, signal)
      if (signal.aborted)
        throw new ProblemError('unavailable', 'the service is stopping; send the step again')
    }
  }

  /** Waits for the replica that took the step first; leads it here as well where that takes long. */
  async function turnFromAnywhere(id: string, step: number, leadHere: () => Promise<StoredTurn>) {
    const over = new AbortController()
    const { signal } = over
    const stop = () => over.abort()
    closing.signal.addEventListener('abort', stop, { once: true })
    try {
      const late = pauseUnlessAborted(patienceMs, signal).then(() =>
        signal.aborted ? new Promise<never>(() => undefined) : leadHere(),
      )
      return await Promise.race([storedTurn(id, step, signal), late])
    } finally {
      stop()
      closing.signal.removeEventListener('abort', stop)
    }
  }

  /** Leads a step unless that is done, or under way here already. */
  function turnOf(
    episode: StoredEpisode,
    step: number,
    { isRepeated, before }: { isRepeated: boolean; before: WaitingSample | null },
  ): Promise<StoredTurn> {
    const place = placeOf(episode.id, step)
    const underWay = led.get(place)
    if (underWay) return underWay
    const leadHere = () =>
      gate(async () =>
        runSealed(await isOfSealed(episode), async () =>
          keep(episode, await leadEpisodeStep(parts, episode, step, before, closing.signal)),
        ),
      )
    const turn = (isRepeated ? turnFromAnywhere(episode.id, step, leadHere) : leadHere()).finally(() =>
      led.delete(place),
    )
    led.set(place, turn)
    return turn
  }

  async function previousOf(id: string, step: number): Promise<StoredTurn> {
    const previous = turns.get(placeOf(id, step - 1)) ?? (await episodeTurns.get(formatStepKey(id, step - 1)))
    if (!previous) {
      const newest = await findNewestTurn(parts, id)
      if (newest?.turn.done) throw createEndedError(newest.turn.step)
      throw new ProblemError(
        'conflict',
        newest
          ? `the episode waits for step ${newest.turn.step + 1}; send that one`
          : 'the episode has no first turn yet; get it in a moment (GET /v1/episodes/{id})',
        '/step',
      )
    }
    if (previous.state) return previous
    throw createEndedError(step - 1)
  }

  return {
    existing,
    renew: (id, seconds) => leases.renew(id, seconds),
    endOf: (id) => leases.endOf(id),
    async open(requested) {
      const { id, leaseSeconds } = requested
      const there = await episodeTurns.get(formatStepKey(id, 0))
      const isNew = await episodeHeads.put(id, requested)
      const episode = isNew ? requested : await existing(id)
      if (there) return { episode, turn: await shown(episode, there) }
      try {
        await leases.renew(id, leaseSeconds)
      } catch (error) {
        // Nothing is begun: the same request may open it later.
        if (isNew) await episodeHeads.remove(id)
        throw error
      }
      heads.set(qualifyName(id), episode)
      const turn = await turnOf(episode, 0, { isRepeated: !isNew, before: null })
      return { episode, turn: await shown(episode, turn) }
    },
    async step(id, step, reply) {
      const episode = await existing(id)
      const previous = await previousOf(id, step)
      const isOpen = await leases.extend(id, episode.leaseSeconds)
      const key = formatStepKey(id, step)
      const digest = computeContentId(reply)
      const isRepeated = !isOpen || !(await episodeReplies.put(key, { digest, reply }))
      if (isRepeated) {
        const taken = await episodeReplies.get(key)
        if (!taken)
          throw new ProblemError(
            'conflict',
            `the lease of the episode has expired; renew it (POST /v1/episodes/${id}/renew), then send the step again`,
          )
        if (taken.digest !== digest)
          throw new ProblemError(
            'conflict',
            `step ${step} already has another reply; a step keeps its first reply`,
            '/reply',
          )
        const stored = await episodeTurns.get(key)
        if (stored) return shown(episode, stored)
      }
      const state = (await parts.artifacts.unpack(previous.state!)) as SampleState
      return shown(episode, await turnOf(episode, step, { isRepeated, before: { state, reply } }))
    },
    async newest(id) {
      const turn = await findNewestTurn(parts, id)
      return turn && shown(await existing(id), turn)
    },
    async remove(id) {
      await existing(id)
      // First of all: what is cut short is finished by the sweep.
      await parts.removedEpisodes.put(id, true)
      await episodeHeads.remove(id)
      heads.delete(qualifyName(id))
      await leases.end(id)
    },
    close: () => closing.abort(),
  }
}
