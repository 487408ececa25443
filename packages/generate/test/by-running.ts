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
  type Interpretation,
  interpret,
  isCall,
  listReferences,
  type Scenario,
  listWrittenSteps,
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
  const body = remaining(program.body)
  if (!program.branch) return { ...program, body, result: left(program.result ?? []) }
  const { condition, then, otherwise } = program.branch
  if (missing.has(condition.variable)) return null
  const block = ({ steps, result }: StepBlock): StepBlock => ({
    steps: remaining(steps),
    result: left(result),
  })
  return { ...program, body, branch: { condition, then: block(then), otherwise: block(otherwise) } }
}

/** The program with its branches exchanged. */
const exchanged = (program: Program): Program[] =>
  program.branch
    ? [
        {
          ...program,
          branch: { ...program.branch, then: program.branch.otherwise, otherwise: program.branch.then },
        },
      ]
    : []

/** Whether omitting any step, or exchanging the branches, shows on one of the inputs. */
export function showsAll(program: Program, scenario: Scenario): boolean {
  const outcomes = (some: Program) => inputs(some).map((run) => outcomeOf(run, scenario))
  const inputs = (some: Program) =>
    ([0, 1] as const).map((choice) => interpret(some, scenario, buildInput(program, choice)))
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
