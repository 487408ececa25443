/** Whether each thing that an instruction names shows: a mistake in any of them alone changes RESULT or the final world on one of the inputs. */
import type { Json, Program } from '@stateeval/contracts'
import { callsOf, createRng, inputOf, type Scenario, tellingOperators } from '@stateeval/program'
import { alike } from './alike.ts'
import { Trail } from './trail.ts'

interface Mistake {
  operator: string
  site: string
}

/** The runs of a program: one for each value of the condition's constant. */
export const trailsOf = <W>(program: Program, scenario: Scenario<W>): Trail<W>[] =>
  (program.branch ? ([0, 1] as const) : ([0] as const)).map(
    (choice) => new Trail(program, scenario, inputOf(program, choice)),
  )

/** The mistakes that show on none of the program's inputs, as they are found. Same program, same mistakes. */
export function* unseenMistakes<W>(
  program: Program,
  scenario: Scenario<W>,
  trails: readonly Trail<W>[] = trailsOf(program, scenario),
): Generator<Mistake, void, undefined> {
  const answers = new Map<string, Json>()
  for (const trail of trails) trail.answers(answers)
  const known = { answers, calls: callsOf(scenario) }
  const rng = createRng('mistakes')
  for (const operator of tellingOperators)
    for (const site of operator.sites(program, known)) {
      const mutant = site.change(rng)
      const shows = (trail: Trail<W>) => {
        const shown = trail.follow(mutant)
        return shown !== trail.shown && !(shown && trail.shown && alike(shown, trail.shown, scenario))
      }
      // What is wrong in the other branch shows on the flipped input, if at all.
      const inOrder = site.where.startsWith('otherwise') ? trails.toReversed() : trails
      if (!inOrder.some(shows)) yield { operator: operator.id, site: site.where }
    }
}
