/** NATS behind a network that breaks connections at the worst moment. */
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLong, namespace, serverProcess, type Servers, startServers, until } from '@stateeval/testkit'
import { openBus } from '../src/bus/index.ts'
import { createLog } from '../src/index.ts'

let servers: Servers
let proxy: Server
/** How many connections from now on end in the moment when the server has greeted for good (its PONG). */
let breaks = 0
let broken = 0
const sockets = new Set<Socket>()

beforeAll(async () => {
  servers = await startServers()
  proxy = createServer((near) => {
    const far = dial(Number(new URL(servers.natsUrl).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (data: Buffer) => {
      if (breaks > 0 && data.includes('PONG')) {
        breaks--
        broken++
        near.end(data)
      } else near.write(data)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => proxy.close(resolve))
  await servers?.stop()
})

test('the bus comes back, also where a connection breaks in the moment in which it was made again', async () => {
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const bus = openBus({
    nats: { url: `nats://127.0.0.1:${port}` },
    namespace: namespace(),
    name: 'test',
    log: createLog('test', { level: 'silent' }),
    hungMs: 2000,
  })
  try {
    await bus.ready()
    for (let round = 0; round < 5; round++) {
      breaks = 3
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      await until(() => breaks === 0 && bus.connected)
    }
    expect(broken).toBe(15)
    await bus.publishJob('jobs.scoring.score', { id: 'after', payload: { inline: 1 } })
  } finally {
    await bus.close()
  }
})

test('the bus comes back from a broker that was stopped for a while, and is closed before one', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stateeval-stopped-'))
  const nats = await serverProcess('nats', { data })
  await nats.start()
  const bus = openBus({
    nats: { url: `nats://127.0.0.1:${nats.port}` },
    namespace: namespace(),
    name: 'test',
    log: createLog('test', { level: 'silent' }),
    hungMs: 1000,
  })
  try {
    for (const [round, ms] of (isLong ? [60_000, 16_000, 500, 4000] : [500, 4000]).entries()) {
      await bus.ready()
      nats.signal('SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      nats.signal('SIGCONT')
      await until(() =>
        bus.publishJob('jobs.scoring.score', { id: `round-${round}`, payload: { inline: 1 } }).then(
          () => true,
          () => false,
        ),
      )
    }
    nats.signal('SIGSTOP')
  } finally {
    await bus.close()
    await nats.end()
    await rm(data, { recursive: true, force: true })
  }
})
