/**
 * Many programs in a row on one sandbox, one in ten hostile, one in five against real session services, leave
 * nothing behind: no process, control group, file, descriptor, world, database or memory. STATEEVAL_LONG=1
 * runs 10,000, or as many as STATEEVAL_PROGRAMS says, and reports what grows per thousand; else some dozens,
 * and only counts are held.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Language } from '@stateeval/contracts'
import { isLong, liveHeapMiB, startServers } from '@stateeval/testkit'
import { MongoClient } from 'mongodb'
import { attacks } from '@stateeval/attacks'
import { ordinaryPrograms } from './programs.ts'
import { createSuiteWorld } from './world.ts'
import { listDescendants, readMemory } from '@stateeval/jail'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { createSessionWorld } from '@stateeval/scenario-session-service/backend'

const programs = isLong ? Number(process.env['STATEEVAL_PROGRAMS'] ?? 10_000) : 40
const hostileEvery = 10
const sessionsEvery = 5
const atATime = 2
const sessions: Record<Language, string> = {
  javascript:
    'const axios = require("axios"); const all = `${BASE_URL}/api/sessions/soak/settings`; const { data } = await axios.post(all, { n }); RESULT = (await axios.get(all)).data.length; if (n % 2) await axios.delete(`${all}/${data.id}`)',
  python:
    'import requests\nall = f"{BASE_URL}/api/sessions/soak/settings"\nid = requests.post(all, json={"n": n}).json()["id"]\nRESULT = len(requests.get(all).json())\nif n % 2: requests.delete(f"{all}/{id}")',
}

/** What there is of a kind now. */
interface Count {
  processes: number
  descriptors: number
  files: number
  /** Control groups that this process has made. */
  groups: number
  worlds: number
  databases: number
  /** What is alive in this process after a collection. */
  heapMiB: number
  rssMiB: number
  /** Of its own, in all processes of jails. */
  jailsMiB: number
}
/** A process’s command line, cut; empty where it has ended. */
function command(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)
  } catch {
    return ''
  }
}
/** Below the groups that this process is in, of whichever hierarchies. */
function groups(): number {
  const mine = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  const folders = mine
    .map((line) => line.split(':'))
    .map(([, names, path]) => join('/sys/fs/cgroup', names ?? '', path ?? ''))
  const inside = (folder: string) => {
    try {
      return readdirSync(folder).filter((name) => name.startsWith(`stateeval-${process.pid}-`)).length
    } catch {
      return 0
    }
  }
  return folders.reduce((sum, folder) => sum + inside(folder), 0)
}
/** Growth per thousand programs, by least squares. */
function slope(points: readonly { done: number; value: number }[]): number {
  const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length
  const [x, y] = [mean(points.map(({ done }) => done)), mean(points.map(({ value }) => value))]
  const [up, down] = [
    points.reduce((sum, { done, value }) => sum + (done - x) * (value - y), 0),
    points.reduce((sum, { done }) => sum + (done - x) ** 2, 0),
  ]
  return down === 0 ? 0 : (1000 * up) / down
}

test(`${programs} programs, one in ${hostileEvery} hostile, leave nothing behind`, async () => {
  const servers = await startServers()
  const before = new Set(listDescendants(process.pid))
  /**
   * What runs below this process since then, but not below what ran already. The bundler stays with whoever
   * has bundled, as it did with the tests before this one.
   */
  const started = () => {
    const others = new Set([...before].flatMap((pid) => [pid, ...listDescendants(pid)]))
    return listDescendants(process.pid).filter((pid) => !others.has(pid))
  }
  const ours = () =>
    started()
      .map((pid) => command(pid))
      .filter((line) => !line.includes('/esbuild '))
  // A folder of its own tells whether files stay there; preparing it takes two seconds.
  const cache = isLong ? mkdtempSync(join(tmpdir(), 'stateeval-soak-')) : undefined
  const world = createSuiteWorld()
  const mongodb = await new MongoClient(servers.mongoUri).connect()
  const prefix = `soak${process.pid}`
  const sessionWorld = createSessionWorld({ mongodb, prefix, poolSize: atATime })
  /**
   * Those that hold something: an emptied one has gone from MongoDB, and is an empty file of the embedded
   * server.
   */
  const databases = async () => {
    const all = (await mongodb.db().admin().listDatabases({ nameOnly: true })).databases
    const ours = all.filter(({ name }) => name.startsWith(`${prefix}_sessions_`))
    const collections = await Promise.all(
      ours.map(({ name }) => mongodb.db(name).listCollections({}, { nameOnly: true }).toArray()),
    )
    return collections.filter(({ length }) => length > 0).length
  }
  const sandbox = await createSandbox({ concurrency: atATime, ...(cache !== undefined && { cache }) })
  const ordinary = ordinaryPrograms().filter(({ language }) => sandbox.languages.includes(language))
  // Those that wait for their limits are for long runs.
  const hostile = attacks.filter(
    ({ language, limits }) => sandbox.languages.includes(language) && (isLong || limits === undefined),
  )
  const programFor = (n: number) => {
    const at = Math.floor(n / hostileEvery)
    if (n % hostileEvery === hostileEvery - 1)
      return { ...hostile[at % hostile.length]!, inputs: [{ variables: {}, world: {} }], world }
    if (n % sessionsEvery !== 0) return { ...ordinary[n % ordinary.length]!, world }
    const language = sandbox.languages[at % sandbox.languages.length]!
    return {
      language,
      code: sessions[language],
      inputs: [{ variables: { n }, world: {} }],
      world: sessionWorld,
    }
  }
  const run = async (n: number) => {
    const { limits, ...program } = { limits: {}, ...programFor(n) }
    const [observation] = await sandbox.run(
      { ...program, limits: completeLimits({ wallMs: 5000, ...limits }) },
      new AbortController().signal,
    )
    if (observation!.ending.status === 'infrastructure')
      throw new Error(`program ${n}: ${observation!.ending.reason}`)
    if (program.world === sessionWorld)
      expect(observation!.ending).toEqual({ status: 'completed', result: 1 })
  }
  const count = async (): Promise<Count> => ({
    processes: ours().length,
    descriptors: readdirSync('/proc/self/fd').length,
    files: cache === undefined ? 0 : readdirSync(cache).length,
    groups: groups(),
    worlds: world.opened(),
    databases: await databases(),
    heapMiB: liveHeapMiB(),
    rssMiB: process.memoryUsage.rss() / 2 ** 20,
    jailsMiB: started().reduce((sum, pid) => sum + readMemory(pid), 0) / 2 ** 20,
  })
  const stretch = async (from: number, to: number) => {
    let next = from
    await Promise.all(
      Array.from({ length: atATime }, async () => {
        for (let n = next++; n < to; n = next++) await run(n)
      }),
    )
  }
  const step = programs / 10
  await stretch(0, step)
  const samples = [{ done: step, ...(await count()) }]
  for (let done = step; done < programs; done += step) {
    await stretch(done, done + step)
    samples.push({ done: done + step, ...(await count()) })
  }
  await sandbox.close()
  await sessionWorld.close()
  const left = [
    ...ours(),
    ...Array.from({ length: groups() + (await databases()) }, () => 'a control group or a database'),
  ]
  await mongodb.close()
  await servers.stop()
  if (cache !== undefined) rmSync(cache, { recursive: true })

  const names = [
    'processes',
    'descriptors',
    'files',
    'groups',
    'worlds',
    'databases',
    'heapMiB',
    'rssMiB',
    'jailsMiB',
  ] as const
  const slopes = Object.fromEntries(
    names.map((name) => [name, slope(samples.map((each) => ({ done: each.done, value: each[name] })))]),
  )
  if (isLong) console.log('growth per 1000 programs', slopes, 'counted', samples)
  const first = samples[0]!
  const last = samples.at(-1)!
  expect([last.worlds, last.files]).toEqual([0, first.files])
  // A database for each run at a time.
  expect(last.databases).toBeLessThanOrEqual(atATime)
  // A warm runner more or less, of each language, with and without HTTP: three processes and a few
  // descriptors each.
  const runners = 4 * atATime
  expect(last.processes).toBeLessThanOrEqual(runners * 4)
  expect(last.groups).toBeLessThanOrEqual(first.groups + runners * 6)
  expect(last.descriptors).toBeLessThanOrEqual(first.descriptors + runners * 6)
  // Closed: nothing is left but what was there.
  expect(left).toEqual([])
  // The start opens and compiles what stays; from the second count on nothing more is alive.
  if (programs >= 5000)
    expect(slope(samples.slice(1).map(({ done, heapMiB }) => ({ done, value: heapMiB })))).toBeLessThan(1)
})
