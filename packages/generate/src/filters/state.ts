/**
 * A state of a run: the world, and the values of variables. States are values: each shares structure with
 * the previous one.
 */
import type {
  Call,
  Condition,
  Expr,
  ExecutionInput,
  JsonValue,
  JsonObject,
  ProgramStep,
  WorldState,
} from '@stateeval/contracts'
import { readPath, type ScenarioOperation, type Scenario } from '@stateeval/program'
import { replacePart, evaluateValue } from '../trace.ts'

export type CallArguments = Readonly<Record<string, JsonValue>>

/** A value under its name, and what was bound before it. */
interface StateBinding {
  name: string
  value: JsonValue
  before: StateBinding | undefined
}
export interface RunState<W> {
  world: W
  newest: StateBinding | undefined
}

/** The observable part of a run. */
export interface ShownOutcome {
  result: JsonObject
  world: WorldState
}

export function findNamedValue(newest: StateBinding | undefined, name: string): JsonValue | undefined {
  for (let at = newest; at; at = at.before) if (at.name === name) return at.value
  return undefined
}
const bindValue = <W>({ world, newest }: RunState<W>, name: string, value: JsonValue): RunState<W> => ({
  world,
  newest: { name, value, before: newest },
})

/** The initial state of an input. */
export function startState<W>(scenario: Scenario<W>, { world, variables }: ExecutionInput): RunState<W> {
  let state: RunState<W> = { world: scenario.open(world as JsonValue), newest: undefined }
  for (const [name, value] of Object.entries(variables)) state = bindValue(state, name, value as JsonValue)
  return state
}

/** The state after a local edit; null if it fails. */
export function applyStateEdit<W>(
  state: RunState<W>,
  { target, value }: Extract<ProgramStep, { kind: 'edit' }>,
): RunState<W> | null {
  const part = evaluateValue(value, (variable) => findNamedValue(state.newest, variable))
  if (part === undefined) return null
  const { variable, path } = target
  if (path.length === 0) return bindValue(state, variable, part)
  const holder = findNamedValue(state.newest, variable)
  const parent = readPath(holder, path.slice(0, -1))
  if (holder === undefined || parent === null || typeof parent !== 'object') return null
  return bindValue(state, variable, replacePart(holder, path, part))
}

/** The value of an expression in a state; undefined if a reference has no value. */
export const evaluateExpr = (
  { newest }: Pick<RunState<unknown>, 'newest'>,
  expr: Expr,
): JsonValue | undefined =>
  expr.kind === 'reference' && expr.path.length === 0
    ? findNamedValue(newest, expr.variable)
    : expr.kind === 'literal'
      ? (expr.value as JsonValue)
      : evaluateValue(expr, (variable) => findNamedValue(newest, variable))

/** The arguments of a call; null if a reference has no value. */
export function evaluateCallArguments(
  state: Pick<RunState<unknown>, 'newest'>,
  { args: exprs }: Call,
): CallArguments | null {
  const args: Record<string, JsonValue> = {}
  for (const name of Object.keys(exprs)) {
    const value = evaluateExpr(state, exprs[name] as Expr)
    if (value === undefined) return null
    args[name] = value
  }
  return args
}

/** The state after a call with these arguments; null if it fails. */
export function applyCall<W>(
  { world, newest }: RunState<W>,
  { binds }: Call,
  args: CallArguments,
  operation: ScenarioOperation<W> | undefined,
): RunState<W> | null {
  const transition = operation?.apply(world, args)
  if (!transition?.ok) return null
  return {
    world: transition.world,
    newest: binds ? { name: binds, value: transition.output ?? null, before: newest } : newest,
  }
}

/** The measurement of a condition; undefined if it cannot be evaluated. */
export function measureCondition<W>(
  { newest }: Pick<RunState<W>, 'newest'>,
  { variable, path, measure }: Condition,
): JsonValue | undefined {
  const value = readPath(findNamedValue(newest, variable), path) as JsonValue | undefined
  if (measure === 'count') return Array.isArray(value) ? value.length : undefined
  return value
}
