/**
 * Changes of a project's evaluations, for readers of event streams. What happened comes over the bus from any
 * replica; how far running ones are is read from the store, together for all readers of this process.
 */
import type { EvaluationResource } from '@stateeval/contracts'
import { ProblemError } from '@stateeval/contracts'
import {
  waitAtMost,
  type MessageBus,
  pauseUnlessAborted,
  type RevisedDocuments,
  type ServerEvent,
} from '@stateeval/service-kit'
import { LRUCache } from 'lru-cache'
import type { EvaluationOwner } from './owner.ts'
import type { OwnerStore } from './owners.ts'
import { listActiveIds } from './places.ts'

type EvaluationShower = (owner: EvaluationOwner) => Promise<EvaluationResource>
interface ChangeFollower {
  /** The time from which on earlier events are reported first. */
  since?: Date
  signal: AbortSignal
  show: EvaluationShower
}
export interface ChangeFeed {
  /** Throws a problem where too many follow already. */
  follow(how: ChangeFollower): AsyncIterable<ServerEvent>
}
interface ChangeSources {
  owners: Pick<OwnerStore, 'evaluation'>
  active: Pick<RevisedDocuments<object>, 'page'>
  bus: Pick<MessageBus, 'events'>
  now: () => Date
}

/** Between two looks at running evaluations, in milliseconds. */
const everyMs = 1_000
/** How long the bus keeps events. */
const keptMs = 24 * 3_600_000
/** The clocks of replicas and of the broker may differ by this. */
const marginMs = 10_000
/** Evaluations that a reader has not been told of yet; beyond that it has to list them. */
const maxWaiting = 1_000
/** Streams of a project that one process serves. */
const maxReaders = 100

export function openChanges({ owners, active, bus, now }: ChangeSources): ChangeFeed {
  let readers = 0
  const recent = new LRUCache<string, Promise<EvaluationResource | null>>({ max: 2_000, ttl: everyMs * 0.8 })
  const read = async (id: string, show: EvaluationShower) => {
    const owner = await owners.evaluation(id)
    return owner && show(owner)
  }
  const readTogether = (id: string, show: EvaluationShower) => {
    const known = recent.get(id)
    if (known) return known
    const reading = read(id, show)
    recent.set(id, reading)
    reading.catch(() => recent.delete(id))
    return reading
  }
  let running: { at: number; ids: Promise<Set<string>> } | undefined
  const runningNow = () => {
    const at = performance.now()
    if (!running || at - running.at > everyMs * 0.8) {
      const ids = listActiveIds(active).then((all) => new Set(all.filter((id) => id.startsWith('ev_'))))
      running = { at, ids }
    }
    return running.ids
  }

  async function* follow({ since, signal, show }: ChangeFollower): AsyncGenerator<ServerEvent> {
    readers++
    const news = gatherNews(bus, new Date((since ?? now()).getTime() - marginMs), signal)
    try {
      const at = now()
      const missed = since !== undefined && at.getTime() - since.getTime() > keptMs
      yield { id: at.toISOString(), event: 'start', data: { missed } }
      const told = new Map<string, string>()
      let before = new Set<string>()
      while (!signal.aborted) {
        const id = now().toISOString()
        const { ids: touched, lost } = news.take()
        if (lost) yield { id, event: 'start', data: { missed: true } }
        const current = await runningNow()
        for (const one of new Set([...touched, ...before, ...current])) {
          const resource = await (touched.has(one) ? read(one, show) : readTogether(one, show))
          const text = JSON.stringify(resource)
          if (told.get(one) === text) continue
          told.set(one, text)
          yield resource
            ? { id, event: 'evaluation', data: resource }
            : { id, event: 'removed', data: { id: one } }
        }
        // Others may be notified twice, which changes nothing.
        for (const one of told.keys()) if (!current.has(one)) told.delete(one)
        before = current
        await waitAtMost(everyMs, news.more())
      }
    } finally {
      readers--
      news.stop()
    }
  }
  return {
    follow(how) {
      if (readers >= maxReaders)
        throw new ProblemError(
          'too-many-requests',
          `${readers} streams of events are open; close some, or list evaluations periodically`,
          undefined,
          60,
        )
      return follow(how)
    },
  }
}

/** Ids of evaluations to which something happened, gathered until somebody takes them. */
function gatherNews(bus: Pick<MessageBus, 'events'>, from: Date, reader: AbortSignal) {
  const stop = new AbortController()
  const signal = AbortSignal.any([reader, stop.signal])
  let ids = new Set<string>()
  let lost = false
  let wake = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => wake.resolve(), { once: true })
  const gather = async () => {
    let after = from
    while (!signal.aborted) {
      try {
        for await (const { id, at } of bus.events('evaluation', '*', { signal, after })) {
          after = at
          if (ids.size < maxWaiting) ids.add(id)
          else lost = true
          wake.resolve()
        }
      } catch {
        // The broker is away; running evaluations are still read from the store.
      }
      await pauseUnlessAborted(2 * everyMs, signal)
    }
  }
  void gather()
  return {
    take() {
      const taken = { ids, lost }
      ids = new Set()
      lost = false
      if (!signal.aborted) wake = Promise.withResolvers<void>()
      return taken
    },
    more: () => wake.promise,
    stop: () => stop.abort(),
  }
}
