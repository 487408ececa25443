/** A trace in the making: the states after its calls so far. Trails are values, so a branch goes on from a copy. */
import type { Call, Expr, Json, LocalEdit, Reference, Step } from '@stateeval/contracts'
import {
  afterCall,
  at,
  type Binding,
  emptyHistory,
  evaluate,
  flow,
  type Operation,
  type Path,
  references,
  type Scenario,
  type StateHistory,
} from '@stateeval/program'

export interface Trail<W> {
  world: W
  /** In order of creation, with the values that the state machine predicts. */
  bindings: readonly Binding[]
  steps: readonly Step[]
  history: StateHistory
  /** The number of the next output, never given twice in a program. */
  next: number
  /** The trail before the last call; undefined at the start. */
  before?: Trail<W>
}

/** One way to go on: a valid call, with the local edits right before it. */
export interface Move<W> {
  call: Call
  consumes: readonly string[]
  /** The trail once the edits are made. */
  ready: Trail<W>
}

export function startTrail<W>(scenario: Scenario<W>, variables: readonly { name: string; value: Json }[], world: Json): Trail<W> {
  const bindings = variables.map(({ name, value }) => ({ name, value, createdAt: 0, used: false }))
  return { world: scenario.open(world), bindings, steps: [], history: emptyHistory, next: 0 }
}

function read(bindings: readonly Binding[], { variable, path }: Reference): Json {
  const value = at(bindings.find(({ name }) => name === variable)?.value, path)
  if (value === undefined) throw new Error(`a solved call refers to ${variable}, which has nothing at ${JSON.stringify(path)}`)
  return value as Json
}

const valueOf = (bindings: readonly Binding[], expr: Expr) => evaluate(expr, (reference) => read(bindings, reference)) as Json

function set(value: Json, path: Path, part: Json): Json {
  const [key, ...rest] = path
  if (key === undefined) return part
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? set(item, rest, part) : item))
  const record = value as { [key: string]: Json }
  return { ...record, [key]: set(record[key] as Json, rest, part) }
}

const mark = (bindings: readonly Binding[], names: ReadonlySet<string>) =>
  bindings.map((binding) => (names.has(binding.name) && !binding.used ? { ...binding, used: true } : binding))

/** The trail after a local edit. */
export function edited<W>(trail: Trail<W>, edit: LocalEdit): Trail<W> {
  const value = valueOf(trail.bindings, edit.value)
  const changed = trail.bindings.map((binding) =>
    binding.name === edit.target.variable ? { ...binding, value: set(binding.value, edit.target.path, value) } : binding,
  )
  const bindings = mark(changed, new Set(edit.value.kind === 'reference' ? [edit.value.variable] : []))
  return {
    ...trail,
    bindings,
    steps: [...trail.steps, edit],
    history: { ...trail.history, origins: flow(trail.history.origins, edit, -1) },
  }
}

/** The trail after a move. Throws if the call fails: a solved call that does is a bug of the scenario. */
export function extend<W>(trail: Trail<W>, move: Move<W>, operation: Operation<W>): Trail<W> {
  const { ready } = move
  const args = Object.fromEntries(Object.entries(move.call.args).map(([name, expr]) => [name, valueOf(ready.bindings, expr)]))
  const transition = operation.apply(ready.world, args)
  if (!transition.ok) throw new Error(`${operation.id} solved a call that fails: ${transition.error.status} ${transition.error.message}`)
  const call: Call = transition.output === undefined ? move.call : { ...move.call, binds: `response_${ready.next}` }
  const used = mark(ready.bindings, new Set(references(call).map(({ variable }) => variable)))
  const output: Binding[] = call.binds
    ? [{ name: call.binds, value: transition.output as Json, api: call.api, call, createdAt: ready.steps.length, used: false }]
    : []
  return {
    world: transition.world,
    bindings: [...used, ...output],
    steps: [...ready.steps, call],
    history: afterCall(ready.history, call, transition.affects),
    next: ready.next + output.length,
    before: trail,
  }
}
