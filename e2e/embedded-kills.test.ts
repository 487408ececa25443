/**
 * The embedded servers are killed while databases, collections, indexes and streams come and go. After every
 * kill they start, each of them is as it was before the command that was under way or as it is after it, and
 * work goes on under the same names. The long tests kill 500 times.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLong, until } from '@stateeval/testkit'
import { type EmbeddedProcess, embeddedProcess } from './embedded-process.ts'
import { churnDatabase } from './churn/database.ts'
import { churnStreams } from './churn/streams.ts'

const kills = isLong ? 500 : 12
let servers: EmbeddedProcess

beforeAll(async () => {
  servers = await embeddedProcess()
})
afterAll(() => servers?.remove())

/** Kills it during some of the starts, too: what a start mends may be cut short like everything else. */
async function startAgain(): Promise<void> {
  if (Math.random() < 0.3) {
    const cut = servers.start().catch(() => undefined)
    await sleep(Math.random() * 120)
    await servers.end('SIGKILL')
    await cut
  }
  await servers.start()
}

test(`killed ${kills} times while databases and streams come and go`, async () => {
  const databases = ['first', 'second', 'third'].map((name) => churnDatabase(name))
  const streams = churnStreams()
  const commands = () => [...databases, streams].reduce((sum, { done }) => sum + done(), 0)
  const cutShort: Record<string, number> = {}
  for (let kill = 0; kill < kills; kill++) {
    await startAgain()
    await servers.withMongo(async (client) => {
      for (const churn of databases) await churn.check(client)
    })
    await servers.withNats((connection) => streams.check(connection))
    const before = commands()
    let killed = false
    const isKilled = () => killed
    const working = Promise.allSettled([
      servers.withMongo((client) => Promise.all(databases.map((churn) => churn.work(client, isKilled)))),
      servers.withNats((connection) => streams.work(connection, isKilled)),
    ])
    await sleep(10 + Math.random() * 140)
    await until(() => commands() > before)
    killed = true
    await servers.end('SIGKILL')
    for (const result of await working)
      if (result.status === 'fulfilled') throw new Error('work ended before the kill')
    for (const { underWay } of [...databases, streams]) cutShort[underWay()] = (cutShort[underWay()] ?? 0) + 1
  }
  await servers.start()
  await servers.withMongo(async (client) => {
    for (const churn of databases) await churn.check(client)
  })
  await servers.withNats((connection) => streams.check(connection))
  expect(await servers.end('SIGTERM')).toBe(0)
  console.log(
    `${kills} kills, ${commands()} commands answered; under way at a kill: ${JSON.stringify(cutShort)}`,
  )
  expect(commands()).toBeGreaterThan(kills)
})
