/** Whether each thing that an instruction names shows: a mistake in any of them alone changes RESULT or the final world on one of the inputs. */
import type { Input, Program } from '@stateeval/contracts'
import {
  createRng,
  inputOf,
  interpret,
  type Interpretation,
  knownOf,
  type Scenario,
  tellingOperators,
} from '@stateeval/program'
import { alike } from './alike.ts'

/** What a program does on one of its inputs. */
interface Run {
  input: Input
  run: Interpretation
}
interface Mistake {
  operator: string
  site: string
}

/** The runs of a program: one for each value of the condition's constant. */
export const runsOf = <W>(program: Program, scenario: Scenario<W>): Run[] =>
  (program.branch ? ([0, 1] as const) : ([0] as const)).map((choice) => {
    const input = inputOf(program, choice)
    return { input, run: interpret(program, scenario, input) }
  })

/** The mistakes that show on none of the program's inputs, as they are found. Same program, same mistakes. */
export function* unseenMistakes<W>(
  program: Program,
  scenario: Scenario<W>,
  runs: readonly Run[] = runsOf(program, scenario),
): Generator<Mistake, void, undefined> {
  const known = knownOf(program, scenario)
  const rng = createRng('mistakes')
  for (const operator of tellingOperators)
    for (const site of operator.sites(program, known)) {
      const mutant = site.change(rng)
      const shows = ({ input, run }: Run) => !sameRun(run, interpret(mutant, scenario, input), scenario)
      // What is wrong in the other branch shows on the flipped input, if at all.
      const inOrder = site.where.startsWith('otherwise') ? runs.toReversed() : runs
      if (!inOrder.some(shows)) yield { operator: operator.id, site: site.where }
    }
}

const sameRun = <W>(a: Interpretation, b: Interpretation, scenario: Scenario<W>) =>
  a.ok && b.ok && alike(a, b, scenario)
