/** An answer as each policy reads it, and the programs that have to run for that. */
import type { AnswerReading } from '@stateeval/contracts'
import { extractPublished } from './answer/published.ts'
import { extractSoundly } from './answer/sound.ts'
import type { ScenarioName } from './case.ts'
import { buildHarness } from './run/harness.ts'

export const policies = ['published', 'sound'] as const
export type PublishedPolicy = (typeof policies)[number]

/** The longest program that an execution takes, in characters, less what stands around a candidate. */
const longest = 900_000

/**
 * The text that the session service's address stands in place of; data sets of later versions write it with
 * two braces.
 */
const address = '{BASE_URL}'
const laterAddress = `{${address}}`

/**
 * `__main__` guards and the later spelling of the address change nothing unless the code has them: then one
 * run serves both policies.
 */
const chooseWays = (policy: PublishedPolicy, code: string) => ({
  main: policy === 'sound' && code.includes('__name__'),
  addresses: policy === 'sound' && code.includes(laterAddress) ? [laterAddress, address] : [address],
})

interface ReadProgram {
  /** `run` is the place of the program that the reading needs. */
  readings: AnswerReading[]
  /** Each program once. */
  programs: string[]
}

export function read(answer: string, scenario: ScenarioName): ReadProgram {
  const programs: string[] = []
  const runOf = (program: string) => {
    const at = programs.indexOf(program)
    return at < 0 ? programs.push(program) - 1 : at
  }
  const readings = policies.map((policy): AnswerReading => {
    const code = policy === 'published' ? extractPublished(answer) : extractSoundly(answer)
    if (code === null) return { policy, none: 'there is no code in the answer', run: null }
    if (code.length > longest)
      return { policy, code, none: `the code is longer than ${longest} characters`, run: null }
    return { policy, code, run: runOf(buildHarness(scenario, code, chooseWays(policy, code))) }
  })
  return { readings, programs }
}
