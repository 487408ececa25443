/**
 * A run of a program with every state on its way. Values are never changed in place here, so a mutant of the
 * program goes on from the state in which the two part: most of a mutant's steps are the program's own.
 */
import type { Block, Condition, Input, Json, JsonObject, Program, Step } from '@stateeval/contracts'
import { at, isCall, memoized, type Operation, type Scenario, takesThen } from '@stateeval/program'
import { valueOf } from '../trace.ts'
import { alike } from './alike.ts'
import { ResultParts } from './result-parts.ts'
import { onlyConditionReads, shared, sharedAtEnd } from './shared-steps.ts'
import { calledWith, edited, measured, type Shown, started, type State, valueNamed } from './state.ts'

const operationsById = memoized(
  (operations: readonly Operation<never>[]): ReadonlyMap<string, Operation<never>> =>
    new Map(operations.map((operation) => [operation.id, operation])),
) as (operations: never) => ReadonlyMap<string, unknown>

/**
 * What a mutant shows: null where it fails, `other` where a part of RESULT that stays as it is differs
 * already.
 */
type Outcome = Shown | null | 'other'

export class ReferenceRun<W> {
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
  private parts: ResultParts | undefined

  /**
   * `beside`: a run of the program on an input with another constant at most. What the two share is not made
   * again.
   */
  constructor(program: Program, scenario: Scenario<W>, input: Input, beside?: ReferenceRun<W>) {
    this.scenario = scenario
    this.operations = operationsById(scenario.operations as never) as ReadonlyMap<string, Operation<W>>
    this.program = program
    const { body, branch, result = [] } = program
    this.constant = branch && (input.variables[branch.condition.equals] as Json | undefined)
    const twin = beside && onlyConditionReads(program) ? beside : undefined
    this.path = twin ? twin.path.slice(0, body.length) : []
    this.states = twin ? twin.states.slice(0, body.length + 1) : [started(scenario, input)]
    let end = twin ? (this.states[body.length] ?? null) : this.kept(this.states[0], body)
    if (end && branch) {
      this.tested = measured(end, branch.condition)
      this.taken = this.side(program, end, branch.condition)
      if (twin && twin.taken === this.taken) {
        this.path = twin.path
        this.states = twin.states
        this.shown = twin.shown
        return
      }
      end = this.taken ? this.kept(end, branch[this.taken].steps) : null
    }
    this.shown = end && this.show(end, this.taken && branch ? branch[this.taken].result : result)
  }

  /** The values that calls gave, by the variables that they bind. */
  answers(into: Map<string, Json>): void {
    for (const [index, step] of this.path.entries())
      if (isCall(step) && step.binds && !into.has(step.binds))
        into.set(step.binds, valueNamed(this.states[index + 1]?.newest, step.binds) ?? null)
  }

  /**
   * Whether a mutant of the program shows something else on the same input: another RESULT or final world, or
   * a failure.
   */
  differs(mutant: Program): boolean {
    const outcome = this.outcome(mutant, true)
    if (outcome === this.shown) return false
    return outcome === 'other' || !outcome || !this.shown || !alike(outcome, this.shown, this.scenario)
  }

  /**
   * What a mutant of the program shows on the same input; null where it fails, `shown` itself where it does
   * the same.
   */
  follow(mutant: Program): Shown | null {
    return this.outcome(mutant, false) as Shown | null
  }

  /** `briefly`: no further than what it shows can still be what the program shows. */
  private outcome(mutant: Program, briefly: boolean): Outcome {
    if (!this.shown) throw new TypeError('mutants are told apart from a program that succeeds only')
    const { branch } = mutant
    const { body, branch: own } = this.program
    const block = own && this.taken && own[this.taken]
    const result = block ? block.result : (this.program.result ?? [])
    const inBody = shared(mutant.body, this.path)
    if (!branch) {
      const mutantResult = mutant.result ?? []
      if (own || mutantResult !== this.program.result)
        return briefly && mutantResult.length < result.length
          ? 'other'
          : this.finish(this.states[inBody], mutant.body, inBody, mutantResult)
      return this.along(mutant.body, body, inBody, 0, briefly)
    }
    const branchOfPath = this.taken && branch[this.taken]
    const sameQuestion = own !== undefined && branch.condition === own.condition
    const sameBody = inBody === mutant.body.length && inBody === body.length
    if (sameBody && sameQuestion && branchOfPath && block) {
      if (branchOfPath === block) return this.shown
      const inBlock = shared(branchOfPath.steps, this.path, inBody)
      if (branchOfPath.result === block.result)
        return this.along(branchOfPath.steps, block.steps, inBlock, inBody, briefly)
      return briefly && branchOfPath.result.length < block.result.length
        ? 'other'
        : this.finish(this.states[inBody + inBlock], branchOfPath.steps, inBlock, branchOfPath.result)
    }
    const from = Math.min(inBody, body.length)
    const end = this.made(this.states[from], mutant.body, from)
    const side = end && this.side(mutant, end, branch.condition)
    if (!side) return null
    const next = branch[side]
    if (next !== block) {
      return briefly && side === this.taken && next.result.length < result.length
        ? 'other'
        : this.finish(end, next.steps, 0, next.result)
    }
    return sameBody ? this.shown : this.onwards(end, body.length, briefly)
  }

  /**
   * What a run shows whose steps from a place of the path on are these instead of the program's own; it
   * shares as many of them, and RESULT.
   */
  private along(
    steps: readonly Step[],
    own: readonly Step[],
    common: number,
    offset: number,
    briefly: boolean,
  ): Outcome {
    const rest = sharedAtEnd(steps, own, common)
    const state = this.made(this.states[offset + common], steps, common, steps.length - rest)
    return state && this.onwards(state, offset + own.length - rest, briefly)
  }

  /** What a run shows that goes on from a place of the path in another state. */
  private onwards(start: State<W>, from: number, briefly: boolean): Outcome {
    const parts = briefly
      ? (this.parts ??= new ResultParts(this.result, this.shown as Shown, this.path))
      : undefined
    if (parts?.differBefore(from, start.newest)) return 'other'
    let state: State<W> | null = start
    for (let index = from; state && index < this.path.length; index++) {
      state = this.stepped(state, this.path[index] as Step)
      if (state && parts?.differAt(index, state.newest)) return 'other'
    }
    return state && this.show(state, this.result)
  }

  private get result(): Block['result'] {
    const { branch, result = [] } = this.program
    return branch && this.taken ? branch[this.taken].result : result
  }

  /** The branch that a condition takes; undefined where it can't be asked. */
  private side(program: Program, { newest }: State<W>, condition: Condition): ReferenceRun<W>['taken'] {
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

  /** The state after these steps, from one of them to another; null where one fails. */
  private made(
    start: State<W> | undefined,
    steps: readonly Step[],
    from: number,
    to = steps.length,
  ): State<W> | null {
    let state = start ?? null
    for (let index = from; state && index < to; index++) state = this.stepped(state, steps[index] as Step)
    return state
  }

  /** The same for steps of the run's own. */
  private kept(start: State<W> | undefined, steps: readonly Step[]): State<W> | null {
    let state = start ?? null
    for (const step of steps) {
      state = state && this.stepped(state, step)
      if (!state) return null
      this.path.push(step)
      this.states.push(state)
    }
    return state
  }

  private stepped(state: State<W>, step: Step): State<W> | null {
    return isCall(step) ? calledWith(state, step, this.operations.get(step.api)) : edited(state, step)
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
