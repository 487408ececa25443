/**
 * Adversarial readers: they take each reference of an instruction for every other value of its type that
 * its words allow, and run the resulting program. If such a program has another outcome, the instruction
 * has a second honest reading.
 */
import type { Program } from '@stateeval/contracts'
import { listInputs, type Scenario } from '@stateeval/program'
import { atProgram } from '../binds.ts'
import { readInstruction } from '../read.ts'
import type { Place } from '../speak.ts'
import { type Alternative, alternatives } from './alternatives.ts'
import { outcomeOf, runOf, type World } from './run.ts'
import { spotsOf } from './substitute.ts'

/** An alternative with another outcome on an input of the program. */
export interface Doubt extends Pick<Alternative, 'kind' | 'call' | 'rule'> {
  place: Place
}

/**
 * The alternatives with another outcome that no rule excludes; with `all`, also those that a rule excludes.
 * They run on all inputs of the program's test case; one on which the program itself fails proves nothing.
 */
export function doubtsOf(
  program: Program,
  scenario: World & Pick<Scenario, 'vocabulary'>,
  instruction: string,
  all = false,
): Doubt[] {
  const variables = new Set(program.variables.map(({ name }) => name))
  const [reading] = readInstruction(instruction, scenario, variables)
  if (!reading) return []
  const read = atProgram(program, reading)
  const spots = spotsOf(read)
  return listInputs(program).flatMap((input) => {
    const run = runOf(read, scenario, input)
    if (!run) return []
    return spots
      .filter(({ block }) => block === 'body' || block === run.branch)
      .flatMap((spot) => {
        const doubts: Doubt[] = []
        for (const { kind, call, rule, program: other, variables: more } of alternatives(
          read,
          spot,
          run,
          scenario,
        )) {
          if (rule !== null && !all) continue
          const otherInput = { ...input, variables: { ...input.variables, ...more } }
          if (outcomeOf(other(), scenario, otherInput) !== run.outcome)
            doubts.push({ kind, call, rule, place: spot.place })
        }
        return doubts
      })
  })
}
