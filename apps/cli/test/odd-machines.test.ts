/** Machines and users as operators meet them: what is missing is named, with what to do. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { examineFolders, examineFreeDisk } from '../src/local/health.ts'
import { checkout } from '../src/local/home.ts'
import { isAlive } from '../src/local/process.ts'
import { readState } from '../src/local/state.ts'
import { removeTelemetryFiles } from '../src/local/telemetry-files.ts'
import { createHome } from './stand-ins.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'stateeval-odd-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a state file of another version: up says what to do, and down ends what it names', async () => {
  const one = await createHome()
  try {
    const { parts } = await one.up()
    const file = join(one.home, 'state.json')
    const state = JSON.parse(await readFile(file, 'utf8')) as object
    await writeFile(file, JSON.stringify({ ...state, schema: 2, more: { of: 'later' } }))
    await expect(one.up()).rejects.toThrow(/written by another version.*npx stateeval down/)
    expect(await examineFolders(one.home, one.env)).toContainEqual({
      what: 'state',
      status: 'missing',
      detail: expect.stringContaining('npx stateeval down'),
    })
    expect((await one.down()).map(({ name }) => name).sort()).toEqual(parts.map(({ name }) => name).sort())
    expect(parts.filter(isAlive)).toEqual([])
    expect((await one.up()).schema).toBe(1)
  } finally {
    await one.remove()
  }
})

test('a state file that is torn is named; nothing is ended by guess', async () => {
  await writeFile(join(folder, 'state.json'), '{"schema": 1, "par')
  expect(() => readState(folder)).toThrow(/state\.json cannot be read: end the processes of StateEval/)
})

test('a home folder that cannot be written is named by up, down and doctor', async () => {
  await writeFile(join(folder, 'file'), '')
  const home = join(folder, 'file/home')
  const one = await createHome()
  const says = /cannot be written \(ENOTDIR\)\. Set STATEEVAL_HOME/
  try {
    await expect(one.up({ home })).rejects.toThrow(says)
    const findings = await examineFolders(home, { HOME: folder })
    expect(findings.find(({ what }) => what === 'home')).toMatchObject({
      status: 'missing',
      detail: expect.stringMatching(says),
    })
    expect(findings.find(({ what }) => what === 'cache')).toMatchObject({ status: 'ok' })
  } finally {
    await one.remove()
  }
})

const asRoot = process.getuid?.() === 0 ? test : test.skip
asRoot('a user without an entry in passwd and without HOME is told what to set', () => {
  const script = `
    import { findUserCache } from '${join(checkout, 'packages/local-servers/src/build.ts')}'
    try { console.log(findUserCache({})) } catch (error) { console.log(error.constructor.name, error.message) }`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    uid: 54_321,
    gid: 54_321,
    env: {},
    cwd: '/',
    encoding: 'utf8',
  })
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(
      /^BuildError HOME is not set, and this user has no home folder: set HOME, or XDG_CACHE_HOME/,
    ),
    '',
  ])
})

test('free space is told, and files of the telemetry are removed where they are, and nothing beside them', async () => {
  expect(await examineFreeDisk(folder)).toMatchObject({
    what: 'disk',
    detail: expect.stringMatching(/^[\d.]+ GiB free/),
  })
  expect(await removeTelemetryFiles({ HOME: folder })).toBeNull()
  const tools = join(folder, '.cache/Microsoft/DeveloperTools')
  await mkdir(join(tools, '.onnxruntime'), { recursive: true })
  await writeFile(join(tools, '.onnxruntime/onnxruntime.db'), 'x')
  await writeFile(join(tools, 'deviceid'), 'another program’s')
  expect(await removeTelemetryFiles({ HOME: folder })).toBe(join(tools, '.onnxruntime'))
  expect([existsSync(join(tools, '.onnxruntime')), existsSync(join(tools, 'deviceid'))]).toEqual([
    false,
    true,
  ])
})
