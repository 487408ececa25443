/** NATS behind a network that breaks connections at the worst moment. */
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'
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
}, 200_000)
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
