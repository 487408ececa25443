/** Measures the state of the installation: queues without takers, and the servers' storage. */
import { subjects } from '@stateeval/contracts'
import type { ServicePlatform, StorageUse } from '@stateeval/service-kit'
import { Gauge } from 'prom-client'

/** An unreadable value loses its series, but never fails the scrape. */
export function observeInstallation({
  bus,
  mongo,
  metrics: { registry },
}: Pick<ServicePlatform, 'bus' | 'mongo' | 'metrics'>): void {
  const registers = [registry]
  new Gauge({
    name: 'stateeval_queue_untaken_jobs',
    help: 'Waiting jobs of queues from which no replica takes; 0 for the others',
    labelNames: ['kind'],
    registers,
    async collect() {
      this.reset()
      const states = Object.values(subjects).map(async (subject) => {
        const state = await bus.queue(subject).catch(() => null)
        if (state) this.set({ kind: subject.slice('jobs.'.length) }, state.isTaken ? 0 : state.waiting)
      })
      await Promise.all(states)
    },
  })
  const storage = (name: string, help: string, figure: (use: StorageUse) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['server'],
      registers,
      async collect() {
        this.reset()
        for (const [server, read] of [
          ['mongodb', () => mongo.storage()],
          ['nats', () => bus.storage()],
        ] as const) {
          const use = await read().catch(() => null)
          const value = use && figure(use)
          if (value !== null) this.set({ server }, value)
        }
      },
    })
  storage('stateeval_server_storage_used_bytes', 'Used storage of a server', ({ used }) => used)
  storage(
    'stateeval_server_storage_limit_bytes',
    'Size of the storage of a server, if it reports one',
    ({ limit }) => limit,
  )
}
