/**
 * Runs a program on the scenario's state machine: the prediction by which generation filters, and with
 * which replay is compared. Values are shared and edited in place, as in the emitted languages.
 */
import type {
  StepBlock,
  Call,
  Condition,
  Expr,
  ExecutionInput,
  JsonValue,
  JsonObject,
  Program,
  ProgramStep,
  WorldState,
} from '@stateeval/contracts'
import {
  type BlockName,
  getRootBlock,
  listExecutionPaths,
  listPathConditions,
  listSides,
  listWrittenSteps,
  nameBranch,
  type BranchSide,
  type PathEnd,
} from './blocks.ts'
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
import type { RandomSource } from './rng.ts'
import type { ScenarioOperation, Scenario } from './scenario.ts'
import { isExtreme } from './tensor/extremes.ts'

export type Interpretation =
  | {
      ok: true
      result: JsonObject
      world: WorldState
      /** The block in which the run ended. */
      branch: PathEnd
      /** The values that the conditions on its path measured, in order. */
      tested: readonly JsonValue[]
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

/**
 * The input of a test case that takes an execution path, by its number: of one if, 0 takes `then` and 1 flips
 * it. A condition that is not asked on the path keeps its first value.
 */
export const buildInput = (program: Program, path = 0): ExecutionInput =>
  cloneJson(chooseInput(program, path))

/** The same input, which shares its values with the program. */
export function chooseInput(program: Program, path: number): ExecutionInput {
  const flipped = program.schema === 1 ? null : listFlippedConstants(program, path)
  const variables = program.variables.map(({ name, values }): [string, unknown] => {
    const choice = flipped ? Number(flipped.has(name)) : path
    return [name, values[Math.min(choice, values.length - 1)]]
  })
  return { variables: Object.fromEntries(variables), world: program.world }
}

/** The constants of the conditions that a path leaves by their second branch. */
function listFlippedConstants(program: Program, path: number): ReadonlySet<string> {
  const end = listExecutionPaths(program)[path]?.branch ?? 'none'
  const conditions = listPathConditions(program, end)
  return new Set(
    listSides(end).flatMap((side, depth) => (side === 'otherwise' ? [conditions[depth]!.equals] : [])),
  )
}

/**
 * Tells whether a measurement takes the first branch of its condition. If a tensor's values are not
 * available, the constant replaces its elements: the program's first value and that of its first second world
 * were measured when they were available. Only a program's only if asks for elements.
 */
export function takesFirstBranch(
  { variables, secondWorlds }: Program,
  { path, equals }: Condition,
  measurement: unknown,
  expected: unknown,
): boolean {
  if (measurement === expected) return true
  if (typeof measurement !== 'string' || typeof expected !== 'number') return false
  if (!isExtreme(path.at(-1)) || path.at(-2) !== tensorKey) return false
  const first = variables.find(({ name }) => name === equals)?.values[0]
  return expected === first || expected === secondWorlds?.[0]?.variables[equals]
}

/** The inputs of a program's execution paths in its first world. */
export const listPathInputs = (program: Program): ExecutionInput[] =>
  listExecutionPaths(program).map((_, path) => buildInput(program, path))

/** The inputs of a program's test case: one for each execution path, then those in second worlds. */
export const listInputs = (program: Program): ExecutionInput[] => [
  ...listPathInputs(program),
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
function collectEditedVariables(program: Program): ReadonlySet<string> {
  const names = new Set<string>()
  for (const step of listWrittenSteps(program))
    if (step.kind === 'edit') for (const { variable } of listReferences(step)) names.add(variable)
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
  const measure = ({ variable, path, measure: what }: Condition): unknown => {
    const value = read(variable, path)
    return what === 'value' ? value : Array.isArray(value) ? value.length : undefined
  }
  const tested: JsonValue[] = []
  const finish = ({ steps, result, branch }: StepBlock, block: BlockName): Interpretation => {
    steps.forEach(run)
    if (branch) {
      const { condition } = branch
      const measurement = measure(condition)
      tested.push((measurement === undefined ? null : cloneJson(measurement)) as JsonValue)
      const side = takesFirstBranch(program, condition, measurement, read(condition.equals, []))
        ? 'then'
        : 'otherwise'
      return finish(branch[side], nameBranch(block, side))
    }
    const entries = result.map(({ key, value }) => [key, read(value.variable, value.path)])
    return {
      ok: true,
      result: Object.fromEntries(entries) as JsonObject,
      world: scenario.observe(world),
      branch: block === 'body' ? 'none' : block,
      tested,
    }
  }

  try {
    return finish(getRootBlock(program), 'body')
  } catch (error) {
    if (error instanceof InterpretationStop)
      return { ok: false, error: error.message, world: scenario.observe(world) }
    throw error
  }
}

/** Where a run of a program ended, and what its conditions measured. */
export type PathTaken = Pick<Extract<Interpretation, { ok: true }>, 'branch' | 'tested'>

/** Gives the branch to take at a condition, and a value of its constant that takes it; null if none does. */
type BranchChoice = (condition: Condition, tested: JsonValue, depth: number) => [BranchSide, JsonValue] | null

/**
 * The input with the constant of each condition that the run comes to set for a branch; null where a run
 * fails, or where `choose` finds no value.
 */
export function steerInput(
  program: Program,
  input: ExecutionInput,
  run: (input: ExecutionInput) => PathTaken | null,
  choose: BranchChoice,
): ExecutionInput | null {
  let steered = input
  let taken = run(input)
  for (let depth = 0; taken; depth++) {
    const condition = listPathConditions(program, taken.branch)[depth]
    if (!condition) return steered
    const chosen = choose(condition, taken.tested[depth] as JsonValue, depth)
    if (!chosen) return null
    const [side, value] = chosen
    steered = { ...steered, variables: { ...steered.variables, [condition.equals]: value } }
    // The way that it went already is the same way again.
    if (side !== listSides(taken.branch)[depth]) taken = run(steered)
  }
  return null
}

/** Chooses the branches of a path: the measured value takes the first, another one the second. */
export const chooseBranches =
  (program: Program, sides: readonly BranchSide[]): BranchChoice =>
  ({ equals }, tested, depth) => {
    const { values = [] } = program.variables.find(({ name }) => name === equals) ?? {}
    const other = values.findLast((value) => value !== tested) as JsonValue | undefined
    const side = sides[depth]
    if (tested === undefined || other === undefined || side === undefined) return null
    return [side, side === 'then' ? tested : other]
  }

/** The path that a program takes on an input; null where it fails. */
export function findPathTaken<W>(
  program: Program,
  scenario: Pick<Scenario<W>, 'operations' | 'open' | 'observe'>,
  input: ExecutionInput,
): PathTaken | null {
  const run = interpret(program, scenario, input)
  return run.ok ? run : null
}

/** Draws an execution path, by its number; a straight program has one. */
export const drawPath = (program: Program, rng: RandomSource): number => {
  const paths = listExecutionPaths(program).length
  return paths > 2 ? rng.int(0, paths - 1) : Number(rng.chance(0.5))
}
