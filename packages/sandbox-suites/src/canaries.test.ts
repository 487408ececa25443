/**
 * Canaries in real warm jails: they run between two owners, after a number of programs, and when somebody
 * waits for them; what somebody has planted shows, and refutes the programs since the last one.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Language } from '@stateeval/contracts'
import {
  completeLimits,
  type CleanConfirmation,
  createLocalSandbox,
  type LocalSandbox,
  silent,
} from '@stateeval/sandbox'
import { inJails, killAll, plantFile } from './in-jails.ts'
import { createSuiteWorld } from './world.ts'

const isRoot = process.getuid?.() === 0
let sandbox: LocalSandbox
/** What the canaries found. */
let found: (string | undefined)[] = []
beforeAll(async () => {
  const telemetry = { ...silent, canary: (problem?: string) => void found.push(problem) }
  sandbox = await createLocalSandbox({ maxIdle: 1, canaryEvery: 4, telemetry })
})
afterAll(() => sandbox.close())

const world = createSuiteWorld()
async function run(
  language: Language,
  owner: string,
  code = 'RESULT = 1',
): Promise<CleanConfirmation & { level: string }> {
  const inputs = [{ variables: {}, world: {} }]
  const limits = completeLimits({ wallMs: 60_000 })
  let level = ''
  const confirmation = await sandbox.each(
    { language, code, inputs, world, limits, owner },
    new AbortController().signal,
    async ({ ending, sandbox: at }) => {
      expect(ending).toMatchObject({ status: 'completed', result: 1 })
      level = at
    },
  )
  return { ...confirmation, level }
}

describe.each<Language>(['javascript', 'python'])('in %s', (language) => {
  beforeEach(async () => {
    await (await run(language, 'before')).confirm()
    found = []
  })

  test('they run between two owners, when they are due and when somebody waits', async () => {
    const first = await run(language, 'a')
    await run(language, 'a')
    expect(found).toEqual([])
    await run(language, 'b')
    expect(found).toEqual([undefined])
    expect(await first.confirm()).toBe(true)
    const awaited = await run(language, 'b')
    expect(await awaited.confirm()).toBe(true)
    expect(found).toEqual([undefined, undefined])
    for (let n = 0; n < 4; n++) await run(language, 'b')
    await run(language, 'b')
    expect(found).toEqual([undefined, undefined, undefined])
    expect((await run(language, 'b')).count).toBe(1)
  })

  test('a program that leaves files is confirmed, although its jail is replaced', async () => {
    const earlier = await run(language, 'a')
    const write = {
      javascript: 'require("fs").writeFileSync("/tmp/x", "1"); RESULT = 1',
      python: 'open("/tmp/x", "w").write("1")\nRESULT = 1',
    }
    const leaving = await run(language, 'a', write[language])
    expect(await Promise.all([earlier.confirm(), leaving.confirm()])).toEqual([true, true])
    expect(found).toEqual([undefined])
  })

  test('a jail that ends before its canary confirms nothing', async () => {
    const ran = await run(language, 'a')
    expect(ran.level).toBe('warm-jail')
    killAll(inJails())
    expect(await ran.confirm()).toBe(false)
  })

  ;(isRoot ? describe : describe.skip)('planted by root of the host (skipped for others)', () => {
    test('a file refutes the programs before it', async () => {
      const earlier = await run(language, 'a')
      let isRefuted = false
      earlier.onRefuted(() => (isRefuted = true))
      // In the jail that ran it, and in its spare.
      inJails().forEach(plantFile)
      expect([await earlier.confirm(), isRefuted, found]).toEqual([false, true, ['files']])
    })
  })
})
