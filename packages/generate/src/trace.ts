/**
 * A trace in progress: the states after its calls so far. Traces are values, so a branch extends a copy.
 */
import type {
  Atom,
  Call,
  Expr,
  JsonValue,
  LocalEdit,
  VariableReference,
  ProgramStep,
  Variable,
} from '@stateeval/contracts'
import {
  extendHistory,
  readPath,
  type ScopeBinding,
  type PossibleCall,
  emptyHistory,
  updateOrigins,
  type ScenarioOperation,
  type ValuePath,
  listReferences,
  type Scenario,
  type StateHistory,
} from '@stateeval/program'

export interface ProgramTrace<W> {
  world: W
  /** In order of creation, with the values that the state machine predicts. */
  bindings: readonly ScopeBinding[]
  steps: readonly ProgramStep[]
  history: StateHistory
  /** The number of the next output, never given twice in a program. */
  next: number
  /** Variables that calls have brought into the initialisation block, and the next number of each stem. */
  introduced: readonly Variable[]
  numbers: Readonly<Record<string, number>>
  /** The trace before the last call; undefined at the start. */
  before: ProgramTrace<W> | undefined
}

/** One continuation: a valid call, with the local edits right before it. */
export interface TraceMove<W> extends PossibleCall {
  /** The trace once the edits are made. */
  ready: ProgramTrace<W>
}

export function startTrace<W>(
  scenario: Scenario<W>,
  variables: readonly { name: string; value: JsonValue }[],
  world: JsonValue,
): ProgramTrace<W> {
  const bindings = variables.map(({ name, value }) => createVariableBinding(name, value))
  const numbers: Record<string, number> = {}
  for (const { name } of variables) {
    const end = name.lastIndexOf('_')
    const [stem, number] = [name.slice(0, end), name.slice(end + 1)]
    if (end >= 0 && /^\d+$/.test(number)) numbers[stem] = Math.max(numbers[stem] ?? 0, Number(number) + 1)
  }
  return {
    world: scenario.open(world),
    bindings,
    steps: [],
    history: emptyHistory,
    next: 0,
    introduced: [],
    numbers,
    before: undefined,
  }
}

// All bindings have the same fields in the same order, and so have all traces: what reads them is several
// times as fast then.
const createVariableBinding = (name: string, value: JsonValue): ScopeBinding => ({
  name,
  value,
  api: undefined,
  call: undefined,
  createdAt: 0,
  used: false,
})

/** The trace, with new names numbered after those of another. */
export const renumberTrace = <W>(
  { world, bindings, steps, history, introduced, before }: ProgramTrace<W>,
  { next, numbers }: ProgramTrace<W>,
): ProgramTrace<W> => ({
  world,
  bindings,
  steps,
  history,
  next,
  introduced,
  numbers,
  before,
})

/** Finds the value of a variable; undefined where there is none of the name. */
function findVariableValue(bindings: readonly ScopeBinding[], variable: string): JsonValue | undefined {
  for (const binding of bindings) if (binding.name === variable) return binding.value
  return undefined
}

/**
 * The value of an expression over values that are never changed in place; undefined if a reference has no
 * value.
 */
export function evaluateValue(
  expr: Expr,
  valueNamed: (variable: string) => JsonValue | undefined,
): JsonValue | undefined {
  switch (expr.kind) {
    case 'literal':
      return expr.value as JsonValue
    case 'reference':
      return readPath(valueNamed(expr.variable), expr.path) as JsonValue | undefined
    case 'list': {
      const items: JsonValue[] = []
      for (const item of expr.items) {
        const value = evaluateValue(item, valueNamed)
        if (value === undefined) return undefined
        items.push(value)
      }
      return items
    }
    case 'object': {
      const entries: Record<string, JsonValue> = {}
      for (const key of Object.keys(expr.entries)) {
        const value = evaluateValue(expr.entries[key] as Atom, valueNamed)
        if (value === undefined) return undefined
        entries[key] = value
      }
      return entries
    }
  }
}

function evaluateBound(bindings: readonly ScopeBinding[], expr: Expr): JsonValue {
  const value = evaluateValue(expr, (variable) => findVariableValue(bindings, variable))
  if (value === undefined) throw new Error(`a solved step refers to a missing value: ${JSON.stringify(expr)}`)
  return value
}

/** A value with another part at a path; all other parts are shared. */
export function replacePart(value: JsonValue, path: ValuePath, part: JsonValue, from = 0): JsonValue {
  if (from === path.length) return part
  const key = path[from] as string | number
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? replacePart(item, path, part, from + 1) : item))
  const record = value as { [key: string]: JsonValue }
  return { ...record, [key]: replacePart(record[key] as JsonValue, path, part, from + 1) }
}

/** The bindings as they are once these references were read. */
function markRead(
  bindings: readonly ScopeBinding[],
  readReferences: readonly VariableReference[],
): ScopeBinding[] {
  const after = bindings.slice()
  for (const { variable } of readReferences)
    for (let place = 0; place < after.length; place++) {
      const binding = after[place] as ScopeBinding
      if (binding.name === variable && !binding.used) after[place] = { ...binding, used: true }
    }
  return after
}

/** The trace after a local edit. */
export function applyTraceEdit<W>(trace: ProgramTrace<W>, edit: LocalEdit): ProgramTrace<W> {
  const { target } = edit
  const bindings = markRead(trace.bindings, edit.value.kind === 'reference' ? [edit.value] : [])
  const place = bindings.findIndex(({ name }) => name === target.variable)
  const holder = bindings[place] as ScopeBinding
  bindings[place] = {
    ...holder,
    value: replacePart(holder.value, target.path, evaluateBound(trace.bindings, edit.value)),
  }
  const { apis, origins, remote } = trace.history
  return {
    world: trace.world,
    bindings,
    steps: [...trace.steps, edit],
    history: { apis, origins: updateOrigins(origins, edit, -1), remote },
    next: trace.next,
    introduced: trace.introduced,
    numbers: trace.numbers,
    before: trace.before,
  }
}

/** The trace with the variables that a move brings, and its call with their names. */
function introduceVariables<W>({ ready, call, introduces = [] }: TraceMove<W>): {
  ready: ProgramTrace<W>
  call: Call
} {
  if (introduces.length === 0) return { ready, call }
  const numbers = { ...ready.numbers }
  const names = new Map(
    introduces.map(({ stem }) => {
      const number = numbers[stem] ?? 0
      numbers[stem] = number + 1
      return [stem, `${stem}_${number}`]
    }),
  )
  const addedBindings = introduces.map(({ stem, value }) =>
    createVariableBinding(names.get(stem) as string, value),
  )
  const introduced: Variable[] = addedBindings.map(({ name, value }) => ({
    name,
    role: 'user',
    values: [value],
  }))
  return {
    ready: {
      world: ready.world,
      bindings: [...ready.bindings, ...addedBindings],
      steps: ready.steps,
      history: ready.history,
      next: ready.next,
      introduced: [...ready.introduced, ...introduced],
      numbers,
      before: ready.before,
    },
    call: renameCall(call, names),
  }
}

function renameCall(call: Call, names: ReadonlyMap<string, string>): Call {
  const atom = <T extends Atom>(item: T): T =>
    item.kind === 'reference' && names.has(item.variable)
      ? { ...item, variable: names.get(item.variable) as string }
      : item
  const expr = (expression: Expr): Expr => {
    if (expression.kind === 'list') return { ...expression, items: expression.items.map(atom) }
    if (expression.kind === 'object')
      return {
        ...expression,
        entries: Object.fromEntries(
          Object.entries(expression.entries).map(([key, item]) => [key, atom(item)]),
        ),
      }
    return atom(expression)
  }
  return {
    ...call,
    args: Object.fromEntries(Object.entries(call.args).map(([name, argument]) => [name, expr(argument)])),
  }
}

/** The trace after a move. Throws if the call fails: a solved call that fails is a bug of the scenario. */
export function extendTrace<W>(
  trace: ProgramTrace<W>,
  move: TraceMove<W>,
  operation: ScenarioOperation<W>,
): ProgramTrace<W> {
  const { ready, call: introducedCall } = introduceVariables(move)
  const args: Record<string, JsonValue> = {}
  for (const name of Object.keys(introducedCall.args))
    args[name] = evaluateBound(ready.bindings, introducedCall.args[name] as Expr)
  const transition = operation.apply(ready.world, args)
  if (!transition.ok)
    throw new Error(
      `${operation.id} solved a call that fails: ${transition.error.status} ${transition.error.message}`,
    )
  const { world, output, affects } = transition
  const bindings = markRead(ready.bindings, listReferences(introducedCall))
  let call = introducedCall
  if (output !== undefined) {
    const name = `response_${ready.next}`
    call = { ...introducedCall, binds: name }
    bindings.push({ name, value: output, api: call.api, call, createdAt: ready.steps.length, used: false })
  }
  return {
    world,
    bindings,
    steps: [...ready.steps, call],
    history: extendHistory(ready.history, call, affects),
    next: output === undefined ? ready.next : ready.next + 1,
    introduced: ready.introduced,
    numbers: ready.numbers,
    before: trace,
  }
}
