/**
 * Checks whether everything that an instruction names is observable: a mistake in any one of these changes
 * RESULT or the final world on one of the inputs.
 */
import type { JsonValue, Program } from '@stateeval/contracts'
import {
  collectScenarioCalls,
  createRng,
  type Scenario,
  StepSite,
  tellingOperators,
} from '@stateeval/program'
import { ReferenceRun } from './reference-run.ts'

interface Mistake {
  operator: string
  site: string
}

/**
 * The runs of a program, one per value of the condition's constant. They change no value, so none is
 * copied.
 */
export function referenceRunsOf<W>(program: Program, scenario: Scenario<W>): ReferenceRun<W>[] {
  const runOn = (choice: number, beside?: ReferenceRun<W>) => {
    const variables: Record<string, unknown> = {}
    for (const { name, values } of program.variables)
      variables[name] = values[Math.min(choice, values.length - 1)]
    return new ReferenceRun(program, scenario, { variables, world: program.world }, beside)
  }
  const first = runOn(0)
  return program.branch ? [first, runOn(1, first)] : [first]
}

/** Tells whether a mutant differs in the other branch only. */
const differsOtherwise = ({ body, branch }: Program, program: Program) =>
  branch !== undefined &&
  body === program.body &&
  branch.then === program.branch?.then &&
  branch.otherwise !== program.branch.otherwise

/**
 * The mistakes that none of the program's inputs reveals, one at a time. The same program gives the same
 * mistakes.
 */
export function* unseenMistakes<W>(
  program: Program,
  scenario: Scenario<W>,
  runs: readonly ReferenceRun<W>[] = referenceRunsOf(program, scenario),
): Generator<Mistake, void, undefined> {
  const answers = new Map<string, JsonValue>()
  for (const run of runs) run.answers(answers)
  const facts = { answers, calls: collectScenarioCalls(scenario) }
  const rng = createRng('mistakes')
  for (const operator of tellingOperators)
    for (const site of operator.sites(program, facts)) {
      const shows =
        site instanceof StepSite ? showsWith(site, runs) : showsAs(site.change(rng), program, runs)
      if (!shows) yield { operator: operator.id, site: site.where }
    }
}

/** Tells whether other steps in place of one change some run's outcome. */
export function showsWith<W>(site: StepSite, runs: readonly ReferenceRun<W>[]): boolean {
  for (const run of runs) if (run.differsWith(site)) return true
  return false
}

/** The same of another program. What is wrong in the other branch shows on the flipped input, if at all. */
const showsAs = <W>(mutant: Program, program: Program, runs: readonly ReferenceRun<W>[]) =>
  (differsOtherwise(mutant, program) ? runs.toReversed() : runs).some((run) => run.differs(mutant))
