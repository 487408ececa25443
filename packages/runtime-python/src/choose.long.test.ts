/**
 * Interpreters that look usable from outside but fail in a jail: each is skipped with its reason, and the
 * next one is tried.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createFakeWorld } from '@stateeval/sandbox-suites/fakes'
import {
  findCacheFolder,
  completeLimits,
  defaultLimits,
  type LanguageRuntime,
  computeTmpBytes,
} from '@stateeval/runtime'
import { createJavascript } from '@stateeval/runtime-javascript'
import { buildJailCommand } from '@stateeval/jail'
import { createLocalSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { choosePython, describeMissingPython } from './choose.ts'
import { findObstacle } from './obstacle.ts'

const system = '/usr/bin/python3'
/** Jails of root run as another user; other users' jails run as themselves. */
const root = process.getuid?.() === 0
const packages = ['requests', 'urllib3', 'idna', 'certifi', 'chardet', 'charset_normalizer', 'six']

let folder: string
let javascript: LanguageRuntime
beforeAll(async () => {
  folder = mkdtempSync('/var/tmp/stateeval-python-')
  chmodSync(folder, 0o755)
  javascript = await createJavascript({
    node: process.execPath,
    cache: findCacheFolder(),
    jailed: true,
    canaries: { every: 16, checked: () => {} },
    maxIdle: 1,
  })
})
afterAll(async () => {
  await javascript.close()
  rmSync(folder, { recursive: true, force: true })
})

/** An environment of its own, with a copy of requests in it unless it is to have none. */
function environment(place: string, { requests = true } = {}): string {
  execFileSync(system, ['-m', 'venv', '--without-pip', place])
  const find =
    'import importlib.util as u, json, sys; print(json.dumps([s.origin for s in map(u.find_spec, sys.argv[1:]) if s]))'
  const origins = JSON.parse(
    execFileSync(system, ['-c', find, ...packages], { encoding: 'utf8' }),
  ) as string[]
  const python = join(place, 'bin/python3')
  const sites = execFileSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
    encoding: 'utf8',
  }).trim()
  for (const origin of requests ? origins : []) {
    const part = origin.replace(/\/__init__\.py$/, '')
    cpSync(part, join(sites, part.split('/').at(-1)!), { recursive: true, dereference: true })
  }
  return python
}

const choose = (python: string | undefined, { search = '', usual = [] as string[] } = {}) =>
  choosePython({
    cache: findCacheFolder(),
    walls: javascript.walls,
    commandOf: (image) =>
      buildJailCommand(image, javascript.walls, { tmpBytes: computeTmpBytes(defaultLimits) }),
    python,
    search,
    usual,
  })
const problemOf = async (python: string) => (await choose(python)).examinations[0]!.problem

/** How a program ends that says which requests it has. */
async function resultOf(sandbox: LocalSandbox) {
  const code = 'import requests\nRESULT = requests.__version__'
  const inputs = [{ variables: {}, world: {} }]
  const program = {
    language: 'python',
    code,
    inputs,
    world: createFakeWorld(),
    limits: completeLimits({}),
  } as const
  return (await sandbox.run(program, new AbortController().signal))[0]!.ending
}

test('an interpreter is used where it works in a jail, wherever it is installed', async () => {
  const python = environment(join(folder, 'own'))
  const { runtime, examinations } = await choose(python, { search: '/usr/bin' })
  expect(examinations).toEqual([
    { path: python, source: 'STATEEVAL_PYTHON', version: expect.stringMatching(/^3\.\d+\.\d+/) },
  ])
  expect(runtime?.versions).toMatchObject({ requests: expect.any(String) })
})

test('it is not used below a home that others can’t enter, and is once they can', async () => {
  if (!root) return console.log('skipped: candidates run as this very user')
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o700 })
  const python = environment(join(home, 'environment'))
  expect(await problemOf(python)).toBe(
    `${home} is closed to other users (mode 0700), and candidates run as an unprivileged one`,
  )
  chmodSync(home, 0o755)
  expect(await problemOf(python)).toBeUndefined()
  chmodSync(home, 0o700)
  expect(await problemOf(python)).toContain(`${home} is closed`)
})

test('it is not used where its packages are for one user only', async () => {
  if (!root) return console.log('skipped: candidates run as this very user')
  const python = environment(join(folder, 'mine'))
  execFileSync('chmod', ['-R', 'go-rwx', join(folder, 'mine/lib')])
  expect(await problemOf(python)).toMatch(/\/mine\/lib is closed to other users \(mode 0700\)/)
})

test('it is used below /tmp, which a jail covers with its own, unless it loads libraries from there', async () => {
  const place = mkdtempSync('/tmp/stateeval-python-')
  chmodSync(place, 0o755)
  try {
    const python = environment(join(place, 'environment'))
    expect(await problemOf(python)).toBeUndefined()
    const sandbox = await createLocalSandbox({ python, maxIdle: 1 })
    expect(sandbox.interpreters).toEqual([expect.objectContaining({ path: python })])
    expect(await resultOf(sandbox)).toEqual({ status: 'completed', result: sandbox.versions['requests'] })
    await sandbox.close()
  } finally {
    rmSync(place, { recursive: true })
  }
  const library = { source: realpathSync(system), target: '/tmp/python/lib/libpython3.so' }
  expect(findObstacle([library])).toBe(
    '/tmp/python/lib/libpython3.so is below /tmp, and each jail has a separate /tmp',
  )
})

test('it is not used without requests, where its requests is broken, where it does not start, or is not there', async () => {
  expect(await problemOf(environment(join(folder, 'bare'), { requests: false }))).toBe('it has no requests')
  const broken = environment(join(folder, 'broken'))
  const api = join(
    execFileSync(broken, ['-c', 'import requests; print(requests.__path__[0])'], { encoding: 'utf8' }).trim(),
    'api.py',
  )
  const whole = readFileSync(api)
  writeFileSync(api, '(')
  expect(await problemOf(broken)).toBe('its requests cannot be imported')
  // Mended, it is used: nothing of the fault is remembered.
  writeFileSync(api, whole)
  expect(await problemOf(broken)).toBeUndefined()
  const script = join(folder, 'fails')
  writeFileSync(script, '#!/bin/sh\necho no such version >&2\nexit 7\n', { mode: 0o755 })
  expect(await problemOf(script)).toBe('it does not start: no such version')
  expect(await problemOf(join(folder, 'nothing'))).toBe('there is no such file')
})

test('a package that is installed later is found, also beside none of those that were there', async () => {
  const place = join(folder, 'grows')
  const python = join(place, 'bin/python3')
  execFileSync(system, ['-m', 'venv', '--without-pip', '--system-site-packages', place])
  const numpyOf = async () => (await choose(python)).runtime?.versions['numpy']
  expect(await numpyOf()).not.toBe('9.9')
  const sites = execFileSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], {
    encoding: 'utf8',
  }).trim()
  mkdirSync(join(sites, 'numpy'))
  writeFileSync(
    join(sites, 'numpy/__init__.py'),
    '__version__ = "9.9"\nclass random:\n    seed = staticmethod(lambda n: None)\n',
  )
  expect(await numpyOf()).toBe('9.9')
})

test('the next one is tried: what STATEEVAL_PYTHON names, PATH in its order, then the usual places', async () => {
  const script = join(folder, 'empty', 'python3')
  mkdirSync(join(folder, 'empty'))
  writeFileSync(script, '#!/bin/sh\nexit 7\n', { mode: 0o755 })
  const works = environment(join(folder, 'second'))
  const { examinations } = await choose(join(folder, 'nothing'), {
    search: `relative::${join(folder, 'empty')}:${join(folder, 'second/bin')}`,
  })
  expect(examinations.map(({ path, source, problem }) => [path, source, problem === undefined])).toEqual([
    [join(folder, 'nothing'), 'STATEEVAL_PYTHON', false],
    [script, 'PATH', false],
    [works, 'PATH', true],
  ])
  const { examinations: last } = await choose(undefined, {
    search: join(folder, 'empty'),
    usual: [works, system],
  })
  expect(last.map(({ source, problem }) => [source, problem === undefined])).toEqual([
    ['PATH', false],
    ['default', true],
  ])
})

test('where none works, the reason names each and what to do', async () => {
  const { runtime, examinations } = await choose(join(folder, 'nothing'))
  expect(runtime).toBeUndefined()
  expect(describeMissingPython(examinations)).toBe(
    `No python3 of this machine can run programs (${join(folder, 'nothing')}: there is no such file). Install python3 with requests for all users (apt-get install python3 python3-requests), or name an interpreter that everyone may run in STATEEVAL_PYTHON. Then restart execution (npx stateeval up).`,
  )
  expect(describeMissingPython([])).toMatch(/^There is no python3 on this machine\. Install/)
})

test('the sandbox runs programs with the one that works, and tells which it passed over', async () => {
  const bare = environment(join(folder, 'passed-over'), { requests: false })
  const sandbox = await createLocalSandbox({ python: bare, maxIdle: 1 })
  expect(sandbox.languages).toContain('python')
  expect(sandbox.interpreters[0]).toMatchObject({ path: bare, problem: 'it has no requests' })
  expect(sandbox.interpreters.at(-1)).not.toHaveProperty('problem')
  expect(await resultOf(sandbox)).toEqual({ status: 'completed', result: sandbox.versions['requests'] })
  await sandbox.close()
})
