/** Whether omitting a call or an edit, or taking the other branch, would show: in RESULT or in the final world, on at least one input. */
import type { Block, Input, Program, Step, WorldState } from '@stateeval/contracts'
import { canonicalJson, type Interpretation, interpret, isCall, references, type Scenario } from '@stateeval/program'

/** The program without its n-th written step and all that depends on it; null where the condition does. */
export function without(program: Program, index: number): Program | null {
  const gone = new Set<string>()
  let at = 0
  const kept = (steps: readonly Step[]) =>
    steps.filter((step) => {
      const drop = at++ === index || references(step).some(({ variable }) => gone.has(variable))
      if (drop && isCall(step) && step.binds) gone.add(step.binds)
      return !drop
    })
  const left = (result: Block['result']) => result.filter(({ value }) => !gone.has(value.variable))
  const body = kept(program.body)
  if (!program.branch) return { ...program, body, result: left(program.result ?? []) }
  const { condition, then, otherwise } = program.branch
  if (gone.has(condition.variable)) return null
  const block = ({ steps, result }: Block): Block => ({ steps: kept(steps), result: left(result) })
  return { ...program, body, branch: { condition, then: block(then), otherwise: block(otherwise) } }
}

/** RESULT and final world as a text, up to the ids that the run issued and the order that says nothing. */
function seen(run: Interpretation, scenario: Scenario): string {
  if (!run.ok) return `failed`
  const issued = new Set(run.world.ids.created)
  const blank = (value: unknown): unknown => {
    if (typeof value === 'string') return issued.has(value) ? '<id>' : value
    if (Array.isArray(value)) return value.map(blank)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, blank(item)]))
  }
  const plain = issued.size === 0 ? (value: unknown) => value : blank
  return canonicalJson([plain(run.result), sorted(plain(run.world.state), scenario)])
}

function sorted(state: unknown, { compare }: Scenario): unknown {
  const sort = (value: unknown, path: readonly (string | number)[]): unknown => {
    const [key, ...rest] = path
    if (key === undefined) return Array.isArray(value) ? value.map(canonicalJson).sort() : value
    return { ...(value as object), [key]: sort((value as Record<string | number, WorldState>)[key], rest) }
  }
  return compare.unordered.reduce((now, path) => sort(now, path), state)
}

/** Whether every call and edit of the program, and its condition, matters on at least one of the inputs. `runs`: what the program does on them. */
export function isObservable(
  program: Program,
  scenario: Scenario,
  inputs: readonly Input[],
  steps: number,
  runs: readonly Interpretation[] = inputs.map((input) => interpret(program, scenario, input)),
): boolean {
  const truth = runs.map((run) => seen(run, scenario))
  const keys = runs.map((run) => (run.ok ? keysOf(Object.keys(run.result)) : null))
  // A RESULT of other keys shows whatever the run does: most steps need no run to be judged.
  const showsByKeys = (other: Program) => {
    const possible = resultsOf(other).map((result) => keysOf(result.map(({ key }) => key)))
    return keys.some((truly) => truly !== null && !possible.includes(truly))
  }
  const same = (other: Program) => inputs.every((input, which) => seen(interpret(other, scenario, input), scenario) === truth[which])
  for (let index = 0; index < steps; index++) {
    const less = without(program, index)
    if (less && !showsByKeys(less) && same(less)) return false
  }
  const { branch } = program
  if (!branch) return true
  // The condition is asked as before, so a run goes the other way to the other keys.
  const others = { then: branch.otherwise, otherwise: branch.then }
  const goesToOtherKeys = runs.some(
    (run, which) => run.ok && run.branch !== 'none' && keysOf(others[run.branch].result.map(({ key }) => key)) !== keys[which],
  )
  return goesToOtherKeys || !same({ ...program, branch: { ...branch, ...others } })
}

const keysOf = (keys: readonly string[]) => keys.toSorted().join()
const resultsOf = ({ result = [], branch }: Program) => (branch ? [branch.then.result, branch.otherwise.result] : [result])
