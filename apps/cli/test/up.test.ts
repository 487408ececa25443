import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceNames } from '@stateeval/contracts'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { takeFirstPorts } from '@stateeval/testkit'
import { patience } from '@stateeval/testkit/patience'
import { computeSettingsHash } from '../src/local/environment.ts'
import { type MachineExamination, formatLanguageLines, type MachineRuntime } from '../src/local/machine.ts'
import { isAlive } from '../src/local/process.ts'
import { readState, type InstallationFileState, writeState } from '../src/local/state.ts'
import { readStatus } from '../src/local/status.ts'
import { createHome, type Home, withoutPython, withPython } from './stand-ins.ts'

let one: Home
beforeEach(async () => {
  one = await createHome()
})
afterEach(() => one.remove())

const pids = (state: InstallationFileState) =>
  Object.fromEntries(state.parts.map(({ name, pid }) => [name, pid]))
const part = (state: InstallationFileState, name: string) =>
  state.parts.find((candidate) => candidate.name === name)!
const ask = async (state: InstallationFileState, name: string) =>
  (await (await fetch(`${part(state, name).urls.http}/health/ready`)).json()) as Record<string, unknown>
/** A moment of this test, as `up` shows it: a day and a time. */
const minute = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
const kill = async (state: InstallationFileState, name: string) => {
  process.kill(part(state, name).pid, 'SIGKILL')
  while (isAlive(part(state, name))) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('up starts servers and services, and a second up finds them', async () => {
  const state = await one.up()
  expect(state.parts.map(({ name }) => name)).toEqual(['embedded-servers', ...serviceNames])
  expect(await readStatus(one)).toEqual(
    state.parts.map(({ name, pid }) => expect.objectContaining({ name, pid, status: 'up' })),
  )
  const servers = part(state, 'embedded-servers')
  expect(await ask(state, 'scoring')).toMatchObject({
    MONGODB_URI: servers.urls.mongodb,
    NATS_URL: servers.urls.nats,
    STATEEVAL_NAMESPACE: state.namespace,
  })
  expect(pids(await one.up())).toEqual(pids(state))
  expect(one.steps).toEqual([])
})

test('what has died is started again where it was, the rest stays', async () => {
  // Other tests on this machine want these ports too, and would get one that is free for a moment.
  const giveBack = await takeFirstPorts()
  const state = await one.up().finally(giveBack)
  for (const name of ['embedded-servers', 'execution']) await kill(state, name)
  expect((await readStatus(one)).filter(({ status }) => status === 'down').map(({ name }) => name)).toEqual([
    'embedded-servers',
    'execution',
  ])
  const again = await one.up()
  const changed = again.parts.filter(({ name, pid }) => pids(state)[name] !== pid).map(({ name }) => name)
  expect(changed).toEqual(['embedded-servers', 'execution'])
  expect(again.parts.map(({ ports }) => ports)).toEqual(state.parts.map(({ ports }) => ports))
  expect(one.steps).toEqual(
    ['embedded-servers', 'execution'].map((name) =>
      expect.stringMatching(`^${name}: ended unexpectedly after ${minute} UTC`),
    ),
  )
})

test('what down has ended is started again without a word of an error, also where it had died before', async () => {
  const state = await one.up()
  await kill(state, 'scoring')
  await one.down()
  await one.up()
  expect(one.steps).toEqual([])
  await kill(readState(one.home)!, 'scoring')
  await one.up()
  expect(one.steps).toEqual([expect.stringMatching(/^scoring: ended unexpectedly/)])
})

test('execution is started anew when programs would get another Python, and nothing else is', async () => {
  const restarted = async (machine: Home['machine']) => {
    const before = pids(readState(one.home)!)
    one.machine = machine
    const after = pids(await one.up())
    return Object.keys(after).filter((name) => after[name] !== before[name])
  }
  one.machine = withoutPython('it has no requests')
  await one.up()
  expect(await restarted(withoutPython('it has no requests'))).toEqual([])
  expect(await restarted(withPython('/usr/bin/python3'))).toEqual(['execution'])
  expect(await restarted(withPython('/usr/bin/python3'))).toEqual([])
  expect(await restarted(withPython('/opt/python/bin/python3'))).toEqual(['execution'])
  // Nothing is known: no reason to stop what works.
  expect(await restarted({ problem: 'it did not answer' })).toEqual([])
  expect(one.steps).toEqual(Array(2).fill('execution: the Python of this machine has changed, restarting'))
})

test('languages are told with what runs them, or why they do not run', () => {
  const lines = (machine: MachineExamination) => formatLanguageLines(machine as MachineRuntime)
  expect(lines(withPython('/usr/bin/python3'))).toEqual([
    'javascript: Node v24.0.0',
    'python: Python 3.11.2 (/usr/bin/python3)',
  ])
  expect(lines(withoutPython('it has no requests'))).toEqual([
    'javascript: Node v24.0.0',
    'python: unavailable. it has no requests. Install it.',
  ])
  const machine = withPython('/usr/bin/python3') as MachineRuntime
  const passedOver = { path: '/opt/x', source: 'STATEEVAL_PYTHON', problem: 'it has no requests' } as const
  expect(
    formatLanguageLines({ ...machine, interpreters: [passedOver, ...machine.interpreters] }).at(-1),
  ).toBe(
    'STATEEVAL_PYTHON names /opt/x, which cannot run programs: it has no requests. /usr/bin/python3 is used instead.',
  )
})

test('two at once start each part once', async () => {
  const [a, b] = await Promise.all([one.up(), one.up()])
  expect(pids(a)).toEqual(pids(b))
})

test('two homes do not collide', async () => {
  const other = await createHome()
  try {
    const [a, b] = await Promise.all([one.up(), other.up()])
    const ports = [...a.parts, ...b.parts].flatMap((part) => Object.values(part.ports))
    expect(new Set(ports).size).toBe(ports.length)
    expect(a.namespace).not.toBe(b.namespace)
    await other.down()
    expect((await readStatus(one)).every(({ status }) => status === 'up')).toBe(true)
  } finally {
    await other.remove()
  }
})

test('down ends the processes and keeps the data, purge removes them', async () => {
  const state = await one.up()
  expect(await one.down()).toEqual(
    [...serviceNames, 'embedded-servers'].map((name) => ({ name, how: 'ended' })),
  )
  expect(state.parts.some(isAlive)).toBe(false)
  expect(existsSync(join(one.home, 'data/embedded'))).toBe(true)
  expect((await readStatus(one)).every(({ status }) => status === 'down')).toBe(true)
  expect((await one.down()).every(({ how }) => how === 'gone already')).toBe(true)
  await one.down(true)
  expect(['data', 'logs', 'state.json'].filter((name) => existsSync(join(one.home, name)))).toEqual([])
  expect(await readStatus(one)).toEqual([])
})

test('what does not end on TERM is killed after the grace', async () => {
  one.env.STATEEVAL_TEST_DEAF = 'yes'
  await one.up()
  const ended = await one.down(false, 300)
  expect(ended.find(({ name }) => name === 'scoring')).toEqual({ name: 'scoring', how: 'killed' })
})

test("a reused pid isn't mistaken for a part", async () => {
  const state = await one.up()
  await kill(state, 'scoring')
  part(state, 'scoring').pid = process.pid // as if the system had given the pid to this test
  await writeState(one.home, state)
  expect((await readStatus(one)).find(({ name }) => name === 'scoring')?.status).toBe('down')
  expect((await one.down()).find(({ name }) => name === 'scoring')?.how).toBe('gone already')
})

test('a taken port is avoided', async () => {
  const before = await one.up()
  await one.down()
  const blocker = createServer().listen(part(before, 'evaluation').ports.http, '127.0.0.1')
  await once(blocker, 'listening')
  try {
    const state = await one.up()
    expect(part(state, 'evaluation').ports.http).not.toBe(part(before, 'evaluation').ports.http)
  } finally {
    blocker.close()
  }
})

test('a port that somebody takes between the choice and the start is given up for another one', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  Object.assign(one.env, {
    STATEEVAL_TEST_TAKEN: String(port),
    STATEEVAL_TEST_TRIED: join(one.home, 'tried'),
  })
  const entryOf = (name: string) =>
    join(import.meta.dirname, 'fixtures', name === 'scoring' ? 'late-service.mjs' : 'service.mjs')
  try {
    const state = await one.up({ entryOf })
    expect(await ask(state, 'scoring')).toHaveProperty('pid', part(state, 'scoring').pid)
    expect(one.steps).toEqual([expect.stringMatching(/^scoring: another process took port \d+/)])
  } finally {
    blocker.close()
  }
})

test('changed settings restart the services, .env is read, the environment wins, the extra CA file is dropped', async () => {
  const before = await one.up()
  await writeFile(join(one.home, '.env'), 'STATEEVAL_TEST_MARK=file\nSTATEEVAL_NAMESPACE=of-file\n')
  Object.assign(one.env, { STATEEVAL_NAMESPACE: 'of-env', NODE_EXTRA_CA_CERTS: '/dev/null' })
  const state = await one.up()
  expect(await ask(state, 'scoring')).toMatchObject({
    STATEEVAL_TEST_MARK: 'file',
    STATEEVAL_NAMESPACE: 'of-env',
  })
  expect(await ask(state, 'scoring')).not.toHaveProperty('NODE_EXTRA_CA_CERTS')
  expect(await ask(state, 'scoring')).toMatchObject({ STATEEVAL_MODEL_NETWORKS: 'loopback' })
  one.env.STATEEVAL_MODEL_NETWORKS = ''
  expect(await ask(await one.up(), 'scoring')).toMatchObject({ STATEEVAL_MODEL_NETWORKS: '' })
  expect(part(state, 'embedded-servers').pid).toBe(part(before, 'embedded-servers').pid)
})

test('services are started anew for settings and keys of theirs, not for what only this command reads', () => {
  const env = { MONGODB_URI: 'mongodb://127.0.0.1', STATEEVAL_KEY_NAMES: 'MY_KEY, OTHER' }
  const ownNames = [
    'STATEEVAL_LOCAL_BINARY',
    'STATEEVAL_HOME',
    'STATEEVAL_URL',
    'STATEEVAL_DATASETS',
    'STATEEVAL_EXECUTION_URL',
    'PATH',
    'PORT',
  ]
  for (const name of ownNames)
    expect([name, computeSettingsHash({ ...env, [name]: 'x' })]).toEqual([name, computeSettingsHash(env)])
  const theirs = [
    'MONGODB_URI',
    'STATEEVAL_WINDOW',
    'STATEEVAL_MODELS_FILE',
    'STATEEVAL_KEY_MINE',
    'STATEEVAL_KEY_MINE_HOSTS',
    'MY_KEY',
    'MY_KEY_HOSTS',
    'STATEEVAL_MODEL_NETWORKS',
    'LOG_LEVEL',
    'https_proxy',
    'NODE_USE_ENV_PROXY',
  ]
  for (const name of theirs)
    expect([name, computeSettingsHash({ ...env, [name]: 'x' })]).not.toEqual([name, computeSettingsHash(env)])
})

test('a service that ends at once is shown with its last words and what to do', async () => {
  const broken = join(one.home, 'broken.mjs')
  await writeFile(broken, "console.error('settings: STATEEVAL_SECRET is missing: set it'); process.exit(1)\n")
  const entryOf = (name: string) =>
    name === 'scoring' ? broken : join(import.meta.dirname, 'fixtures/service.mjs')
  const failed = one.up({ entryOf })
  await expect(failed).rejects.toThrow(/^scoring stopped right after its start/)
  await expect(failed).rejects.toThrow(/STATEEVAL_SECRET is missing: set it/)
  await expect(failed).rejects.toThrow(/npx stateeval up/)
})

test("a service that never gets ready is named after the time that it's given", async () => {
  const mute = join(one.home, 'mute.mjs')
  await writeFile(mute, 'setInterval(() => {}, 1000)\n')
  const entryOf = (name: string) =>
    name === 'scoring' ? mute : join(import.meta.dirname, 'fixtures/service.mjs')
  await expect(one.up({ entryOf, timeoutMs: patience(2000) })).rejects.toThrow(
    /^scoring is not ready after \d+ s\. It reports: connect ECONNREFUSED/,
  )
})

test('servers of the user are used; one that is away is named without its password', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  try {
    Object.assign(one.env, {
      MONGODB_URI: `mongodb://me:secret@127.0.0.1:${port}/`,
      NATS_URL: `nats://127.0.0.1:${port}`,
    })
    const state = await one.up()
    expect(state).toMatchObject({ mongodb: 'external', nats: 'external' })
    expect(state.parts.map(({ name }) => name)).toEqual(serviceNames)
    expect(await readFile(join(one.home, 'state.json'), 'utf8')).not.toContain('secret')
    expect((await readStatus(one))[0]).toMatchObject({
      name: 'mongodb',
      status: 'up',
      url: `mongodb://127.0.0.1:${port}`,
    })
  } finally {
    server.close()
  }
  await one.down()
  const failed = one.up()
  await expect(failed).rejects.toThrow(/MONGODB_URI names 127\.0\.0\.1:\d+, where nothing answers/)
  await expect(failed).rejects.not.toThrow(/secret/)
})

test('an unreadable state file is a message, not a crash', async () => {
  await writeFile(join(one.home, 'state.json'), '{"schema":')
  expect(() => readState(one.home)).toThrow(/state\.json cannot be read/)
  await rm(join(one.home, 'state.json'))
})
