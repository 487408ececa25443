/**
 * Explains what running jobs wait for: parts of the installation that are missing, servers that do not store,
 * and items that do not end. Each replica determines them itself, with each sweep.
 */
import { type JobSubject, type StalledJob, subjects } from '@stateeval/contracts'
import {
  getCurrentProject,
  getErrorText,
  type ServicePlatform,
  removeCredentials,
} from '@stateeval/service-kit'
import { Gauge } from 'prom-client'

/** A lack that ends sooner is not worth reporting, in milliseconds. */
const shortMs = 10_000
/** Time without an ended item after which something is likely wrong, in milliseconds. */
const stalledMs = 15 * 60_000
/** A job that no sweep has seen for so many milliseconds has ended, or is another replica's. */
const unseenMs = 120_000

/** The queues that items need. */
const needed: readonly JobSubject[] = [
  subjects.generate,
  subjects.translate,
  subjects.execute,
  subjects.tensors,
  subjects.session,
  subjects.score,
  subjects.step,
  subjects.ask,
]

export interface WaitWatch {
  /** Looks at queues and servers, unless nothing runs. */
  look(): Promise<void>
  /**
   * Notes how far a running job of the current project has come; equal marks mean that nothing has happened.
   */
  note(id: string, mark: string): void
  forget(id: string): void
  /** The reason of a running job's wait, and what to do; null if nothing is known to be missing. */
  reason(id: string): string | null
  /** All running jobs that wait, of all projects. */
  stalled(): StalledJob[]
}

interface LastMove {
  project: string
  mark: string
  since: number
  seen: number
}

export function createWaits(
  { bus, mongo, metrics }: Pick<ServicePlatform, 'bus' | 'mongo' | 'metrics'>,
  now: () => number = () => performance.now(),
): WaitWatch {
  const moves = new Map<string, LastMove>()
  let obstacles = new Map<string, { since: number; says: string }>()
  const live = () => [...moves].filter(([, { seen }]) => now() - seen < unseenMs)

  const checks: readonly (readonly [key: string, check: () => Promise<string | null>])[] = [
    [
      'mongodb',
      () => mongo.probe().then(getNothing, (error: unknown) => describeServerState('MongoDB', error)),
    ],
    [
      'nats',
      () => bus.probe(subjects.step).then(getNothing, (error: unknown) => describeServerState('NATS', error)),
    ],
    ...needed.map((subject) => {
      const [, service, work] = subject.split('.')
      const check = async () => {
        // That NATS is away was said above.
        const state = await bus.queue(subject).catch(() => null)
        if (!state || state.waiting === 0 || state.isTaken) return null
        return `No replica of ${service} takes jobs: ${state.waiting} wait (${work}). Start one, or look at its log.`
      }
      return [subject, check] as const
    }),
  ]
  const obstacle = () => {
    const lasting = [...obstacles.values()].filter(({ since }) => now() - since >= shortMs)
    return lasting.length === 0 ? null : lasting.map(({ says }) => says).join(' ')
  }
  const waits: WaitWatch = {
    async look() {
      for (const [id, { seen }] of moves) if (now() - seen >= unseenMs) moves.delete(id)
      const found =
        moves.size === 0
          ? []
          : await Promise.all(checks.map(async ([key, check]) => [key, await check()] as const))
      obstacles = new Map(
        found.flatMap(([key, says]) =>
          says === null ? [] : [[key, { since: obstacles.get(key)?.since ?? now(), says }]],
        ),
      )
    },
    note(id, mark) {
      const before = moves.get(id)
      const since = before?.mark === mark ? before.since : now()
      moves.set(id, { project: getCurrentProject(), mark, since, seen: now() })
    },
    forget: (id) => void moves.delete(id),
    reason(id) {
      const move = moves.get(id)
      if (!move) return null
      const ms = now() - move.since
      const missing = obstacle()
      // A job whose items still end does not wait, whatever is missing.
      if (missing !== null) return ms >= shortMs ? missing : null
      if (ms < stalledMs) return null
      return `No item has ended for ${Math.floor(ms / 60_000)} minutes. Look at the endpoint of the model, at the logs of the services, and at npx stateeval dead-letters.`
    },
    stalled: () =>
      live().flatMap(([id, { project, since }]) => {
        const reason = waits.reason(id)
        return reason === null ? [] : [{ id, project, seconds: Math.floor((now() - since) / 1000), reason }]
      }),
  }
  new Gauge({
    name: 'stateeval_longest_pause_seconds',
    help: 'Time since an item of a running evaluation or build ended; the longest of all',
    registers: [metrics.registry],
    collect() {
      const at = now()
      this.set(Math.max(0, ...live().map(([, { since }]) => (at - since) / 1000)))
    },
  })
  return waits
}

const getNothing = () => null
const describeServerState = (server: string, error: unknown) =>
  `${server} does not store: ${removeCredentials(getErrorText(error)).slice(0, 300)}. Work continues when it does.`
