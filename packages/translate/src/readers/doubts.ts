/**
 * Adversarial readers: they take each reference of an instruction for every other value of its type that
 * its words allow, and run the resulting program. If such a program has another outcome, the instruction
 * has a second honest reading.
 */
import type { Program } from '@stateeval/contracts'
import { isOnPath, listInputs, type Scenario } from '@stateeval/program'
import { bindReading } from '../binds.ts'
import { readInstruction } from '../read.ts'
import type { ClausePlace } from '../speak.ts'
import { type ReadingAlternative, listAlternatives } from './alternatives.ts'
import { formatOutcome, interpretRun, type ReaderWorld } from './run.ts'
import { listSpots } from './substitute.ts'

/** An alternative with another outcome on an input of the program. */
export interface ReadingDoubt extends Pick<ReadingAlternative, 'kind' | 'call' | 'rule'> {
  place: ClausePlace
}

/**
 * The alternatives with another outcome that no rule excludes; with `all`, also those that a rule excludes.
 * They run on all inputs of the program's test case; one on which the program itself fails proves nothing.
 */
export function listDoubts(
  program: Program,
  scenario: ReaderWorld & Pick<Scenario, 'vocabulary'>,
  instruction: string,
  all = false,
): ReadingDoubt[] {
  const variables = new Set(program.variables.map(({ name }) => name))
  const [reading] = readInstruction(instruction, scenario, variables)
  if (!reading) return []
  const read = bindReading(program, reading)
  const spots = listSpots(read)
  return listInputs(program).flatMap((input) => {
    const run = interpretRun(read, scenario, input)
    if (!run) return []
    return spots
      .filter(({ block }) => isOnPath(block, run.branch))
      .flatMap((spot) => {
        const doubts: ReadingDoubt[] = []
        for (const { kind, call, rule, program: other, variables: more } of listAlternatives(
          read,
          spot,
          run,
          scenario,
        )) {
          if (rule !== null && !all) continue
          const otherInput = { ...input, variables: { ...input.variables, ...more } }
          if (formatOutcome(other(), scenario, otherInput) !== run.outcome)
            doubts.push({ kind, call, rule, place: spot.place })
        }
        return doubts
      })
  })
}
