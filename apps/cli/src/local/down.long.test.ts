/** `down` gives services the time that their settings say. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit'
import { stopSuite } from './down.ts'
import { startDetached } from './process.ts'
import { type StatePart, writeState } from './state.ts'

/** Ends so many seconds after it was told to, as a service with work in flight. */
const slowly = (seconds: number) =>
  `process.on('SIGTERM', () => setTimeout(() => process.exit(0), ${seconds * 1000})); setInterval(() => {}, 1000); console.log('ready')`

test.each([
  ['by default', {}, 'ended'],
  ['with a short grace', { STATEEVAL_GRACE_SECONDS: '0' }, 'killed'],
] as const)('a service with eleven seconds of work in flight, %s: %j', async (_, settings, how) => {
  const home = await mkdtemp(join(tmpdir(), 'stateeval-down-'))
  try {
    const log = join(home, 'logs/scoring.log')
    const id = await startDetached({
      ...{ file: process.execPath, args: ['-e', slowly(11)], env: process.env, cwd: home, log },
    })
    await until(async () => (await readFile(log, 'utf8')).includes('ready'))
    const part: StatePart = {
      ...{ ...id, name: 'scoring', urls: {}, ports: {}, version: '', log, settings: '' },
      since: new Date().toISOString(),
    }
    const namespace = 'down-test'
    await writeState(home, { schema: 1, namespace, mongodb: 'embedded', nats: 'embedded', parts: [part] })
    expect(await stopSuite({ home, env: settings, folder: home })).toEqual([{ name: 'scoring', how }])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
