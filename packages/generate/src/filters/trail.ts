/**
 * A run of a program with every state on its way. Values are never changed in place here, so a mutant of the program goes
 * on from the state in which the two part: most of a mutant's steps are the program's own.
 */
import type {
  Block,
  Condition,
  Expr,
  Input,
  Json,
  JsonObject,
  Program,
  Step,
  WorldState,
} from '@stateeval/contracts'
import {
  at,
  isCall,
  memoized,
  type Operation,
  references,
  type Scenario,
  takesThen,
} from '@stateeval/program'
import { valueOf } from '../trace.ts'
import { bound, edited, measured, started, type State, valueNamed } from './state.ts'

/** What is seen of a run. */
export interface Shown {
  result: JsonObject
  world: WorldState
}

/** How many steps two lists begin with alike: a mutant's unchanged steps are the very objects of its program. */
function shared(a: readonly Step[], b: readonly Step[], from = 0): number {
  let count = 0
  while (count < a.length && a[count] === b[from + count]) count++
  return count
}

const operationsById = memoized(
  (operations: readonly Operation<never>[]): ReadonlyMap<string, Operation<never>> =>
    new Map(operations.map((operation) => [operation.id, operation])),
) as (operations: never) => ReadonlyMap<string, unknown>

/** Whether the condition alone reads its constant: then a run comes to the if alike, whatever the constant is. */
const onlyConditionReads = memoized(({ body, branch, result = [] }: Program): boolean => {
  if (!branch) return true
  const { condition, then, otherwise } = branch
  const steps = [...body, ...then.steps, ...otherwise.steps]
  const results = [...result, ...then.result, ...otherwise.result]
  const isConstant = ({ variable }: { variable: string }) => variable === condition.equals
  return (
    !steps.some((step) => references(step).some(isConstant)) &&
    !results.some(({ value }) => isConstant(value))
  )
}, 20)

export class Trail<W> {
  private readonly scenario: Scenario<W>
  private readonly operations: ReadonlyMap<string, Operation<W>>
  private readonly program: Program
  /** The steps that the run makes, and the state before each and after the last. */
  private readonly path: Step[]
  private readonly states: State<W>[]
  /** What the condition compares with. */
  private readonly constant: Json | undefined
  /** The branch that it takes; undefined of a straight program, and where the run fails before it. */
  readonly taken: 'then' | 'otherwise' | undefined
  /** What the condition measures; undefined where it can't be asked. */
  readonly tested: Json | undefined
  /** null where it fails. */
  readonly shown: Shown | null

  /** `beside`: a run of the program on an input with another constant at most. What the two share is not made again. */
  constructor(program: Program, scenario: Scenario<W>, input: Input, beside?: Trail<W>) {
    this.scenario = scenario
    this.operations = operationsById(scenario.operations as never) as ReadonlyMap<string, Operation<W>>
    this.program = program
    const { body, branch, result = [] } = program
    this.constant = branch && (input.variables[branch.condition.equals] as Json | undefined)
    const twin = beside && onlyConditionReads(program) ? beside : undefined
    this.path = twin ? twin.path.slice(0, body.length) : []
    this.states = twin ? twin.states.slice(0, body.length + 1) : [started(scenario, input)]
    let end = twin ? (this.states[body.length] ?? null) : this.made(this.states[0], body, 0, true)
    if (end && branch) {
      this.tested = measured(end, branch.condition)
      this.taken = this.side(program, end, branch.condition)
      if (twin && twin.taken === this.taken) {
        this.path = twin.path
        this.states = twin.states
        this.shown = twin.shown
        return
      }
      end = this.taken ? this.made(end, branch[this.taken].steps, 0, true) : null
    }
    this.shown = end && this.show(end, this.taken && branch ? branch[this.taken].result : result)
  }

  /** The values that calls gave, by the variables that they bind. */
  answers(into: Map<string, Json>): void {
    for (const step of this.path) {
      if (!isCall(step) || !step.binds || into.has(step.binds)) continue
      const after = this.states[this.path.indexOf(step) + 1]
      into.set(step.binds, valueNamed(after?.newest, step.binds) ?? null)
    }
  }

  /** What a mutant of the program shows on the same input; null where it fails, `shown` itself where it does the same. */
  follow(mutant: Program): Shown | null {
    const { branch } = mutant
    const own = this.program.branch
    const inBody = shared(mutant.body, this.path)
    if (!branch) return this.finish(this.states[inBody], mutant.body, inBody, mutant.result ?? [])
    const sameBody = inBody === mutant.body.length && inBody === this.program.body.length
    if (sameBody && own && this.taken && branch.condition === own.condition) {
      const block = branch[this.taken]
      if (block === own[this.taken]) return this.shown
      const inBlock = shared(block.steps, this.path, inBody)
      return this.finish(this.states[inBody + inBlock], block.steps, inBlock, block.result)
    }
    const from = Math.min(inBody, this.program.body.length)
    const end = this.made(this.states[from], mutant.body, from)
    const side = end && this.side(mutant, end, branch.condition)
    return side ? this.finish(end, branch[side].steps, 0, branch[side].result) : null
  }

  /** The branch that a condition takes; undefined where it can't be asked. */
  private side(program: Program, { newest }: State<W>, condition: Condition): Trail<W>['taken'] {
    const { variable, path, equals } = condition
    if (at(valueNamed(newest, variable), path) === undefined) return undefined
    const isOwn = equals === this.program.branch?.condition.equals
    const expected = isOwn ? this.constant : valueNamed(newest, equals)
    return takesThen(program, measured({ newest }, condition), expected) ? 'then' : 'otherwise'
  }

  private finish(
    state: State<W> | undefined,
    steps: readonly Step[],
    from: number,
    result: Block['result'],
  ): Shown | null {
    const end = this.made(state, steps, from)
    return end && this.show(end, result)
  }

  /** The state after these steps, from one of them on; null where one fails. `keeps`: they are the run's own. */
  private made(
    start: State<W> | undefined,
    steps: readonly Step[],
    from: number,
    keeps = false,
  ): State<W> | null {
    let state = start ?? null
    for (let index = from; state && index < steps.length; index++) {
      const step = steps[index] as Step
      state = isCall(step) ? this.called(state, step) : edited(state, step)
      if (keeps && state) {
        this.path.push(step)
        this.states.push(state)
      }
    }
    return state
  }

  private called({ world, newest }: State<W>, call: Step & { api: string }): State<W> | null {
    const operation = this.operations.get(call.api)
    const args: Record<string, Json> = {}
    const { args: exprs, binds } = call as Extract<Step, { api: string }>
    for (const name of Object.keys(exprs)) {
      const value = valueOf(exprs[name] as Expr, (variable) => valueNamed(newest, variable))
      if (value === undefined) return null
      args[name] = value
    }
    const transition = operation?.apply(world, args)
    if (!transition?.ok) return null
    const after = { world: transition.world, newest }
    return binds ? bound(after, binds, transition.output ?? null) : after
  }

  private show({ world, newest }: State<W>, entries: Block['result']): Shown | null {
    const result: JsonObject = {}
    for (const { key, value } of entries) {
      const part = valueOf(value, (variable) => valueNamed(newest, variable))
      if (part === undefined) return null
      result[key] = part
    }
    return { result, world: this.scenario.observe(world) }
  }
}
