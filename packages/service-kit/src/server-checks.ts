/** Checks whether the servers that a service needs work: not only whether they are connected. */
import type { JobSubject } from '@stateeval/contracts'
import { checkOccasionally } from './occasionally.ts'
import type { MessageBus } from './bus/index.ts'
import type { MongoStore } from './mongo.ts'
import { findOldVersion } from './server-versions.ts'

/** Each rejects with the reason. They may be made often. */
export interface ServerChecks {
  mongodb(): Promise<void>
  nats(): Promise<void>
}

/** @param takes the kinds of jobs that the process takes: their queues are tried */
export function createServerChecks(
  {
    mongo,
    bus,
  }: { mongo: Pick<MongoStore, 'ping' | 'probe'>; bus: Pick<MessageBus, 'connected' | 'version' | 'probe'> },
  takes: readonly JobSubject[],
): ServerChecks {
  const stores = checkOccasionally(() => mongo.probe())
  const queues = checkOccasionally(async () => void (await Promise.all(takes.map((kind) => bus.probe(kind)))))
  return {
    async mongodb() {
      await mongo.ping()
      await stores()
    },
    async nats() {
      if (!bus.connected) throw new Error('not connected')
      const old = findOldVersion('NATS', bus.version())
      if (old) throw new Error(old)
      await queues()
    },
  }
}
