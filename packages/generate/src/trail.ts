/** A trace in the making: the states after its calls so far. Trails are values, so a branch goes on from a copy. */
import type { Atom, Call, Expr, Json, LocalEdit, Reference, Step, Variable } from '@stateeval/contracts'
import {
  afterCall,
  at,
  type Binding,
  type Candidate,
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
  /** Variables that calls have brought into the initialisation block, and the next number of each stem. */
  introduced: readonly Variable[]
  numbers: Readonly<Record<string, number>>
  /** The trail before the last call; undefined at the start. */
  before?: Trail<W>
}

/** One way to go on: a valid call, with the local edits right before it. */
export interface Move<W> extends Candidate {
  /** The trail once the edits are made. */
  ready: Trail<W>
}

export function startTrail<W>(scenario: Scenario<W>, variables: readonly { name: string; value: Json }[], world: Json): Trail<W> {
  const bindings = variables.map(({ name, value }) => ({ name, value, createdAt: 0, used: false }))
  const numbers: Record<string, number> = {}
  for (const { name } of variables) {
    const [, stem, number] = /^(.*)_(\d+)$/.exec(name) ?? []
    if (stem !== undefined) numbers[stem] = Math.max(numbers[stem] ?? 0, Number(number) + 1)
  }
  return { world: scenario.open(world), bindings, steps: [], history: emptyHistory, next: 0, introduced: [], numbers }
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

/** The trail with the variables that a move brings, and its call with their names. */
function introduce<W>({ ready, call, introduces = [] }: Move<W>): { ready: Trail<W>; call: Call } {
  if (introduces.length === 0) return { ready, call }
  const numbers = { ...ready.numbers }
  const names = new Map(
    introduces.map(({ stem }) => {
      const number = numbers[stem] ?? 0
      numbers[stem] = number + 1
      return [stem, `${stem}_${number}`]
    }),
  )
  const added = introduces.map(({ stem, value }) => ({ name: names.get(stem) as string, value, createdAt: 0, used: false }))
  const introduced: Variable[] = added.map(({ name, value }) => ({ name, role: 'user', values: [value] }))
  return {
    ready: {
      ...ready,
      bindings: [...ready.bindings, ...added],
      introduced: [...ready.introduced, ...introduced],
      numbers,
    },
    call: renamed(call, names),
  }
}

function renamed(call: Call, names: ReadonlyMap<string, string>): Call {
  const atom = <T extends Atom>(item: T): T =>
    item.kind === 'reference' && names.has(item.variable) ? { ...item, variable: names.get(item.variable) as string } : item
  const expr = (given: Expr): Expr => {
    if (given.kind === 'list') return { ...given, items: given.items.map(atom) }
    if (given.kind === 'object')
      return { ...given, entries: Object.fromEntries(Object.entries(given.entries).map(([key, item]) => [key, atom(item)])) }
    return atom(given)
  }
  return { ...call, args: Object.fromEntries(Object.entries(call.args).map(([name, given]) => [name, expr(given)])) }
}

/** The trail after a move. Throws if the call fails: a solved call that does is a bug of the scenario. */
export function extend<W>(trail: Trail<W>, move: Move<W>, operation: Operation<W>): Trail<W> {
  const { ready, call: made } = introduce(move)
  const args: Record<string, Json> = {}
  for (const [name, expr] of Object.entries(made.args)) args[name] = valueOf(ready.bindings, expr)
  const transition = operation.apply(ready.world, args)
  if (!transition.ok) throw new Error(`${operation.id} solved a call that fails: ${transition.error.status} ${transition.error.message}`)
  const call: Call = transition.output === undefined ? made : { ...made, binds: `response_${ready.next}` }
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
    introduced: ready.introduced,
    numbers: ready.numbers,
    before: trail,
  }
}
