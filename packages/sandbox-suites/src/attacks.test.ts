/**
 * Hostile programs at every level: each ends as it must, finds nothing, touches nothing, and the next program
 * never hears of it.
 */
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit/until'
import type { Language, Observation } from '@stateeval/contracts'
import {
  completeLimits,
  createLocalSandbox,
  type IsolationLevel,
  type LocalSandbox,
  silent,
} from '@stateeval/sandbox'
import { listDescendants } from '@stateeval/jail'
import { type AttackProgram, attacks, isMet, withTime } from '@stateeval/attacks'
import { type Canary, createCanary } from './canary.ts'
import { comparable, pooled } from './comparable.ts'
import { hasGvisor } from './gvisor.ts'
import { thinned } from './thinned.ts'
import { victimInput, victims } from './victims.ts'
import { createSuiteWorld } from './world.ts'

const long = process.env.STATEEVAL_LONG === '1'
const levels: readonly SuiteLevel[] = [
  'warm-jail',
  'process-jail',
  ...(hasGvisor ? (['gvisor'] as const) : []),
]
type SuiteLevel = 'warm-jail' | 'process-jail' | 'gvisor'
const languages: readonly Language[] = ['javascript', 'python']
const kindOf = ({ name, language }: AttackProgram) => `${language} ${name.split(':')[0]}`
/**
 * All of them in a long run, else one in six of each kind; fewer where a start of Python is paid for each.
 * (A multiple of six: those were met at the other level too.) Behind gVisor, where a start takes half a
 * second, the first of each kind.
 */
const oneIn = (level: SuiteLevel, language: Language) =>
  long ? 1 : level === 'gvisor' ? 1000 : level === 'process-jail' && language === 'python' ? 12 : 6
const chosenAt = (level: SuiteLevel, language: Language) =>
  thinned(
    attacks.filter((attack) => attack.language === language),
    oneIn(level, language),
    kindOf,
  )
const allAt = (level: SuiteLevel) => languages.flatMap((language) => chosenAt(level, language))
/** Turns of the ordinary program alone, which tell what CPU time it takes. */
const turnsAlone = 3
/**
 * So many times what it takes alone, an ordinary program may take after attacks, also in the first turn of a
 * new runner. Of the programs after all attacks of a kind the middle one counts; CPU time, since others use
 * the machine.
 */
const maxSlower = 7

interface Seen {
  attack: Observation
  /** Of the ordinary program right after it. */
  after?: Observation
  /** CPU time that it took, all that ran in its jail meanwhile included. */
  afterCpuMs?: number
}

/** One sandbox for all levels: a request may ask for a stronger one. */
let sandbox: LocalSandbox
let canary: Canary
let before: Leftovers
const world = createSuiteWorld()
const started = Date.now()
const signal = new AbortController().signal
const attackWith = async (level: SuiteLevel, { language, code, limits }: AttackProgram) => {
  // What would be right may stand beside an input: no part of it reaches a program.
  const inputs = [{ ...victimInput(), variables: canary.variables, oracle: canary.secret }]
  return (
    await sandbox.run({ language, code, inputs, world, limits: completeLimits(limits), level }, signal)
  )[0]!
}
/** CPU times of runs. Those of a language come one after the other, where they are looked at. */
const used: Record<Language, number[]> = { javascript: [], python: [] }
const telemetry = {
  ...silent,
  used: (cpuMs: number, _: IsolationLevel, language: Language) => void used[language].push(cpuMs),
}
const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!
const victim = async (level: SuiteLevel, language: Language) => {
  const limits = completeLimits({ wallMs: 60_000 })
  return (
    await sandbox.run(
      { language, code: victims[language], inputs: [victimInput()], world, limits, level },
      signal,
    )
  )[0]!
}
const results: Record<SuiteLevel, Map<AttackProgram, Seen>> = {
  'warm-jail': new Map(),
  'process-jail': new Map(),
  gvisor: new Map(),
}

beforeAll(async () => {
  canary = await createCanary()
  // A first one, so that what this process opens once and keeps (the bundler’s helper) isn’t counted.
  sandbox = await createLocalSandbox({})
  await victim('warm-jail', 'javascript')
  await sandbox.close()
  before = leftovers(started)
  sandbox = await createLocalSandbox({ maxIdle: 4, telemetry })
})
afterAll(() => canary.close())

describe.each(levels)('attacks at %s', (level) => {
  const alone = new Map<Language, Observation>()
  const aloneCpuMs = new Map<Language, number>()

  /**
   * All there is time for; a container starts for each program, so a long run takes no more of what repeats
   * behind gVisor.
   */
  const thorough = long && level !== 'gvisor'

  /**
   * The attack, and an ordinary program right after it on the same runner; where each has a jail of its own,
   * after every few.
   */
  async function meet(attack: AttackProgram) {
    // What left its warm runner was run by a process jail: that is what this level would do again.
    const moved = level === 'process-jail' && !long ? results['warm-jail'].get(attack) : undefined
    if (moved?.attack.sandbox === level) return results[level].set(attack, moved)
    const first = await attackWith(level, attack)
    const limits = withTime(attack, first.ending)
    const observation = limits ? await attackWith(level, { ...attack, limits }) : first
    const met = thorough || observation.sandbox === 'warm-jail' || results[level].size % 8 === 0
    const after = met
      ? { after: await victim(level, attack.language), afterCpuMs: used[attack.language].at(-1)! }
      : {}
    return results[level].set(attack, { attack: observation, ...after })
  }
  beforeAll(async () => {
    for (const language of sandbox.languages) {
      for (let turn = 0; turn < turnsAlone; turn++)
        if (turn === 0 || level === 'warm-jail') alone.set(language, await victim(level, language))
      aloneCpuMs.set(language, middle(used[language].slice(-turnsAlone)))
    }
    // Languages side by side.
    await Promise.all(
      sandbox.languages.map(async (language) => {
        for (const attack of chosenAt(level, language)) await meet(attack)
      }),
    )
  })

  test('are enough, and run beside ordinary programs that work', () => {
    if (long || level !== 'gvisor') expect(allAt(level).length).toBeGreaterThanOrEqual(50)
    expect(chosenAt(level, 'python').length).toBeGreaterThanOrEqual(
      { 'warm-jail': 20, 'process-jail': 10, gvisor: 5 }[level],
    )
    expect(new Set(allAt(level).map(kindOf))).toEqual(new Set(attacks.map(kindOf)))
    expect(new Set(attacks.map(({ name, language }) => `${language} ${name}`)).size).toBe(attacks.length)
    for (const [, { ending }] of alone) expect(ending.status).toBe('completed')
    expect([...alone.keys()]).toEqual(sandbox.languages)
  })

  describe.each(languages)('in %s', (language) => {
    test.each(chosenAt(level, language).map((attack) => [attack.name, attack] as const))(
      '%s',
      (_, attack) => {
        const result = results[level].get(attack)
        if (!result)
          return console.log(
            `not run: this machine has no runtime for ${language}: ${sandbox.unavailable[language]}`,
          )
        const { ending } = result.attack
        const { expected, behindGvisor } = attack
        const granted = level === 'gvisor' && behindGvisor !== undefined && isMet(ending, behindGvisor)
        expect(granted || isMet(ending, expected) || { ending, expected }).toBe(true)
        expect(JSON.stringify(result.attack)).not.toContain(canary.secret)
        if (result.after) expect(comparable(result.after, '')).toEqual(comparable(alone.get(language)!, ''))
      },
    )
  })

  // Where each has a jail of its own, what is left of an attack is gone with it.
  ;(level === 'warm-jail' ? test : test.skip)('slow down nobody who comes after them', () => {
    const slow = [...results[level]].reduce((times, [attack, { afterCpuMs }]) => {
      if (afterCpuMs !== undefined)
        times.set(kindOf(attack), [...(times.get(kindOf(attack)) ?? []), afterCpuMs])
      return times
    }, new Map<string, number[]>())
    const rows = [...slow].map(([kind, times]) => {
      const maxMs = maxSlower * aloneCpuMs.get(kind.split(' ')[0] as Language)!
      return { kind, ms: Math.round(middle(times)), maxMs: Math.round(maxMs) }
    })
    expect(rows.length).toBeGreaterThan(10)
    console.log(
      `CPU time after attacks, in milliseconds: ${rows.map(({ kind, ms, maxMs }) => `${kind} ${ms} of ${maxMs}`).join(', ')}`,
    )
    expect(rows.filter(({ ms, maxMs }) => ms > maxMs)).toEqual([])
  })

  test('touch nothing of the host', () => {
    expect(canary.touched()).toEqual([])
  })

  test('change nothing for programs that run at the same time', async () => {
    const met = [...results[level]]
      .filter(([, { attack }]) => long || attack.ending.status !== 'timeout')
      .map(([attack]) => attack)
    const subset = thorough ? met : met.filter((_, n) => n % 12 === 0)
    const work = subset.flatMap((attack) => [
      () => attackWith(level, attack).then(() => undefined),
      () => victim(level, attack.language),
    ])
    const outcomes = await pooled(work, 4, (run) => run())
    for (const [n, outcome] of outcomes.entries())
      if (outcome)
        expect(comparable(outcome, '')).toEqual(comparable(alone.get(subset[(n - 1) / 2]!.language)!, ''))
    expect(canary.touched()).toEqual([])
  })
})

test('attacks leave no process, descriptor, file or control group', async () => {
  await sandbox.close()
  expect(world.opened()).toBe(0)
  // What was killed is gone soon, not at once.
  await until(() => leftovers(started).descriptors <= before.descriptors)
  const after = leftovers(started)
  expect(after).toEqual({ ...before, descriptors: Math.min(after.descriptors, before.descriptors) })
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
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats?.uid === 65534 && stats.mtimeMs >= since ? [path] : []
    })
  return {
    processes: listDescendants(process.pid)
      .map(command)
      .filter((text) => /bwrap|runsc|\/runner|stateeval_runner/.test(text)),
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
