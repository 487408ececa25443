/**
 * The client is connected again where its own watch hangs; the driver is a part that never ends a heartbeat
 * on demand.
 */
import { EventEmitter } from 'node:events'
import { expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit'
import { type Connectable, stayConnected } from '../src/stay-connected.ts'

function driver(failures = 0) {
  const calls: string[] = []
  const events = new EventEmitter()
  const client: Connectable = Object.assign(events, {
    connect: () => {
      calls.push('connect')
      return calls.filter((word) => word === 'connect').length > failures
        ? Promise.resolve()
        : Promise.reject(new Error('away'))
    },
    close: () => Promise.resolve(void calls.push('close')),
  })
  return { client, calls, events }
}

test('a client that could not connect at first is told to try again', async () => {
  const { client, calls } = driver(2)
  const close = stayConnected(client)
  await until(() => calls.length === 3)
  await close()
  expect(calls).toEqual(['connect', 'connect', 'connect', 'close'])
})

test('a heartbeat that never ends closes the client and connects it anew; one that ends does not', async () => {
  const { client, calls, events } = driver()
  const close = stayConnected(client, { hungMs: 50 })
  for (const end of ['serverHeartbeatSucceeded', 'serverHeartbeatFailed']) {
    events.emit('serverHeartbeatStarted')
    events.emit(end)
  }
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(calls).toEqual(['connect'])
  events.emit('serverHeartbeatStarted')
  await until(() => calls.length === 3)
  expect(calls).toEqual(['connect', 'close', 'connect'])
  events.emit('serverHeartbeatStarted')
  await close()
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(calls).toEqual(['connect', 'close', 'connect', 'close'])
  expect(events.eventNames()).toEqual([])
})
