/** Whether each thing that an instruction names shows: a mistake in any of them alone changes RESULT or the final world on one of the inputs. */
import type { Json, Program } from '@stateeval/contracts'
import { callsOf, createRng, type Scenario, tellingOperators } from '@stateeval/program'
import { alike } from './alike.ts'
import { Trail } from './trail.ts'

interface Mistake {
  operator: string
  site: string
}

/** The runs of a program: one for each value of the condition's constant. They change no value, so none is copied. */
export function trailsOf<W>(program: Program, scenario: Scenario<W>): Trail<W>[] {
  const trailOf = (choice: number, beside?: Trail<W>) => {
    const variables: Record<string, unknown> = {}
    for (const { name, values } of program.variables)
      variables[name] = values[Math.min(choice, values.length - 1)]
    return new Trail(program, scenario, { variables, world: program.world }, beside)
  }
  const first = trailOf(0)
  return program.branch ? [first, trailOf(1, first)] : [first]
}

/** Whether a mutant differs in the other branch only. */
const differsOtherwise = ({ body, branch }: Program, program: Program) =>
  branch !== undefined &&
  body === program.body &&
  branch.then === program.branch?.then &&
  branch.otherwise !== program.branch.otherwise

/** The mistakes that show on none of the program's inputs, as they are found. Same program, same mistakes. */
export function* unseenMistakes<W>(
  program: Program,
  scenario: Scenario<W>,
  trails: readonly Trail<W>[] = trailsOf(program, scenario),
): Generator<Mistake, void, undefined> {
  const answers = new Map<string, Json>()
  for (const trail of trails) trail.answers(answers)
  const known = { answers, calls: callsOf(scenario) }
  const reversed = trails.toReversed()
  const rng = createRng('mistakes')
  for (const operator of tellingOperators)
    for (const site of operator.sites(program, known)) {
      const mutant = site.change(rng)
      const shows = (trail: Trail<W>) => {
        const shown = trail.follow(mutant)
        return shown !== trail.shown && !(shown && trail.shown && alike(shown, trail.shown, scenario))
      }
      // What is wrong in the other branch shows on the flipped input, if at all.
      const inOrder = differsOtherwise(mutant, program) ? reversed : trails
      if (!inOrder.some(shows)) yield { operator: operator.id, site: site.where }
    }
}
