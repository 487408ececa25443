/** `doctor --deep` on a suite that works, on one that lacks a service, and on one with a broken queue. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { subjects } from '@stateeval/contracts'
import { createLog, startService } from '@stateeval/service-kit'
import { scoring } from '@stateeval/service-scoring'
import { stateeval, startSuite, type Suite } from '@stateeval/testkit'
import { connect } from 'nats'
import { readProcessStart } from '../apps/cli/src/local/process.ts'
import { writeState } from '../apps/cli/src/local/state.ts'
import { buildBusNames as namesOf } from '../packages/service-kit/src/bus/names.ts'

let suite: Suite
let home: string
beforeAll(async () => {
  suite = await startSuite()
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  home = await mkdtemp(join(tmpdir(), 'stateeval-doctor-'))
  process.env['STATEEVAL_HOME'] = home
  const part = {
    pid: process.pid,
    startedAs: readProcessStart(process.pid)!,
    ports: {},
    version: '0',
    since: '',
    log: '',
    settings: '',
  }
  await writeState(home, {
    ...{ schema: 1, namespace: suite.env['STATEEVAL_NAMESPACE']!, mongodb: 'embedded', nats: 'embedded' },
    parts: Object.entries(suite.urls).map(([name, http]) => ({ ...part, name, urls: { http } })),
  })
})
afterAll(async () => {
  await suite?.stop()
  await rm(home, { recursive: true, force: true })
})

/** What it finds of the running suite, by name; the rest depends on this machine. */
async function examine(...options: string[]): Promise<Record<string, { status: string; detail: string }>> {
  const { value } = await stateeval('doctor', '--deep', ...options, '--json')
  const { findings } = value as { findings: { what: string; status: string; detail: string }[] }
  return Object.fromEntries(findings.map(({ what, status, detail }) => [what, { status, detail }]))
}
const queues = Object.values(subjects).map((subject) => `queue ${subject.slice('jobs.'.length)}`)

test('each queue, the store and the clocks of a suite that works are found to work', async () => {
  const findings = await examine()
  for (const what of [
    ...queues,
    'version of MongoDB',
    'version of NATS',
    'store',
    'clock of MongoDB',
    'clock of scoring',
    'state',
    'home',
  ])
    expect({ what, ...findings[what] }).toMatchObject({ what, status: 'ok' })
  expect((await stateeval('doctor', '--repair')).err).toContain('--repair belongs to --deep')
})

test('a service that is away and a queue that would never deliver are named, and repaired', async () => {
  await suite.services['scoring']!.stop()
  const names = namesOf(suite.env['STATEEVAL_NAMESPACE']!)
  const connection = await connect({ servers: suite.servers.natsUrl })
  try {
    const manager = await connection.jetstreamManager()
    const name = names.consumer(subjects.score)
    const { config } = await manager.consumers.info(names.jobs, name)
    await manager.consumers.delete(names.jobs, name)
    await manager.consumers.add(names.jobs, { ...config, filter_subject: names.job(subjects.score, 'other') })
  } finally {
    await connection.close()
  }
  const what = 'queue scoring.score'
  expect((await examine())[what]).toEqual({
    status: 'missing',
    detail: expect.stringContaining('Start scoring, or look at its log'),
  })
  expect((await examine('--repair'))[what]).toEqual({
    status: 'missing',
    detail: expect.stringContaining('replaced its consumer: its consumer left out'),
  })
  const again = await startService(scoring, {
    env: { ...suite.env, PORT: new URL(suite.urls['scoring']!).port },
    log: createLog('scoring', { level: 'silent' }),
  })
  try {
    await again.platform.bus.ready()
    expect((await examine())[what]).toMatchObject({ status: 'ok' })
  } finally {
    await again.stop()
  }
})
