/** The process on its own, as `stateeval serve session-service` starts it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listOwners } from '@stateeval/testkit/end-with-owner'
import { until } from '@stateeval/testkit/until'
import { readConfig } from '../config.ts'
import { startDatabase, type TestDatabase } from './service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())

const main = join(import.meta.dirname, '../main.ts')
const start = (env: Record<string, string>) =>
  spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...listOwners(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const ended = (child: ReturnType<typeof start>) =>
  new Promise<number | null>((resolve) => child.once('exit', resolve))

test('it listens, answers, and stops cleanly on SIGTERM', async () => {
  const child = start({ MONGODB_URI: database.servers.mongoUri, PORT: '0', SESSIONS_DATABASE: 'standalone' })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text.toString())?.[0]
      if (address) resolve(address)
    })
    child.stderr.on('data', (text: Buffer) => reject(new Error(text.toString())))
  })
  const path = `${url}/api/sessions/portal/settings`
  // Two seconds for the first connection can be too few on a busy machine: it says 503, and to try again.
  await until(async () => (await fetch(path)).ok)
  const added = await fetch(path, { method: 'POST', body: '{"title":"Overview"}' })
  const listed = await fetch(path)
  expect(await listed.json()).toEqual([
    { ...((await added.json()) as object), data: { title: 'Overview' }, source: 'portal', type: 'settings' },
  ])
  expect(await (await fetch(`${url}/info`)).text()).toBe('1.0.0')
  child.kill('SIGTERM')
  expect(await ended(child)).toBe(0)
  await database.client.db('standalone').dropDatabase()
})

test('a setting that doesn’t fit is named, without a stack', async () => {
  const child = start({ PORT: 'many' })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  expect(await ended(child)).toBe(2)
  expect(text).toContain('PORT=many')
  expect(text).not.toContain('    at ')
})

test('nobody on other machines is served unless a setting says so', () => {
  expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/HOST=0\.0\.0\.0 is reachable.*STATEEVAL_ACCESS=open/)
  expect(readConfig({ HOST: '0.0.0.0', STATEEVAL_ACCESS: 'open' }).http.host).toBe('0.0.0.0')
})

test('defaults suit one machine', () => {
  expect(readConfig({})).toEqual({
    http: { host: '127.0.0.1', port: 7410 },
    log: { level: 'info' },
    mongo: { uri: 'mongodb://127.0.0.1:27017', database: 'session_service' },
  })
})
