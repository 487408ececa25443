/**
 * Checks whether everything that an instruction names is observable: a mistake in any one of them changes
 * RESULT or the final world on one of the inputs.
 */
import type { JsonValue, Program } from '@stateeval/contracts'
import {
  chooseInput,
  collectScenarioCalls,
  createRng,
  listExecutionPaths,
  type Scenario,
  StepSite,
  tellingOperators,
} from '@stateeval/program'
import { ReferenceRun } from './reference-run.ts'

interface UnseenMistake {
  operator: string
  site: string
}

/** The runs of a program, one for each execution path. They change no value, so none is copied. */
export function runReference<W>(program: Program, scenario: Scenario<W>): ReferenceRun<W>[] {
  const runs: ReferenceRun<W>[] = []
  for (const path of listExecutionPaths(program).keys())
    runs.push(new ReferenceRun(program, scenario, chooseInput(program, path), runs.at(-1)))
  return runs
}

/** Tells whether a mutant differs in the second branch only. */
const isOtherBranchOnly = ({ body, branch }: Program, program: Program) =>
  branch !== undefined &&
  body === program.body &&
  branch.then === program.branch?.then &&
  branch.otherwise !== program.branch.otherwise

/**
 * The mistakes that none of the program's inputs reveals, one at a time. The same program gives the same
 * mistakes.
 */
export function* findUnseenMistakes<W>(
  program: Program,
  scenario: Scenario<W>,
  runs: readonly ReferenceRun<W>[] = runReference(program, scenario),
): Generator<UnseenMistake, void, undefined> {
  const answers = new Map<string, JsonValue>()
  for (const run of runs) run.answers(answers)
  const facts = { answers, calls: collectScenarioCalls(scenario) }
  const rng = createRng('mistakes')
  for (const operator of tellingOperators)
    for (const site of operator.sites(program, facts)) {
      const shows =
        site instanceof StepSite
          ? isVisibleSite(site, runs)
          : isVisibleMutant(site.change(rng), program, runs)
      if (!shows) yield { operator: operator.id, site: site.where }
    }
}

/** Tells whether other steps in place of one change some run's outcome. */
export function isVisibleSite<W>(site: StepSite, runs: readonly ReferenceRun<W>[]): boolean {
  for (const run of runs) if (run.differsWith(site)) return true
  return false
}

/** The same of another program. What is wrong in the second branch shows on the last inputs, if at all. */
const isVisibleMutant = <W>(mutant: Program, program: Program, runs: readonly ReferenceRun<W>[]) =>
  (isOtherBranchOnly(mutant, program) ? runs.toReversed() : runs).some((run) => run.differs(mutant))
