/** A level never changes a verdict: ordinary programs are observed alike at each. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ExecutionInput, Language, Observation } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import { emit, buildInput } from '@stateeval/program'
import { sessionService } from '@stateeval/scenario-session-service'
import {
  completeLimits,
  createLocalSandbox,
  type IsolationLevel,
  type LocalSandbox,
} from '@stateeval/sandbox'
import { type Comparable, comparable, pooled } from './comparable.ts'
import { pythonPrograms, variables, world } from './python-programs.ts'
import { ordinaryPrograms, type OrdinaryProgram } from './programs.ts'
import { hasGvisor } from './gvisor.ts'
import { thinned } from './thinned.ts'
import { createSuiteWorld } from './world.ts'

/**
 * All programs, those that leave the warm runner too, and every input of what was generated. Otherwise one in
 * twelve of each theme.
 */
const long = process.env.STATEEVAL_LONG === '1'
const languages: readonly Language[] = ['javascript', 'python']

/** The real thing: what the session service's benchmark is made of. */
const generated = (): OrdinaryProgram[] =>
  Array.from(
    generate(sessionService, {
      ...defaultOptions,
      count: long ? 100 : 30,
      seed: 20,
      length: 5,
    }),
    ({ program }, n) =>
      languages
        // One language each, so that both are met: JavaScript oftener.
        .filter((language) => long || (language === 'python') === (n % 4 === 3))
        .map((language) => ({
          name: `generated ${n}`,
          language,
          code: emit(program, language)!,
          inputs: ([0, 1] as const)
            .slice(0, long ? 2 : 1)
            .map((choice): ExecutionInput => buildInput(program, choice)),
        })),
  ).flat()

/** Those whose endings are known by heart, see src/python. */
const pythonOrdinaryPrograms = (): OrdinaryProgram[] =>
  Object.entries(pythonPrograms).flatMap(([theme, programs]) =>
    programs.map(({ name, code }): OrdinaryProgram => {
      const input = structuredClone({ variables, world })
      return { name: `${theme}: ${name}`, language: 'python', code, inputs: [input] }
    }),
  )

const themeOf = ({ language, name }: OrdinaryProgram) => `${language} ${name.split(/:| \d/)[0]}`

describe('ordinary programs', () => {
  /** One for all levels: a request may ask for a stronger one. */
  let sandbox: LocalSandbox
  const suite = createSuiteWorld()
  const programs = thinned(
    [...ordinaryPrograms(), ...pythonOrdinaryPrograms(), ...generated()],
    long ? 1 : 12,
    themeOf,
  )
  const signal = new AbortController().signal
  beforeAll(async () => {
    sandbox = await createLocalSandbox({ level: 'warm-jail' })
  })
  afterAll(async () => {
    await sandbox.close()
    expect(suite.opened()).toBe(0)
  })

  const observe = ({ language, code, inputs }: OrdinaryProgram, level: IsolationLevel) =>
    sandbox.run(
      { language, code, inputs, world: suite, limits: completeLimits({ wallMs: 60_000 }), level },
      signal,
    )
  /**
   * What two levels saw, where that differs each time: programs with short timers race with a busy machine.
   * What one of them has seen already is not observed again.
   */
  async function difference(
    program: OrdinaryProgram,
    levels: [IsolationLevel, IsolationLevel],
    seen?: Observation[],
  ) {
    for (let tries = 5; ; tries--) {
      const first = await observe(program, levels[0])
      const second = seen ?? (await observe(program, levels[1]))
      seen = undefined
      const [a, b] = [first, second].map((all) => all.map((one): Comparable => comparable(one, program.code)))
      if (isDeepStrictEqual(a, b)) return undefined
      if (tries === 1) return { name: program.name, [levels[0]]: first, [levels[1]]: second }
    }
  }
  /** By theme: all in a long run, else the first of one theme in three. */
  const themes = Object.entries(Object.groupBy(programs, themeOf))
    .filter((_, n) => long || n % 3 === 0)
    .map(([theme, examples]) => [theme, examples!.slice(0, long ? undefined : 1)] as const)

  test('are enough', () => {
    const count = (language: Language) => programs.filter((program) => program.language === language).length
    expect(programs.length).toBeGreaterThanOrEqual(long ? 300 : 60)
    expect(count('python')).toBeGreaterThanOrEqual(long ? 60 : 12)
    expect(new Set(programs.map(({ name, language }) => `${language} ${name}`)).size).toBe(programs.length)
  })

  test.each(languages)('in %s are observed alike at every level', async (language) => {
    const mine = programs.filter((program) => program.language === language)
    let bailed = 0
    const differences = await pooled(mine, 2, async (program) => {
      const observations = await observe(program, 'warm-jail')
      const left = observations.every(({ sandbox }) => sandbox !== 'warm-jail')
      if (left) bailed++
      // What left its warm runner was run by a process jail: asking another one tells little.
      if (left && !long) return undefined
      return difference(program, ['process-jail', 'warm-jail'], observations)
    })
    // Visible in the log of every run: what ordinary programs pay for.
    console.log(
      `${mine.length} programs in ${language}, ${bailed} left the warm runner`,
      language === 'javascript' ? sandbox.bails() : '',
    )
    expect(differences.filter(Boolean)).toEqual([])
    // Those that make processes or servers.
    if (language === 'javascript') expect(bailed).toBeLessThanOrEqual(mine.length / 50)
  })

  // A theme at a time: each program waits for the start of a container.
  ;(hasGvisor ? test : test.skip).each(themes)('%s: observed alike behind gVisor', async (_, examples) => {
    const differences = await pooled(examples, 2, async (program) => {
      const first = { ...program, inputs: program.inputs.slice(0, 1) }
      return difference(first, ['process-jail', 'gvisor'])
    })
    expect(differences.filter(Boolean)).toEqual([])
  })

  describe('with large answers', () => {
    const run = async (code: string, level?: IsolationLevel) => {
      const limits = completeLimits({ memoryMiB: 64, wallMs: 60_000 })
      const inputs = [{ variables: {}, world: {} }]
      const program = {
        language: 'javascript' as const,
        code,
        inputs,
        world: suite,
        limits,
        ...(level && { level }),
      }
      const [{ ending, sandbox: had }] = (await sandbox.run(program, signal)) as [Observation]
      return [ending.status === 'completed' ? ending.result : ending, had]
    }
    const asking = (times: number, size: number) =>
      `const axios = require('axios'); let n = 0; for (let turn = 0; turn < ${times}; turn++) n += (await axios.get(BASE_URL + '/large/${size}')).data.length; RESULT = n`
    const holding = (mebibytes: number) =>
      `const kept = []; for (let n = 0; n < ${mebibytes}; n++) kept.push(new Array(131072).fill(n + 0.5)); await new Promise((go) => setTimeout(go, 150)); RESULT = kept.length`

    test('leave nothing that the next program is charged for', async () => {
      for (let n = 0; n < (long ? 10 : 3); n++)
        expect(await run(asking(3, 20_000))).toEqual([60_000, 'warm-jail'])
      expect(await run(holding(32))).toEqual([32, 'warm-jail'])
    })

    test('end alike at each level', async () => {
      const code = asking(6, 20_000)
      expect(await run(code)).toEqual([120_000, 'warm-jail'])
      if (long) expect(await run(code, 'process-jail')).toEqual([120_000, 'process-jail'])
    })
  })
})
