/**
 * Metrics of a service's servers: its queues, dead letters, and whether they answer. They are read for each
 * scrape.
 */
import { coordinator, type JobSubject, type ServiceName, subjects } from '@stateeval/contracts'
import { Gauge } from 'prom-client'
import type { QueueState } from './bus/index.ts'
import type { ServicePlatform } from './platform.ts'
import type { ServerChecks } from './server-checks.ts'

interface WatchedQueue {
  takes: JobSubject
}

/** An unavailable server loses its series, but never fails the scrape. */
export function observeServers(
  { metrics: { registry }, bus }: Pick<ServicePlatform, 'metrics' | 'bus'>,
  service: ServiceName,
  queues: readonly WatchedQueue[],
  servers: ServerChecks,
): void {
  const registers = [registry]
  const taken = queues.map(({ takes }) => takes)
  // Where services are users of NATS, only the coordinator may read how long jobs wait, so it says it of all.
  const watched = service === coordinator ? Object.values(subjects) : taken
  const state = askOncePerScrape(() =>
    Promise.all(
      watched.map(async (subject) => ({ subject, state: await bus.queue(subject).catch(() => null) })),
    ),
  )
  const ofQueues = (
    name: string,
    help: string,
    value: (state: QueueState) => number | null,
    of: readonly JobSubject[] = taken,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers,
      async collect() {
        this.reset()
        for (const { subject, state: queue } of await state()) {
          const figure = queue && of.includes(subject) ? value(queue) : null
          if (figure !== null) this.set({ kind: subject.slice('jobs.'.length) }, figure)
        }
      },
    })
  if (queues.length > 0) {
    ofQueues('stateeval_queue_waiting_jobs', 'Waiting jobs, over all replicas', ({ waiting }) => waiting)
    ofQueues(
      'stateeval_queue_taken_jobs',
      'Delivered and unacknowledged jobs, over all replicas',
      ({ inFlight }) => inFlight,
    )
    ofQueues(
      'stateeval_queue_repeated_jobs',
      'Unacknowledged jobs that were delivered more than once',
      ({ repeated }) => repeated,
    )
    ofQueues(
      'stateeval_queue_lag_seconds',
      'Age of the oldest waiting job',
      ({ lagMs }) => (lagMs === null ? null : lagMs / 1000),
      watched,
    )
  }
  new Gauge({
    name: 'stateeval_dead_letters',
    help: 'Jobs of all services that failed at every attempt and were not queued again',
    registers,
    async collect() {
      const count = await bus.dead.count().catch(() => null)
      if (count === null) this.remove()
      else this.set(count)
    },
  })
  new Gauge({
    name: 'stateeval_server_up',
    help: 'Whether a server that this service needs responds and stores: 1 or 0',
    labelNames: ['server'],
    registers,
    async collect() {
      for (const server of ['nats', 'mongodb'] as const) {
        const works = await servers[server]().then(
          () => true,
          () => false,
        )
        this.set({ server }, works ? 1 : 0)
      }
    },
  })
}

/** All that ask within one turn of the registry share an answer. */
function askOncePerScrape<T>(ask: () => Promise<T>): () => Promise<T> {
  let request: Promise<T> | undefined
  return () => {
    request ??= ask().finally(() => (request = undefined))
    return request
  }
}
