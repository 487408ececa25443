/**
 * Limits a project's open executions. An execution is counted before it is stored, and taken back if there
 * are too many, so replicas together never exceed the limit. Simultaneous requests share one read of the
 * store.
 */
import { ProblemError } from '@stateeval/contracts'
import {
  memoizeByProject,
  getCurrentProject,
  separateByProject,
  pauseUnlessAborted,
  type ServicePlatform,
  type ProjectQuota,
} from '@stateeval/service-kit'
import type { ExecutionStore, StoredExecution } from './store.ts'

interface QueueLimitParts extends Pick<ServicePlatform, 'now'> {
  store: ExecutionStore
  quota: Pick<ProjectQuota, 'rules' | 'refusal'>
  random: () => number
}

/** Writes down the end of an execution that has ended. */
type EndRecorder = (record: StoredExecution) => Promise<unknown>

interface OpenCount {
  open: number
  /** How many ask for this count, in the order in which they came. */
  callers: number
}
interface OpenCounter {
  /** A count that begins from now on, and the place among those who share it, from 1. */
  next(): Promise<OpenCount & { place: number }>
}

function createOpenCounter(count: () => Promise<number>): OpenCounter {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: { callers: number; count: Promise<OpenCount> } | undefined
  return {
    async next() {
      if (!waiting) {
        const round = { callers: 0, count: Promise.resolve({ open: 0, callers: 0 }) }
        round.count = running
          .catch(() => undefined)
          .then(async () => {
            waiting = undefined
            return { open: await count(), callers: round.callers }
          })
        running = round.count
        waiting = round
      }
      const place = ++waiting.callers
      return { ...(await waiting.count), place }
    },
  }
}

/**
 * Executions that have ended are counted until somebody looks at them: this looks, at most once at a time.
 */
async function endWhatHasEnded(parts: QueueLimitParts, look: EndRecorder): Promise<void> {
  await parts.store.dropAnnounced(new Date(parts.now().getTime() - beginsWithinMs))
  for await (const record of parts.store.unfinished()) await look(record)
}

export interface QueueLimit {
  /** Takes a place for an execution; throws a problem where as many are open as may. */
  take(id: string, look: EndRecorder): Promise<void>
}

export function createQueueLimit(parts: QueueLimitParts): QueueLimit {
  const { store, quota } = parts
  const counter = separateByProject(() => createOpenCounter(() => store.openCount()))
  const looking = memoizeByProject(() => ({ now: undefined as Promise<void> | undefined }))
  const lookOnce = (look: EndRecorder) => {
    const mine = looking()
    return (mine.now ??= endWhatHasEnded(parts, look).finally(() => (mine.now = undefined)))
  }
  const isWithin = async (max: number) => {
    const { open, callers, place } = await counter.next()
    return open - callers + place <= max
  }
  return {
    async take(id, look) {
      const { queuedExecutions: max = null } = await quota.rules.limits(getCurrentProject())
      if (max === null) return
      for (let tries = 1; tries <= maxTries; tries++) {
        if (!(await store.announce(id, parts.now())) || (await isWithin(max))) return
        // Others that were counted with it may get the place: who tries again counts for nothing meanwhile.
        await store.takeBack(id)
        if (tries === 1) await lookOnce(look)
        else await pauseUnlessAborted(parts.random() * tries * waitMs)
      }
      throw quota.refusal(
        'executions',
        new ProblemError(
          'too-many-requests',
          `${max} executions are queued or running in this project, which is its limit; send it again after some have ended`,
          undefined,
          retryAfter,
        ),
      )
    },
  }
}

/**
 * How often a place is tried for, and the wait before the next try: up to so many milliseconds, longer each
 * time.
 */
const [maxTries, waitMs] = [4, 20]
/** In seconds: most programs take less. */
const retryAfter = 2
/** Time in milliseconds within which an announced execution is stored, or never is. */
const beginsWithinMs = 60_000
