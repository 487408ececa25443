/**
 * Inputs in a second world. On inputs that share one world, a constant can replace a call's output there.
 * So each path gets one more input with different outputs. The paper has one world (section III-D); this
 * extends it.
 */
import type { ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import {
  collectScenarioCalls,
  chooseBranches,
  copiedOutput,
  listExecutionPaths,
  listSides,
  type PathTaken,
  type RandomSource,
  type Scenario,
  steerInput,
  StepSite,
} from '@stateeval/program'
import { isVisibleSite } from './filters/observable.ts'
import { ReferenceRun } from './filters/reference-run.ts'

const attempts = 32

/**
 * For each path of a program, an input in a second world, such that no call's output on one input can
 * replace the call: none if the first world already shows this, null if no such world was found. `runs` are
 * the runs in the first.
 */
export function buildSecondWorlds<W>(
  program: Program,
  scenario: Scenario<W>,
  runs: readonly ReferenceRun<W>[],
  rng: RandomSource,
): ExecutionInput[] | null {
  const unseen = listOutputCopies(program, scenario, runs).filter((copy) => !isVisibleSite(copy, runs))
  if (unseen.length === 0) return []
  for (let attempt = 0; attempt < attempts; attempt++) {
    const steeredRuns = steerInputs(program, scenario, scenario.vary(program, rng.fork(attempt)))
    if (!steeredRuns) continue
    const others = steeredRuns.map(({ run }) => run)
    if (others.some(({ view, branchTaken }, n) => view === null || branchTaken !== runs[n]?.branchTaken))
      continue
    if (!unseen.every((copy) => isVisibleSite(copy, others))) continue
    const all = [...runs, ...others]
    if (listOutputCopies(program, scenario, others).every((copy) => isVisibleSite(copy, all)))
      return steeredRuns.map(({ input }) => input)
  }
  return null
}

/** Each call's output on some of these runs in place of the call. */
function listOutputCopies<W>(
  program: Program,
  scenario: Scenario<W>,
  runs: readonly ReferenceRun<W>[],
): StepSite[] {
  const calls = collectScenarioCalls(scenario)
  const values = new Set<JsonValue>()
  return runs.flatMap((run) => {
    const answers = new Map<string, JsonValue>()
    run.answers(answers)
    // A value that runs share is made only once.
    for (const [name, value] of answers) if (values.has(value)) answers.delete(name)
    for (const value of answers.values()) if (typeof value === 'object') values.add(value)
    return copiedOutput.sites(program, { answers, calls }).filter((site) => site instanceof StepSite)
  })
}

/**
 * For each path, the input with the constants of its conditions set so that it is taken, with its run; null
 * where the program fails before.
 */
function steerInputs<W>(
  program: Program,
  scenario: Scenario<W>,
  input: ExecutionInput,
): { input: ExecutionInput; run: ReferenceRun<W> }[] | null {
  const first = new ReferenceRun(program, scenario, input)
  const runs: { input: ExecutionInput; run: ReferenceRun<W> }[] = []
  for (const { branch } of listExecutionPaths(program)) {
    let run = first
    const follow = (steered: ExecutionInput): PathTaken => {
      if (steered !== input) run = new ReferenceRun(program, scenario, steered, run)
      const { branchTaken, tested } = run
      return { branch: branchTaken === 'body' ? 'none' : branchTaken, tested: tested as JsonValue[] }
    }
    const steered = steerInput(program, input, follow, chooseBranches(program, listSides(branch)))
    if (!steered) return null
    runs.push({ input: steered, run: new ReferenceRun(program, scenario, steered, run) })
  }
  return runs
}
