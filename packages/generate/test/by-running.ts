/**
 * What the observability filter says, found the long way: by running whole programs on the state machine,
 * with and without each step.
 */
import {
  type StepBlock,
  type JsonValue,
  type Program,
  type ProgramStep,
  canonicalJson,
} from '@stateeval/contracts'
import {
  buildInput,
  getRootBlock,
  type Interpretation,
  interpret,
  isCall,
  listExecutionPaths,
  listIfs,
  listReferences,
  type Scenario,
  listWrittenSteps,
  withBlock,
  withRootBlock,
} from '@stateeval/program'

/** The program without its n-th written step and all that depends on it; null where the condition does. */
export function without(program: Program, index: number): Program | null {
  const missing = new Set<string>()
  let at = 0
  const remaining = (steps: readonly ProgramStep[]) =>
    steps.filter((step) => {
      const drop = at++ === index || listReferences(step).some(({ variable }) => missing.has(variable))
      if (drop && isCall(step) && step.binds) missing.add(step.binds)
      return !drop
    })
  const left = (result: StepBlock['result']) => result.filter(({ value }) => !missing.has(value.variable))
  const block = ({ steps, result, branch }: StepBlock): StepBlock | null => {
    const own = { steps: remaining(steps), result: left(result) }
    if (!branch) return own
    if (missing.has(branch.condition.variable)) return null
    const [then, otherwise] = [block(branch.then), block(branch.otherwise)]
    return then && otherwise && { ...own, branch: { ...branch, then, otherwise } }
  }
  const root = block(getRootBlock(program))
  return root && withRootBlock(program, root)
}

/** The program with the branches of one of its ifs exchanged. */
const exchanged = (program: Program): Program[] =>
  listIfs(program).map(({ block, branch: { condition, then, otherwise } }) =>
    withBlock(program, block, (one) => ({ ...one, branch: { condition, then: otherwise, otherwise: then } })),
  )

/** Whether omitting any step, or exchanging the branches, shows on one of the inputs. */
export function showsAll(program: Program, scenario: Scenario): boolean {
  const outcomes = (some: Program) => inputs(some).map((run) => outcomeOf(run, scenario))
  const inputs = (some: Program) =>
    [...listExecutionPaths(program).keys()].map((path) =>
      interpret(some, scenario, buildInput(program, path)),
    )
  const truly = canonicalJson(outcomes(program))
  const others = [
    ...listWrittenSteps(program).map((_, index) => without(program, index)),
    ...exchanged(program),
  ]
  return others.every((other) => other === null || canonicalJson(outcomes(other)) !== truly)
}

/** RESULT and the final world, issued ids blanked and unordered lists sorted. */
export function outcomeOf(run: Interpretation, { compare }: Scenario): JsonValue {
  if (!run.ok) return 'failed'
  const issued = new Set(run.world.ids.created)
  const blanked = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, part: unknown) =>
      typeof part === 'string' && issued.has(part) ? 'issued' : part,
    ) as JsonValue
  const state = blanked(run.world.state) as Record<string, JsonValue[]>
  for (const [list] of compare.unordered)
    if (list !== undefined) state[list] = (state[list] ?? []).map((item) => canonicalJson(item)).sort()
  return [blanked(run.result), state]
}
