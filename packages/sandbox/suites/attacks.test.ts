/** Hostile programs at every level: each ends as it must, finds nothing, touches nothing, and the next program never hears of it. */
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Language, Observation } from '@stateeval/contracts'
import { completeLimits } from '../src/limits.ts'
import { createLocalSandbox, type LocalSandbox } from '../src/local-sandbox.ts'
import { descendants } from '../src/jail/process-tree.ts'
import { attacks } from './attacks/index.ts'
import { type Attack, meets } from './attack.ts'
import { type Canary, createCanary } from './canary.ts'
import { comparable, pooled } from './comparable.ts'
import { victimInput, victims } from './victims.ts'
import { createSuiteWorld } from './world.ts'

const long = process.env.STATEEVAL_LONG === '1'
const levels = ['process-jail', 'warm-jail'] as const
const languages: readonly Language[] = ['javascript', 'python']
/** All of them in a long run; else every other one at the default level, and one in three where each has a process of its own. */
const chosenAt = (level: (typeof levels)[number]) => attacks.filter((_, n) => long || n % (level === 'warm-jail' ? 2 : 3) === 0)
/** However busy the machine: an ordinary program after an attack takes no longer than this, a jail’s start included. */
const generousMs = 15_000

interface Seen {
  attack: Observation
  /** Of the ordinary program right after it. Where each has a process of its own, after every few. */
  after?: Observation
  afterMs: number
}

describe.each(levels)('attacks at %s', (level) => {
  let sandbox: LocalSandbox
  let canary: Canary
  const world = createSuiteWorld()
  const alone = new Map<Language, Observation>()
  const seen = new Map<Attack, Seen>()
  const started = Date.now()
  let before: Leftovers
  const signal = new AbortController().signal
  const attackWith = async ({ language, code, limits }: Attack) => {
    const inputs = [{ ...victimInput(), variables: canary.variables }]
    return (await sandbox.run({ language, code, inputs, world, limits: completeLimits(limits) }, signal))[0]!
  }
  const victim = async (language: Language) =>
    (
      await sandbox.run(
        { language, code: victims[language], inputs: [victimInput()], world, limits: completeLimits({ wallMs: 60_000 }) },
        signal,
      )
    )[0]!

  beforeAll(async () => {
    canary = await createCanary()
    // A first one, so that what this process opens once and keeps (the bundler’s helper) isn’t counted.
    sandbox = await createLocalSandbox({ level })
    for (const language of sandbox.languages) await victim(language)
    await sandbox.close()
    before = leftovers(started)
    sandbox = await createLocalSandbox({ level, mostIdle: 4 })
    for (const language of sandbox.languages) alone.set(language, await victim(language))
    // Languages side by side, each attack right before its victim on the same runner.
    await Promise.all(
      sandbox.languages.map(async (language) => {
        for (const attack of chosenAt(level).filter((one) => one.language === language)) {
          const observation = await attackWith(attack)
          const began = performance.now()
          const met = long || level === 'warm-jail' || seen.size % 8 === 0
          const after = met ? { after: await victim(language) } : {}
          seen.set(attack, { attack: observation, ...after, afterMs: performance.now() - began })
        }
      }),
    )
  }, 600_000)
  afterAll(() => canary.close())

  test('are enough, and run beside ordinary programs that work', () => {
    expect(chosenAt(level).length).toBeGreaterThanOrEqual(60)
    expect(chosenAt(level).filter(({ language }) => language === 'python').length).toBeGreaterThanOrEqual(20)
    expect(new Set(attacks.map(({ name, language }) => `${language} ${name}`)).size).toBe(attacks.length)
    for (const [, { ending }] of alone) expect(ending.status).toBe('completed')
    expect([...alone.keys()]).toEqual(sandbox.languages)
  })

  describe.each(languages)('in %s', (language) => {
    test.each(
      chosenAt(level)
        .filter((attack) => attack.language === language)
        .map((attack) => [attack.name, attack] as const),
    )('%s', (_, attack) => {
      const found = seen.get(attack)
      if (!found) return console.log(`not run: this machine has no runtime for ${language}: ${sandbox.unavailable[language]}`)
      const { ending } = found.attack
      expect(meets(ending, attack.expected) || { ending, expected: attack.expected }).toBe(true)
      expect(JSON.stringify(found.attack)).not.toContain(canary.secret)
      if (found.after) expect(comparable(found.after, '')).toEqual(comparable(alone.get(language)!, ''))
      expect(found.afterMs).toBeLessThan(generousMs)
    })
  })

  test('touch nothing of the host', () => {
    expect(canary.touched()).toEqual([])
  })

  test(
    'change nothing for programs that run at the same time',
    async () => {
      const endless = new Set(['timeout'])
      const brief = attacks.filter((attack) => seen.has(attack) && (long || !endless.has(seen.get(attack)!.attack.ending.status)))
      const chosen = long ? brief : brief.filter((_, n) => n % 6 === 0)
      const work = chosen.flatMap((attack) => [() => attackWith(attack).then(() => undefined), () => victim(attack.language)])
      const outcomes = await pooled(work, 4, (run) => run())
      for (const [n, outcome] of outcomes.entries())
        if (outcome) expect(comparable(outcome, '')).toEqual(comparable(alone.get(chosen[(n - 1) / 2]!.language)!, ''))
      expect(canary.touched()).toEqual([])
    },
    long ? 600_000 : 240_000,
  )

  test('leave no process, descriptor, file or control group', async () => {
    await sandbox.close()
    expect(world.opened()).toBe(0)
    // What was killed is gone soon, not at once.
    for (let turn = 0; turn < 50 && leftovers(started).descriptors > before.descriptors; turn++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const after = leftovers(started)
    expect(after).toEqual({ ...before, descriptors: Math.min(after.descriptors, before.descriptors) })
  })
})

interface Leftovers {
  /** Commands of processes below this one that are jails or were in one. */
  processes: string[]
  descriptors: number
  /** Files that a jail’s user has made outside since the start. */
  files: string[]
  controlGroups: string[]
}

function leftovers(since: number): Leftovers {
  const nobodys = (folder: string) =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name)
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.uid === 65534 && found.mtimeMs >= since ? [path] : []
    })
  return {
    processes: descendants(process.pid)
      .map(command)
      .filter((text) => /bwrap|\/runner|stateeval_runner/.test(text)),
    descriptors: readdirSync('/proc/self/fd').length,
    files: ['/tmp', '/dev/shm', '/var/tmp'].flatMap(nobodys),
    controlGroups: globSync(`/sys/fs/cgroup/**/stateeval-${process.pid}-*`),
  }
}
function command(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
