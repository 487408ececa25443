/** Whether omitting a call or an edit, or taking the other branch, would show: in RESULT or in the final world, on at least one input. */
import type { Block, Input, Program, Step } from '@stateeval/contracts'
import { type Interpretation, interpret, isCall, references, type Scenario } from '@stateeval/program'
import { alike } from './alike.ts'

/** The program without its n-th written step and all that depends on it; null where the condition does. */
export function without(program: Program, index: number): Program | null {
  const gone = new Set<string>()
  let at = 0
  const kept = (steps: readonly Step[]) =>
    steps.filter((step) => {
      const drop = at++ === index || (gone.size > 0 && references(step).some(({ variable }) => gone.has(variable)))
      if (drop && isCall(step) && step.binds) gone.add(step.binds)
      return !drop
    })
  const left = (result: Block['result']) => (gone.size > 0 ? result.filter(({ value }) => !gone.has(value.variable)) : result)
  const body = kept(program.body)
  if (!program.branch) return { ...program, body, result: left(program.result ?? []) }
  const { condition, then, otherwise } = program.branch
  if (gone.has(condition.variable)) return null
  const block = ({ steps, result }: Block): Block => ({ steps: kept(steps), result: left(result) })
  return { ...program, body, branch: { condition, then: block(then), otherwise: block(otherwise) } }
}

/** Whether every call and edit of the program, and its condition, matters on at least one of the inputs. `runs`: what the program does on them. */
export function isObservable(
  program: Program,
  scenario: Scenario,
  inputs: readonly Input[],
  steps: number,
  runs: readonly Interpretation[] = inputs.map((input) => interpret(program, scenario, input)),
): boolean {
  const keys = runs.map((run) => (run.ok ? keysOf(Object.keys(run.result)) : null))
  // A RESULT of other keys shows whatever the run does: most steps need no run to be judged.
  const showsByKeys = (other: Program) => {
    const possible = resultsOf(other).map((result) => keysOf(result.map(({ key }) => key)))
    return keys.some((truly) => truly !== null && !possible.includes(truly))
  }
  const shows = (other: Program, on: (run: Interpretation) => boolean) =>
    inputs.some((input, which) => {
      const run = runs[which] as Interpretation
      return on(run) && !alike(interpret(other, scenario, input), run, scenario)
    })
  const reaches = stepsOnPaths(program)
  for (let index = 0; index < steps; index++) {
    const less = without(program, index)
    // A run that doesn't come by the step goes on without it as before.
    if (less && !showsByKeys(less) && !shows(less, (run) => !run.ok || reaches(run.branch, index))) return false
  }
  const { branch } = program
  if (!branch) return true
  // The condition is asked as before, so a run goes the other way to the other keys.
  const others = { then: branch.otherwise, otherwise: branch.then }
  const goesToOtherKeys = runs.some(
    (run, which) => run.ok && run.branch !== 'none' && keysOf(others[run.branch].result.map(({ key }) => key)) !== keys[which],
  )
  return goesToOtherKeys || shows({ ...program, branch: { ...branch, ...others } }, () => true)
}

const keysOf = (keys: readonly string[]) => (keys.length === 1 ? (keys[0] as string) : keys.toSorted().join())
const resultsOf = ({ result = [], branch }: Program) => (branch ? [branch.then.result, branch.otherwise.result] : [result])

/** Whether the n-th written step stands on the path that a run takes. */
function stepsOnPaths({ body, branch }: Program) {
  const beforeOtherwise = body.length + (branch?.then.steps.length ?? 0)
  return (taken: 'then' | 'otherwise' | 'none', index: number) =>
    index < body.length || (index < beforeOtherwise ? taken === 'then' : taken === 'otherwise')
}
