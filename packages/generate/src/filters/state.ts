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
import { replacedAt, valueOf } from '../trace.ts'

export type Args = Readonly<Record<string, JsonValue>>

/** A value under its name, and what was bound before it. */
interface Binding {
  name: string
  value: JsonValue
  before: Binding | undefined
}
export interface State<W> {
  world: W
  newest: Binding | undefined
}

/** The observable part of a run. */
export interface Shown {
  result: JsonObject
  world: WorldState
}

export function valueNamed(newest: Binding | undefined, name: string): JsonValue | undefined {
  for (let at = newest; at; at = at.before) if (at.name === name) return at.value
  return undefined
}
export const bound = <W>({ world, newest }: State<W>, name: string, value: JsonValue): State<W> => ({
  world,
  newest: { name, value, before: newest },
})

/** The initial state of an input. */
export function started<W>(scenario: Scenario<W>, { world, variables }: ExecutionInput): State<W> {
  let state: State<W> = { world: scenario.open(world as JsonValue), newest: undefined }
  for (const [name, value] of Object.entries(variables)) state = bound(state, name, value as JsonValue)
  return state
}

/** The state after a local edit; null if it fails. */
export function edited<W>(
  state: State<W>,
  { target, value }: Extract<ProgramStep, { kind: 'edit' }>,
): State<W> | null {
  const part = valueOf(value, (variable) => valueNamed(state.newest, variable))
  if (part === undefined) return null
  const { variable, path } = target
  if (path.length === 0) return bound(state, variable, part)
  const holder = valueNamed(state.newest, variable)
  const parent = readPath(holder, path.slice(0, -1))
  if (holder === undefined || parent === null || typeof parent !== 'object') return null
  return bound(state, variable, replacedAt(holder, path, part))
}

/** The value of an expression in a state; undefined if a reference has no value. */
export const valueIn = ({ newest }: Pick<State<unknown>, 'newest'>, expr: Expr): JsonValue | undefined =>
  expr.kind === 'reference' && expr.path.length === 0
    ? valueNamed(newest, expr.variable)
    : expr.kind === 'literal'
      ? (expr.value as JsonValue)
      : valueOf(expr, (variable) => valueNamed(newest, variable))

/** The arguments of a call; null if a reference has no value. */
export function argsIn(state: Pick<State<unknown>, 'newest'>, { args: exprs }: Call): Args | null {
  const args: Record<string, JsonValue> = {}
  for (const name of Object.keys(exprs)) {
    const value = valueIn(state, exprs[name] as Expr)
    if (value === undefined) return null
    args[name] = value
  }
  return args
}

/** The state after a call with these arguments; null if it fails. */
export function called<W>(
  { world, newest }: State<W>,
  { binds }: Call,
  args: Args,
  operation: ScenarioOperation<W> | undefined,
): State<W> | null {
  const transition = operation?.apply(world, args)
  if (!transition?.ok) return null
  return {
    world: transition.world,
    newest: binds ? { name: binds, value: transition.output ?? null, before: newest } : newest,
  }
}

/** The measurement of a condition; undefined if it cannot be evaluated. */
export function measured<W>(
  { newest }: Pick<State<W>, 'newest'>,
  { variable, path, measure }: Condition,
): JsonValue | undefined {
  const value = readPath(valueNamed(newest, variable), path) as JsonValue | undefined
  if (measure === 'count') return Array.isArray(value) ? value.length : undefined
  return value
}
