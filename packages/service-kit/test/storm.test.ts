/**
 * While the broker refuses, a consumer with many slots asks seldom and says so in few lines; then it goes on.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'
import { connect, type NatsConnection } from 'nats'
import { createLog, openBus } from '../src/index.ts'
import { buildBusNames as namesOf } from '../src/bus/names.ts'
import { ensureStreams } from '../src/bus/streams.ts'
import { kind } from './toy.ts'

let servers: Servers
let watching: NatsConnection
beforeAll(async () => {
  servers = await startServers()
  watching = await connect({ servers: servers.natsUrl })
})
afterAll(async () => {
  await watching?.close()
  await servers?.stop()
})

test('the stream of a consumer with 64 slots is gone for a while', async () => {
  const ns = namespace()
  const names = namesOf(ns)
  const lines: { msg: string; count?: number; waits?: number }[] = []
  const log = createLog('toy', {
    level: 'warn',
    destination: { write: (line) => void lines.push(JSON.parse(line) as never) },
  })
  const bus = openBus({ nats: { url: servers.natsUrl }, namespace: ns, name: 'scoring', log })
  await bus.ready()
  const done: string[] = []
  const consuming = bus.consume(kind, { concurrency: 64 }, async (delivery) => {
    done.push(delivery.message?.id ?? '')
    delivery.ack()
  })
  const send = (id: string) => bus.publishJob(kind, { id, payload: { inline: null } })
  await send('before')
  await until(() => done.length === 1)

  const manager = await watching.jetstreamManager()
  let requests = 0
  const watch = watching.subscribe(`$JS.API.*.*.${names.jobs}.>`, { callback: () => void requests++ })
  const consumer = watching.subscribe(`$JS.API.CONSUMER.MSG.NEXT.${names.jobs}.>`, {
    callback: () => void requests++,
  })
  await watching.flush()
  await manager.streams.delete(names.jobs)
  // The fourth wait is the third that is reported: 64 slots that ask for themselves would have asked some
  // hundred times by then.
  await until(() => lines.some(({ waits }) => waits === 4))
  expect(requests).toBeLessThan(100)
  expect(lines.length).toBeLessThan(10)

  await ensureStreams(manager, ns, names)
  await send('after')
  await until(() => done.includes('after'))
  watch.unsubscribe()
  consumer.unsubscribe()
  await consuming.stop()
  await bus.close()
})
