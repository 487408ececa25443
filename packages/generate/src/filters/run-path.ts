/**
 * The path of a run: its steps, the arguments of each call, and the state before each and after the last. A
 * run that leaves it for a step executes only what can turn out differently.
 */
import type { Call, Expr, JsonValue, ProgramStep } from '@stateeval/contracts'
import { isCall, memoize, type ScenarioOperation, type Scenario } from '@stateeval/program'
import { readBy, getSetVariable } from './shared-steps.ts'
import {
  type CallArguments,
  evaluateCallArguments,
  applyCall,
  applyStateEdit,
  type RunState,
  evaluateExpr,
  findNamedValue,
} from './state.ts'

const operationsById = memoize(
  (operations: readonly ScenarioOperation<never>[]): ReadonlyMap<string, ScenarioOperation<never>> =>
    new Map(operations.map((operation) => [operation.id, operation])),
) as (operations: never) => ReadonlyMap<string, unknown>

export class RunPath<W> {
  readonly steps: ProgramStep[]
  readonly states: RunState<W>[]
  /** Arguments of each call; null of an edit. */
  readonly callArgs: (CallArguments | null)[]
  readonly operations: ReadonlyMap<string, ScenarioOperation<W>>

  /** `beginning`: what the way shares with another one, as so many of its first steps. */
  constructor(scenario: Scenario<W>, start: RunState<W>, beginning?: { path: RunPath<W>; steps: number }) {
    this.operations = operationsById(scenario.operations as never) as ReadonlyMap<
      string,
      ScenarioOperation<W>
    >
    const { path, steps = 0 } = beginning ?? {}
    this.steps = path ? path.steps.slice(0, steps) : []
    this.callArgs = path ? path.callArgs.slice(0, steps) : []
    this.states = path ? path.states.slice(0, steps + 1) : [start]
  }

  get end(): RunState<W> {
    return this.states.at(-1) as RunState<W>
  }

  /** Makes further steps; the state then, or null where one fails. */
  follow(steps: readonly ProgramStep[]): RunState<W> | null {
    for (const step of steps) {
      const args = isCall(step) ? evaluateCallArguments(this.end, step) : null
      const state = isCall(step) ? args && this.call(this.end, step, args) : applyStateEdit(this.end, step)
      if (!state) return null
      this.steps.push(step)
      this.callArgs.push(args)
      this.states.push(state)
    }
    return this.end
  }

  /** The state after a step that comes after another state; null where it fails. */
  make(state: RunState<W>, step: ProgramStep): RunState<W> | null {
    if (!isCall(step)) return applyStateEdit(state, step)
    const args = evaluateCallArguments(state, step)
    return args && this.call(state, step, args)
  }

  /**
   * The state after other steps in place of one; null where one fails, the way's own state where they come to
   * the same.
   */
  leave(at: number, steps: readonly ProgramStep[]): RunState<W> | null {
    let state: RunState<W> | null = this.states[at] as RunState<W>
    for (const [index, step] of steps.entries()) {
      const ownStep = this.steps[at] as ProgramStep
      state =
        index === 0 && isCall(step) && isCall(ownStep)
          ? this.callInPlace(at, step, ownStep, steps.length === 1)
          : this.make(state, step)
      if (!state) return null
    }
    return state
  }

  /**
   * The variables that then hold something else than on the way; what is equal but another object counts as
   * else.
   */
  changedBy(at: number, steps: readonly ProgramStep[], { newest }: RunState<W>): string[] {
    const ownNewest = this.states[at + 1]?.newest
    const changed: string[] = []
    const look = (name: string | undefined) => {
      if (
        name !== undefined &&
        !changed.includes(name) &&
        findNamedValue(newest, name) !== findNamedValue(ownNewest, name)
      )
        changed.push(name)
    }
    look(getSetVariable(this.steps[at] as ProgramStep))
    for (const step of steps) look(getSetVariable(step))
    return changed
  }

  /**
   * The state after the way's own step from another state, in which `changed` are the variables that hold
   * something else; kept so. null where the step fails.
   */
  along(at: number, state: RunState<W>, changed: string[]): RunState<W> | null {
    const step = this.steps[at] as ProgramStep
    const [current, next] = [this.states[at] as RunState<W>, this.states[at + 1] as RunState<W>]
    const isFree = changed.length === 0 || !readBy(step).some((name) => changed.includes(name))
    let after: RunState<W> | null
    if (isFree && (!isCall(step) || state.world === current.world))
      after = { world: isCall(step) ? next.world : state.world, newest: state.newest }
    else if (!isCall(step)) after = applyStateEdit(state, step)
    else {
      const args = isFree ? (this.callArgs[at] as CallArguments) : evaluateCallArguments(state, step)
      after = args && this.call(state, step, args)
    }
    const name = getSetVariable(step)
    if (!after || name === undefined) return after
    const value = (next.newest as { value: JsonValue }).value
    // Equal states continue equally.
    if (after.newest === state.newest)
      after = { world: after.world, newest: { name, value, before: after.newest } }
    const place = changed.indexOf(name)
    if (after.newest?.value === value) {
      if (place >= 0) changed.splice(place, 1)
    } else if (place < 0) changed.push(name)
    return after
  }

  /** Tells whether a state equals the path's own after so many steps. */
  isBack(steps: number, { world }: RunState<W>, changed: readonly string[]): boolean {
    return changed.length === 0 && world === this.states[steps]?.world
  }

  private call(state: RunState<W>, call: Call, args: CallArguments): RunState<W> | null {
    return applyCall(state, call, args, this.operations.get(call.api))
  }

  /** A call in place of the way's own: what both are given is not asked for again. */
  private callInPlace(at: number, call: Call, ownCall: Call, mayBeOwn: boolean): RunState<W> | null {
    const state = this.states[at] as RunState<W>
    const ownArgs = this.callArgs[at] as CallArguments
    const args: Record<string, JsonValue> = {}
    const names = Object.keys(call.args)
    let isOwn = mayBeOwn && call.api === ownCall.api && call.binds === ownCall.binds
    for (const name of names) {
      const expr = call.args[name] as Expr
      const value = expr === ownCall.args[name] ? ownArgs[name] : evaluateExpr(state, expr)
      if (value === undefined) return null
      if (value !== ownArgs[name]) isOwn = false
      args[name] = value
    }
    if (isOwn && names.length === Object.keys(ownArgs).length) return this.states[at + 1] as RunState<W>
    return this.call(state, call, args)
  }
}
