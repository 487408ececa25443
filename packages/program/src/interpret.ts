/**
 * Runs a program on the scenario's state machine: the prediction by which generation filters, and with
 * which replay is compared. Values are shared and edited in place, as in the emitted languages.
 */
import type {
  StepBlock,
  Call,
  Expr,
  ExecutionInput,
  JsonValue,
  JsonObject,
  Program,
  ProgramStep,
  WorldState,
} from '@stateeval/contracts'
import {
  readPath,
  evaluate,
  isCall,
  type ValuePath,
  listReferences,
  formatReference,
  tensorKey,
} from './expr.ts'
import { cloneJson } from './json.ts'
import { memoize } from './memoized.ts'
import type { ScenarioOperation, Scenario } from './scenario.ts'
import { isExtreme } from './tensor/extremes.ts'

export type Interpretation =
  | {
      ok: true
      result: JsonObject
      world: WorldState
      branch: 'then' | 'otherwise' | 'none'
      /** The value that the condition measured, where there is one. */
      tested?: JsonValue
    }
  | { ok: false; error: string; world: WorldState }

/**
 * A failure of the interpreted program: an outcome of the run, not a bug of ours. No Error, since a stack
 * costs more than most runs.
 */
class InterpretationStop {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}
function stop(message: string): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught below, and never leaves this file
  throw new InterpretationStop(message)
}

/** Caches operations by their list: programs are run by the thousand. */
const operationsById = memoize(
  (operations: readonly ScenarioOperation<never>[]): ReadonlyMap<string, ScenarioOperation<never>> =>
    new Map(operations.map((operation) => [operation.id, operation])),
)

/** The input of a test case for a choice of placeholder values: 0 takes `then`, 1 flips it. */
export function buildInput(program: Program, choice: 0 | 1 = 0): ExecutionInput {
  const variables = Object.fromEntries(
    program.variables.map(({ name, values }) => [
      name,
      cloneJson(values[Math.min(choice, values.length - 1)]),
    ]),
  )
  return { variables, world: cloneJson(program.world) }
}

/**
 * Tells whether a measurement takes the first branch. If a tensor's values are not available, the constant
 * replaces its elements: the program's first value and that of its first second world were measured when
 * they were available.
 */
export function takesFirstBranch(
  { variables, secondWorlds, branch }: Program,
  measurement: unknown,
  expected: unknown,
): boolean {
  if (measurement === expected) return true
  if (!branch || typeof measurement !== 'string' || typeof expected !== 'number') return false
  const { path, equals } = branch.condition
  if (!isExtreme(path.at(-1)) || path.at(-2) !== tensorKey) return false
  const first = variables.find(({ name }) => name === equals)?.values[0]
  return expected === first || expected === secondWorlds?.[0]?.variables[equals]
}

/** The inputs of a program's test case: two with a branch, then those in second worlds. */
export const listInputs = (program: Program): ExecutionInput[] => [
  buildInput(program, 0),
  ...(program.branch ? [buildInput(program, 1)] : []),
  ...(program.secondWorlds ?? []).map((input) => cloneJson(input)),
]

/** Is told each call that succeeded, in order: what it was given, changed, consumed and answered. */
type OnCall = (
  call: Call,
  effect: {
    args: Readonly<Record<string, JsonValue>>
    affects: readonly string[]
    reads: readonly string[]
    output?: JsonValue
  },
) => void

/**
 * The variables whose values edits change, or put into others: only these are shared and changed in place, so
 * only these need copies. Everything else that a run handles is never changed, and goes by as it is.
 */
function collectEditedVariables({ body, branch }: Program): ReadonlySet<string> {
  const names = new Set<string>()
  const look = (steps: readonly ProgramStep[]) => {
    for (const step of steps)
      if (step.kind === 'edit') for (const { variable } of listReferences(step)) names.add(variable)
  }
  look(body)
  if (branch) {
    look(branch.then.steps)
    look(branch.otherwise.steps)
  }
  return names
}

/**
 * Runs the program on one input. The same program and input give the same interpretation. The result may
 * share values with both, so they must not be changed in place.
 */
export function interpret<W>(
  program: Program,
  scenario: Pick<Scenario<W>, 'operations' | 'open' | 'observe'>,
  input: ExecutionInput = buildInput(program),
  onCall?: OnCall,
): Interpretation {
  const operations = operationsById(scenario.operations as never) as unknown as ReadonlyMap<
    string,
    ScenarioOperation<W>
  >
  const editedVariables = collectEditedVariables(program)
  const copyIfEdited = (variable: string, value: unknown) =>
    editedVariables.has(variable) ? cloneJson(value) : value
  const env = new Map<string, unknown>()
  for (const [name, value] of Object.entries(input.variables)) env.set(name, copyIfEdited(name, value))
  let world = scenario.open(input.world as JsonValue)

  const read = (variable: string, path: ValuePath): unknown => {
    const value = readPath(env.get(variable), path)
    if (value === undefined) return stop(`${formatReference({ variable, path })} is undefined`)
    return value
  }
  const valueOf = (expr: Expr) => evaluate(expr, ({ variable, path }) => read(variable, path))
  const run = (step: ProgramStep) => {
    if (!isCall(step)) {
      const { variable, path } = step.target
      const value = valueOf(step.value)
      if (path.length === 0) return void env.set(variable, value)
      const parent = read(variable, path.slice(0, -1))
      if (parent === null || typeof parent !== 'object')
        return stop(`${formatReference({ variable, path })} can't be set`)
      ;(parent as Record<string | number, unknown>)[path[path.length - 1] as string | number] = value
      return
    }
    const operation = operations.get(step.api)
    if (!operation) return stop(`no API ${step.api}`)
    // Arguments cross a process in the real run, so the world never shares with the program what edits may
    // change.
    const shared =
      editedVariables.size > 0 && listReferences(step).some(({ variable }) => editedVariables.has(variable))
    const args: Record<string, JsonValue> = {}
    for (const [name, expr] of Object.entries(step.args))
      args[name] = (shared ? cloneJson(valueOf(expr)) : valueOf(expr)) as JsonValue
    const transition = operation.apply(world, args)
    if (!transition.ok) return stop(`${step.api}: ${transition.error.status} ${transition.error.message}`)
    world = transition.world
    onCall?.(step, { ...transition, args })
    if (step.binds) env.set(step.binds, copyIfEdited(step.binds, transition.output ?? null))
  }
  const finish = (
    { steps, result }: StepBlock,
    branch: 'then' | 'otherwise' | 'none',
    tested?: JsonValue,
  ): Interpretation => {
    steps.forEach(run)
    const entries = result.map(({ key, value }) => [key, read(value.variable, value.path)])
    return {
      ok: true,
      result: Object.fromEntries(entries) as JsonObject,
      world: scenario.observe(world),
      branch,
      ...(tested === undefined ? {} : { tested }),
    }
  }

  try {
    if (!program.branch) return finish({ steps: program.body, result: program.result ?? [] }, 'none')
    program.body.forEach(run)
    const { condition, then, otherwise } = program.branch
    const variableValue = read(condition.variable, condition.path)
    const measurement =
      condition.measure === 'count'
        ? Array.isArray(variableValue)
          ? variableValue.length
          : undefined
        : variableValue
    const testedValue = (measurement === undefined ? null : cloneJson(measurement)) as JsonValue
    return takesFirstBranch(program, measurement, read(condition.equals, []))
      ? finish(then, 'then', testedValue)
      : finish(otherwise, 'otherwise', testedValue)
  } catch (error) {
    if (error instanceof InterpretationStop)
      return { ok: false, error: error.message, world: scenario.observe(world) }
    throw error
  }
}
