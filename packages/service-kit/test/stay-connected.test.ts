/**
 * The client is connected again where its own watch hangs; the driver is a part that never ends a heartbeat
 * on demand.
 */
import { EventEmitter } from 'node:events'
import { expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit'
import { type Connectable, stayConnected } from '../src/stay-connected.ts'

function driver(failures = 0) {
  const said: string[] = []
  const events = new EventEmitter()
  const client: Connectable = Object.assign(events, {
    connect: () => {
      said.push('connect')
      return said.filter((word) => word === 'connect').length > failures
        ? Promise.resolve()
        : Promise.reject(new Error('away'))
    },
    close: () => Promise.resolve(void said.push('close')),
  })
  return { client, said, events }
}

test('a client that could not connect at first is told to try again', async () => {
  const { client, said } = driver(2)
  const close = stayConnected(client)
  await until(() => said.length === 3)
  await close()
  expect(said).toEqual(['connect', 'connect', 'connect', 'close'])
})

test('a heartbeat that never ends closes the client and connects it anew; one that ends does not', async () => {
  const { client, said, events } = driver()
  const close = stayConnected(client, { hungMs: 50 })
  for (const end of ['serverHeartbeatSucceeded', 'serverHeartbeatFailed']) {
    events.emit('serverHeartbeatStarted')
    events.emit(end)
  }
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(said).toEqual(['connect'])
  events.emit('serverHeartbeatStarted')
  await until(() => said.length === 3)
  expect(said).toEqual(['connect', 'close', 'connect'])
  events.emit('serverHeartbeatStarted')
  await close()
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(said).toEqual(['connect', 'close', 'connect', 'close'])
  expect(events.eventNames()).toEqual([])
})
