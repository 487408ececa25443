/**
 * Stored owners: created, advanced from stage to stage, ended. A stage is entered once, from the previous
 * stage.
 */
import { maxTags, ProblemError, type TagChange } from '@stateeval/contracts'
import {
  type MessageBus,
  getCurrentSpan,
  type DocumentStore,
  type FixedDocuments,
  type RevisedDocuments,
} from '@stateeval/service-kit'
import { type WorkflowEngine } from '@stateeval/workflow'
import { LRUCache } from 'lru-cache'
import {
  type BenchmarkOwner,
  type BuildOwner,
  type EvaluationOwner,
  isEnded,
  type JobOwner,
  withChange,
} from './owner.ts'

/** Possible ends of an owner, by its origin. */
type OwnerEnd = { status: 'succeeded' | 'failed' | 'cancelled'; error?: string } & Partial<
  Pick<BuildOwner, 'manifest' | 'usage' | 'costUsd'> &
    Pick<EvaluationOwner, 'baselineCheck' | 'unchecked' | 'ended'>
>
/** Changes of an evaluation that continues. */
type ReopenedFields = Partial<Pick<EvaluationOwner, 'model' | 'budget' | 'stage' | 'stages'>>
export interface OwnerStore {
  /** Stores an owner; gives the one that is there where the id is taken. */
  create<O extends JobOwner>(owner: O): Promise<{ owner: O; created: boolean }>
  get(id: string): Promise<JobOwner | null>
  benchmark(id: string): Promise<BenchmarkOwner | null>
  evaluation(id: string): Promise<EvaluationOwner | null>
  /**
   * The owner as it was within the last second: enough for steps, which are checked again when they are
   * stored.
   */
  recent(id: string): Promise<JobOwner | null>
  /** The changed owner; null where it has left that stage, or has ended. */
  enter<O extends JobOwner>(owner: O, from: string, change: Partial<O>): Promise<O | null>
  /** Ends an owner that has not ended. */
  end(id: string, change: OwnerEnd): Promise<void>
  /** Goes on with one that was stopped. */
  reopen(id: string, change?: ReopenedFields): Promise<JobOwner | null>
  /** Changes the tags of an evaluation; null if it does not exist. Throws a problem if it gets too many. */
  tag(id: string, change: TagChange): Promise<EvaluationOwner | null>
  remove(id: string): Promise<void>
  page<E extends JobOwner['entity']>(
    entity: E,
    cursor: string | undefined,
    limit: number,
  ): Promise<Extract<JobOwner, { entity: E }>[]>
}
export interface ChangeAnnouncer {
  /** Announces the changes of an owner that were not announced yet. */
  changed(owner: JobOwner): Promise<void>
  /** Announces that an owner is being deleted; before that. */
  removed(owner: JobOwner): Promise<void>
}
const freshMs = 1000

/** The trace of the request that is being served. */
function captureTrace(): Pick<JobOwner, 'trace'> {
  const trace = getCurrentSpan()?.traceparent
  return trace === undefined ? {} : { trace }
}

/** Data of owners besides themselves, and the receivers of their ends. */
interface OwnerSurroundings {
  active: RevisedDocuments<object>
  ends: Pick<FixedDocuments<unknown>, 'drop'>
  asks: Pick<FixedDocuments<unknown>, 'drop'>
  endedOwners: Pick<FixedDocuments<object>, 'put'>
  results: Pick<FixedDocuments<unknown>, 'drop'>
  engine: Pick<WorkflowEngine<JobOwner, unknown>, 'forget'>
  bus: Pick<MessageBus, 'publishEvent'>
  announcer: Pick<ChangeAnnouncer, 'changed'>
  now: () => Date
}

export function openOwners(store: DocumentStore, context: OwnerSurroundings): OwnerStore {
  const collections: Record<JobOwner['entity'], RevisedDocuments<JobOwner>> = {
    benchmark: store.revised('benchmarks'),
    evaluation: store.revised('evaluations'),
  }
  const entityOf = (id: string): JobOwner['entity'] => (id.startsWith('ev_') ? 'evaluation' : 'benchmark')
  const of = (id: string) => collections[entityOf(id)]
  const recent = new LRUCache<string, JobOwner>({ max: 1000, ttl: freshMs })
  const keep = (owner: JobOwner) => {
    recent.set(owner.id, owner)
    return owner
  }
  const get = async (id: string) => {
    const owner = await of(id).get(id)
    return owner && keep(owner)
  }
  const update = async (id: string, change: (owner: JobOwner) => JobOwner | null) => {
    let changed = false
    const owner = await of(id).update(id, (value) => {
      const next = change(value)
      changed = next !== null
      return next
    })
    if (owner) keep(owner)
    return owner && changed ? owner : null
  }
  const owners: OwnerStore = {
    get,
    async create(newOwner) {
      const { status } = newOwner
      const what = status === 'queued' || status === 'running' ? 'started' : status
      const changed = { ...newOwner, ...withChange(newOwner, what, context.now().toISOString()) }
      const owner = isEnded(newOwner) ? changed : { ...changed, ...captureTrace() }
      // Watched first: a build that was stored but never begun is found by the sweep.
      if (!isEnded(owner)) await context.active.create(owner.id, {})
      const created = await of(owner.id).create(owner.id, owner)
      const stored = created ? (keep(owner) as typeof owner) : ((await get(owner.id)) as typeof owner)
      if (stored) await context.announcer.changed(stored)
      return { owner: stored, created }
    },
    benchmark: async (id) =>
      entityOf(id) === 'benchmark' ? ((await get(id)) as BenchmarkOwner | null) : null,
    evaluation: async (id) =>
      entityOf(id) === 'evaluation' ? ((await get(id)) as EvaluationOwner | null) : null,
    recent: async (id) => recent.get(id) ?? get(id),
    enter: async <O extends JobOwner>({ id }: O, from: string, change: Partial<O>) =>
      (await update(id, (owner) =>
        isEnded(owner) || owner.stage !== from ? null : { ...owner, ...change },
      )) as O | null,
    async end(id, change) {
      const finishedAt = context.now().toISOString()
      await context.endedOwners.put(id, {})
      const owner = await update(id, (current) =>
        isEnded(current)
          ? null
          : { ...current, ...change, finishedAt, ...withChange(current, change.status, finishedAt) },
      )
      if (!owner) return
      // While it is watched: where this is cut short, the sweep announces it.
      await context.announcer.changed(owner)
      await context.active.remove(id)
      // A caller that resumed it meanwhile had marked it as active before.
      const current = await get(id)
      if (current && !isEnded(current)) await context.active.create(id, {})
      context.engine.forget(id)
      await context.bus.publishEvent(owner.entity, id, 'end', { status: owner.status })
      if (owner.status !== 'succeeded') return
      // Marks are of no more use; nothing waits for their removal.
      void Promise.all([context.ends.drop(id), context.asks.drop(id)]).catch(() => undefined)
    },
    async reopen(id, change = {}) {
      await context.active.create(id, {})
      const reopened = await update(id, (owner) => {
        if (owner.status !== 'cancelled' && owner.status !== 'failed') return null
        const { finishedAt: _finished, error: _error, ...rest } = owner
        return {
          ...rest,
          ...change,
          ...captureTrace(),
          ...withChange(owner, 'resumed', context.now().toISOString()),
          status: 'running',
        }
      })
      if (!reopened) return null
      await context.announcer.changed(reopened)
      await context.bus.publishEvent(reopened.entity, id, 'resumed', {})
      return reopened
    },
    async tag(id, { add = [], remove = [] }) {
      let tagged: EvaluationOwner | null = null
      await collections.evaluation.update(id, (owner) => {
        if (owner.entity !== 'evaluation') return null
        const tags = [...new Set([...(owner.tags ?? []), ...add])]
          .filter((tag) => !remove.includes(tag))
          .sort()
        if (tags.length > maxTags)
          throw new ProblemError(
            'unprocessable',
            `the evaluation ${id} would have ${tags.length} tags; keep at most ${maxTags}`,
            '/add',
          )
        return (tagged = { ...owner, tags })
      })
      if (tagged) {
        keep(tagged)
        await context.bus.publishEvent('evaluation', id, 'tagged', {})
      }
      return tagged
    },
    async remove(id) {
      await context.active.remove(id)
      const owner = await of(id).get(id)
      await of(id).remove(id)
      recent.delete(id)
      await Promise.all([context.ends.drop(id), context.asks.drop(id), context.results.drop(id)])
      if (owner) await context.bus.publishEvent(owner.entity, id, 'removed', {})
    },
    page: async <E extends JobOwner['entity']>(entity: E, cursor: string | undefined, limit: number) =>
      (await collections[entity].page(cursor, limit)).map(
        ({ value }) => value as Extract<JobOwner, { entity: E }>,
      ),
  }
  return owners
}
