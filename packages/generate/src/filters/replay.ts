/** Runs of a drawn program, and what they would have been without some of its steps: both start from the states of its traces. */
import type { Block, Expr, Json, JsonObject, Program, Step, WorldState } from '@stateeval/contracts'
import { at, isCall, type Operation, type Scenario } from '@stateeval/program'
import type { Draft } from '../compose.ts'
import { replacedAt, type Trace, valueAmong, valueOf } from '../trace.ts'

/** What is seen of a run. */
export interface Shown {
  result: JsonObject
  world: WorldState
}

export type Taken = 'then' | 'otherwise' | 'none'

/** What a drawn program does on its input, or on the flipped one: a trace of it, with the branch that the condition takes. */
export interface Run<W> {
  takenBlock: Taken
  /** The placeholder's value on this input. */
  constant: Json | undefined
  end: Trace<W>
  /** What RESULT is made of. */
  entries: Block['result']
  shown: Shown
}

/** The run for a choice of the placeholder's value; null where it would fail. */
export function runOf<W>(draft: Draft<W>, scenario: Scenario<W>, choice: 0 | 1): Run<W> | null {
  const { program, then, branch } = draft
  const constant = program.branch && initial(program, program.branch.condition.equals, choice)
  const takenBlock = branch
    ? takenFrom(program, (name) => valueAmong(branch.fork.bindings, name), constant)
    : 'none'
  if (takenBlock === null) return null
  const end = branch && takenBlock === 'otherwise' ? branch.otherwise : then
  const entries = (takenBlock === 'none' ? program.result : program.branch?.[takenBlock].result) ?? []
  const result = resultOf(entries, (name) => valueAmong(end.bindings, name))
  return (
    result && {
      takenBlock,
      constant,
      end,
      entries,
      shown: { result, world: scenario.observe(end.world) },
    }
  )
}

type Values = (variable: string) => Json | undefined

function takenFrom({ branch }: Program, valueNamed: Values, constant: Json | undefined): Taken | null {
  if (!branch) return 'none'
  const { variable, path, measure } = branch.condition
  const value = at(valueNamed(variable), path)
  if (value === undefined) return null
  const measurement = measure === 'count' ? (Array.isArray(value) ? value.length : undefined) : value
  return measurement === constant ? 'then' : 'otherwise'
}

function resultOf(entries: Block['result'], valueNamed: Values): JsonObject | null {
  const result: JsonObject = {}
  for (const { key, value } of entries) {
    const entryValue = valueOf(value, valueNamed)
    if (entryValue === undefined) return null
    result[key] = entryValue
  }
  return result
}

const initial = ({ variables }: Program, variable: string, choice: 0 | 1) =>
  variables.find(({ name }) => name === variable)?.values[choice] as Json | undefined

/** A run that leaves its trace: goes on from there with other steps than the program has. */
export class Replay<W> {
  private readonly program: Program
  private readonly operations: readonly Operation<W>[]
  private readonly from: Trace<W>
  private world: W
  /** What is bound or edited from here on, the newest last. */
  private readonly names: string[] = []
  private readonly values: Json[] = []

  constructor(program: Program, operations: readonly Operation<W>[], from: Trace<W>) {
    this.program = program
    this.operations = operations
    this.from = from
    this.world = from.world
  }

  private readonly valueNamed = (variable: string): Json | undefined => {
    const place = this.names.lastIndexOf(variable)
    if (place >= 0) return this.values[place]
    // What later calls bring into the initialisation block is not among the trace's own yet.
    return valueAmong(this.from.bindings, variable) ?? initial(this.program, variable, 0)
  }
  private bind(name: string, value: Json): void {
    this.names.push(name)
    this.values.push(value)
  }

  /** Makes these steps; false where one fails. */
  make(steps: readonly Step[]): boolean {
    return steps.every((step) => this.makeOne(step))
  }
  private makeOne(step: Step): boolean {
    if (!isCall(step)) {
      const { variable, path } = step.target
      const value = valueOf(step.value, this.valueNamed)
      const holder = this.valueNamed(variable)
      const parent = path.length === 0 ? {} : at(holder, path.slice(0, -1))
      if (value === undefined || holder === undefined || parent === null || typeof parent !== 'object')
        return false
      this.bind(variable, replacedAt(holder, path, value))
      return true
    }
    const operation = this.operations.find(({ id }) => id === step.api)
    const args: Record<string, Json> = {}
    for (const name of Object.keys(step.args)) {
      const value = valueOf(step.args[name] as Expr, this.valueNamed)
      if (value === undefined) return false
      args[name] = value
    }
    const transition = operation?.apply(this.world, args)
    if (!transition?.ok) return false
    this.world = transition.world
    if (step.binds) this.bind(step.binds, transition.output ?? null)
    return true
  }

  /** The branch that the condition takes now; null where it can't be asked. */
  takes = (constant: Json | undefined): Taken | null => takenFrom(this.program, this.valueNamed, constant)

  /** What this shows in the end; null where RESULT can't be given. */
  shows(result: Block['result'], scenario: Scenario<W>): Shown | null {
    const resultValues = resultOf(result, this.valueNamed)
    return resultValues && { result: resultValues, world: scenario.observe(this.world) }
  }
}
