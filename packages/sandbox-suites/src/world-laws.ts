/**
 * Laws of every World, and of one with an HTTP channel. Call inside a test file; the adapter is made once.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import fc from 'fast-check'
import { completeLimits, InitialError, type OpenWorld, type SandboxWorld } from '@stateeval/sandbox'

const seed = '0123456789abcdef'.repeat(2)

interface WorldSamples {
  /** An initial world, and another one. */
  initial: readonly [JsonValue, JsonValue]
  /** An initial state that the world's form doesn't allow. */
  wrong: JsonValue
  /** A request that changes the state and is answered 2xx. */
  change: { method: string; path: string; body: JsonValue }
}

/** A server of this machine whose connections are handed to a channel, as the sandbox does it. */
async function gate(world: OpenWorld): Promise<{ port: number; close(): Promise<void> }> {
  const { channel } = world
  if (channel.kind !== 'http') throw new Error('these laws are for worlds with an HTTP channel')
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    channel.accept(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  return { port, close }
}

export function worldLaws(
  name: string,
  make: () => Promise<SandboxWorld>,
  { initial, wrong, change }: WorldSamples,
) {
  describe(`${name} holds the world laws`, () => {
    let world: SandboxWorld
    beforeAll(async () => {
      world = await make()
    })
    afterAll(() => world?.close())
    const limits = completeLimits()
    const send = (port: number) =>
      fetch(`http://127.0.0.1:${port}${change.path}`, {
        method: change.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change.body),
      })

    async function within<T>(
      start: JsonValue,
      work: (open: OpenWorld, port: number) => Promise<T>,
      some = limits,
    ): Promise<T> {
      const open = await world.open(start, some, seed)
      const door = await gate(open)
      try {
        return await work(open, door.port)
      } finally {
        await door.close()
        await open.close()
      }
    }

    test('the same initial world has the same state and ids in every run', async () => {
      const observeWorld = async () => within(initial[0], async (open) => (await open.observe()).world)
      expect(await observeWorld()).toEqual(await observeWorld())
    })
    test('a request changes the state, is logged, and faults nothing', async () => {
      const before = await within(initial[0], (open) => open.observe())
      const after = await within(initial[0], async (open, port) => {
        expect((await send(port)).ok).toBe(true)
        return open.observe()
      })
      expect(after.world.state).not.toEqual(before.world.state)
      expect(after.world.ids.initial).toEqual(before.world.ids.initial)
      expect(after.log).toHaveLength(1)
      expect(after.log[0]).toMatchObject({ method: change.method, path: change.path })
      expect([before.faults, after.faults]).toEqual([[], []])
    })
    test('worlds that are open at once don’t meet, nor do those after one another', async () => {
      const plain = await within(initial[1], (open) => open.observe())
      const other = await within(initial[0], async (_, port) => {
        await send(port)
        return within(initial[1], (open) => open.observe())
      })
      expect(other.world).toEqual(plain.world)
      expect((await within(initial[1], (open) => open.observe())).world).toEqual(plain.world)
    })
    test('more requests than the limit are told', async () => {
      const observation = await within(
        initial[0],
        async (open, port) => {
          for (let i = 0; i < 5; i++) await send(port).catch(() => {})
          return open.observe()
        },
        { ...limits, requests: 3 },
      )
      expect(observation.exceeded).toBe('requests')
    })
    test('noise on a connection harms nobody', async () => {
      const observation = await within(initial[0], async (open, port) => {
        const noise = connect(port, '127.0.0.1').on('error', () => {})
        noise.write('\u0000\u0001 nonsense\r\n\r\n')
        await new Promise((resolve) => noise.on('close', resolve).on('end', resolve).resume())
        expect((await send(port)).ok).toBe(true)
        return open.observe()
      })
      expect(observation.faults).toEqual([])
    })
    test('a wrong initial world is refused with words', async () => {
      await expect(world.open(wrong, limits, seed)).rejects.toThrow(InitialError)
      expect((await within(initial[0], (open) => open.observe())).faults).toEqual([])
    })
    test('closing twice is closing once', async () => {
      const open = await world.open(initial[0], limits, seed)
      await Promise.all([open.close(), open.close()])
    })
  })
}

interface ReplaySamples<Entry> {
  initial: JsonValue
  /** One thing that is asked of the world. */
  entry: fc.Arbitrary<Entry>
  /** Asks it and gives the reply, to the byte. `replies`: those so far, where the entry takes an id from. */
  send: (open: OpenWorld, entry: Entry, replies: readonly string[]) => Promise<string>
}

/** The law of replays: the same seed and the same log give the same reply bytes, and leave the same world. */
export function replayLaw<Entry>(
  name: string,
  make: () => Promise<SandboxWorld>,
  { initial, entry, send }: ReplaySamples<Entry>,
) {
  describe(`${name} holds the law of replays`, () => {
    let world: SandboxWorld
    beforeAll(async () => {
      world = await make()
    })
    afterAll(() => world?.close())

    const opened = (from: string) => world.open(initial, completeLimits(), from)
    async function collectReplies(open: OpenWorld, entries: readonly Entry[]) {
      const replies: string[] = []
      for (const one of entries) replies.push(await send(open, one, replies))
      return replies
    }
    async function play(entries: readonly Entry[], from: string) {
      const open = await opened(from)
      try {
        return { replies: await collectReplies(open, entries), ...(await open.observe()) }
      } finally {
        await open.close()
      }
    }

    // Also beside a world that another replica left open half-way.
    test('the same seed and log give the same bytes', async () => {
      const log = fc.array(entry, { minLength: 1, maxLength: 12 })
      const seeds = fc.stringMatching(/^[0-9a-f]{32}$/)
      const holds = fc.asyncProperty(log, seeds, fc.nat(12), async (entries, from, lostAt) => {
        const expected = await play(entries, from)
        const lost = await opened(from)
        try {
          const replies = await collectReplies(lost, entries.slice(0, lostAt))
          expect(replies).toEqual(expected.replies.slice(0, lostAt))
          expect(await play(entries, from)).toEqual(expected)
        } finally {
          await lost.close()
        }
      })
      await fc.assert(holds, { numRuns: process.env['STATEEVAL_LONG'] === '1' ? 400 : 25 })
    })
  })
}

/** Sends one HTTP request over a connection of its own and gives the answer as it came. */
export async function sendRaw(
  { channel }: OpenWorld,
  { method, path, body = '' }: { method: string; path: string; body?: string },
): Promise<string> {
  if (channel.kind !== 'http') throw new Error('the world has no HTTP channel')
  const [ours, theirs] = duplexPair()
  channel.accept(theirs)
  ours.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const chunks: Buffer[] = []
  for await (const chunk of ours) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

/** Calls a tool and gives its reply as JSON text. */
export const callTool = async (open: OpenWorld, name: string, args: JsonObject): Promise<string> =>
  JSON.stringify(await open.call!(name, args))
