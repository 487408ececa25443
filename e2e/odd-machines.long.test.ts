/**
 * Machines, users and days as operators have them: under each of these conditions, `up`, `build` and
 * `evaluate` give the bytes that they give on an ordinary machine. Runs with STATEEVAL_LONG=1; messages for
 * what cannot work stand in `apps/cli/test/odd-machines.test.ts`.
 */
import { execFile, execFileSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { resolveLocalBinary } from '@stateeval/local-servers/build'
import { isLong, takeFirstPorts } from '@stateeval/testkit'
import { checkout } from '../apps/cli/src/local/home.ts'
import { readState } from '../apps/cli/src/local/state.ts'

if (!isLong) console.info('skipped: odd machines: scripts/test --long does it')

interface Condition {
  /** A command that starts the one behind it in this condition; `root` is where it finds the checkout. */
  within?: readonly string[]
  root?: string
  /** The name of the folder that is STATEEVAL_HOME. */
  home?: string
  env?: Record<string, string | undefined>
  /** The user who runs all of it. */
  uid?: number
  /** What must be there before; resolves with what undoes it. */
  prepare?: () => Promise<() => void>
  /** What happens while the evaluation runs. */
  meanwhile?: (home: string) => Promise<void>
}

/** Not under /tmp, which a condition replaces. */
let folder: string
/** The report's result of an ordinary machine. */
let ordinary: string
beforeAll(async () => {
  if (!isLong) return
  folder = await mkdtemp('/var/tmp/stateeval-odd-')
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'compiled'))
  await chmod(join(folder, 'compiled'), 0o1777)
  await copyFile(await resolveLocalBinary(), join(folder, 'servers'))
  await chmod(join(folder, 'servers'), 0o755)
  ordinary = await evaluateUnder({})
})
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

let homes = 0
/** The result of a report that a whole installation makes under a condition. */
async function evaluateUnder(condition: Condition): Promise<string> {
  const { within = [], root = checkout, home: name = `home-${homes++}`, env = {}, uid } = condition
  const home = join(folder, name)
  await mkdir(home)
  if (uid !== undefined) execFileSync('chown', [String(uid), home])
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env
  const stateeval = async (...args: string[]) => {
    const [file = '', ...rest] = [
      ...within,
      process.execPath,
      join(root, 'apps/cli/bin/stateeval.js'),
      ...args,
    ]
    const { stdout } = await promisify(execFile)(file, rest, {
      cwd: '/',
      maxBuffer: 1 << 28,
      env: {
        ...own,
        STATEEVAL_HOME: home,
        STATEEVAL_LOCAL_BINARY: join(folder, 'servers'),
        STATEEVAL_MAX_LAG_MS: '0',
        XDG_CACHE_HOME: join(home, 'cache'),
        // Whoever runs it may add to what is compiled.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        ...env,
      },
    })
    return stdout
  }
  const undo = await condition.prepare?.()
  try {
    await stateeval('up')
    const set = join(home, 'set')
    const sizes = ['--programs', '12', '--keep', '6', '--seed', '1', '--languages', 'javascript']
    await stateeval('build', '--scenario', 'session-service', ...sizes, '--out', set)
    const evaluate = ['evaluate', '--benchmark', set, '--model', 'mutant', '--samples', '8', '--json']
    const ended = stateeval(...evaluate).catch((error: unknown) => error as Error)
    await condition.meanwhile?.(home)
    let output = await ended
    // A command that lost its service says how to go on: the evaluation has gone on by itself.
    if (output instanceof Error) {
      if (!condition.meanwhile) throw output
      await stateeval('up')
      output = await stateeval(...evaluate)
    }
    const { result } = JSON.parse(output) as { result: object }
    return JSON.stringify(result)
  } finally {
    await stateeval('down', '--purge').catch(() => undefined)
    undo?.()
    await rm(home, { recursive: true, force: true })
  }
}

/** In a mount namespace of its own, after these commands of the shell. */
const mounted = (commands: string) => ['unshare', '--mount', 'sh', '-c', `${commands} && exec "$@"`, 'sh']
const oddRoot = '/var/tmp/stateeval odd ünï 数'
const shiftClock = (days: number) => async (): Promise<Condition> => {
  const clock = join(folder, `clock-${days}`)
  await writeFile(clock, String(days * 86_400_000))
  const file = join(checkout, 'packages/testkit/src/jumping-clock.ts')
  return { env: { STATEEVAL_TEST_CLOCK: clock, NODE_OPTIONS: `--import ${pathToFileURL(file).href}` } }
}
const partsOf = (home: string) => readState(home)!.parts.filter(({ name }) => name !== 'embedded-servers')
/** Until samples are being scored. */
const inTheMiddle = () => sleep(3000)

const deadProxy = 'http://127.0.0.1:9'
const conditions: Record<string, Condition | (() => Promise<Condition>)> = {
  'a checkout and a home whose names hold spaces and other scripts': async () => {
    await mkdir(oddRoot, { recursive: true })
    return {
      within: mounted(`mount --bind '${checkout}' '${oddRoot}'`),
      root: oddRoot,
      home: 'ein Zuhause – 家',
    }
  },
  'a user without an entry in passwd, and without HOME': {
    within: ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups'],
    uid: 54321,
    env: { HOME: undefined, USER: undefined },
  },
  'a /tmp from which nothing may be executed': {
    within: mounted('mount -t tmpfs -o noexec,nosuid,nodev tmpfs /tmp'),
  },
  'proxies that are away': {
    env: Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map((name) => [
        name,
        deadProxy,
      ]),
    ),
  },
  'every port taken that is tried first': {
    prepare: takeFirstPorts,
  },
  'a clock a day ahead of the servers’': shiftClock(1),
  'a clock a day behind the servers’': shiftClock(-1),
  'another language, time zone and umask': {
    within: ['sh', '-c', 'umask 077 && exec "$@"', 'sh'],
    env: { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Chatham' },
  },
  'every service killed in the middle': {
    meanwhile: async (home) => {
      await inTheMiddle()
      for (const { pid } of partsOf(home)) process.kill(pid, 'SIGKILL')
    },
  },
  'every service stopped for half a minute': {
    meanwhile: async (home) => {
      await inTheMiddle()
      const parts = partsOf(home)
      for (const { pid } of parts) process.kill(pid, 'SIGSTOP')
      await sleep(30_000)
      for (const { pid } of parts) process.kill(pid, 'SIGCONT')
    },
  },
}

const whenLong = isLong ? test : test.skip
whenLong.each(Object.entries(conditions))('%s: the same bytes', async (_, condition) => {
  expect(await evaluateUnder(typeof condition === 'function' ? await condition() : condition)).toBe(ordinary)
})
