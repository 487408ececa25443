/**
 * A run of a program with all intermediate states. Values are never changed in place here, so a mutant
 * continues from the state in which the two diverge: most of its steps are the program's.
 */
import type {
  StepBlock,
  Condition,
  ExecutionInput,
  JsonValue,
  JsonObject,
  Program,
  ProgramStep,
} from '@stateeval/contracts'
import {
  readPath,
  type MistakeHint,
  isCall,
  type ValuePath,
  type Scenario,
  type StepSite,
  takesFirstBranch,
} from '@stateeval/program'
import { isAlike, isGuessWrong, isSurelyDifferent } from './alike.ts'
import { OutputsShown } from './outputs-shown.ts'
import { ResultParts } from './result-parts.ts'
import { RunPath } from './run-path.ts'
import {
  askedAt,
  branchesLookAlike,
  isAsked,
  onlyConditionReads,
  hasSameResultKeys,
  getSetVariable,
  countSharedSteps,
  countSharedAtEnd,
} from './shared-steps.ts'
import {
  measureCondition,
  type ShownOutcome,
  startState,
  type RunState,
  evaluateExpr,
  findNamedValue,
} from './state.ts'

/**
 * The outcome of a mutant: null where it fails, `other` where an unchanged part of RESULT already differs.
 */
type MutantOutcome = ShownOutcome | null | 'other'
const nothing: readonly ValuePath[] = []

export class ReferenceRun<W> {
  private readonly scenario: Scenario<W>
  private readonly program: Program
  private readonly path: RunPath<W>
  /** The condition's constant. */
  private readonly constant: JsonValue | undefined
  /** The branch that it takes; undefined of a straight program, and where the run fails before it. */
  readonly branchTaken: 'then' | 'otherwise' | undefined
  /** The condition's measurement; undefined where it can't be asked. */
  readonly tested: JsonValue | undefined
  /** null where it fails. */
  readonly view: ShownOutcome | null
  private parts: ResultParts | undefined
  private outputs: OutputsShown | undefined

  /**
   * `beside`: a run of the program on an input with another constant at most. What the two share is not made
   * again.
   */
  constructor(program: Program, scenario: Scenario<W>, input: ExecutionInput, beside?: ReferenceRun<W>) {
    this.scenario = scenario
    this.program = program
    const { body, branch, result = [] } = program
    this.constant = branch && (input.variables[branch.condition.equals] as JsonValue | undefined)
    const twin = beside && onlyConditionReads(program) ? beside : undefined
    const start = twin ? twin.path.end : startState(scenario, input)
    this.path = new RunPath(scenario, start, twin && { path: twin.path, steps: body.length })
    let end = twin ? (this.path.states[body.length] ?? null) : this.path.follow(body)
    if (end && branch) {
      this.tested = measureCondition(end, branch.condition)
      this.branchTaken = this.side(program, end, branch.condition)
      if (twin && twin.branchTaken === this.branchTaken) {
        this.path = twin.path
        this.view = twin.view
        return
      }
      end = this.branchTaken ? this.path.follow(branch[this.branchTaken].steps) : null
    }
    this.view = end && this.show(end, this.branchTaken && branch ? branch[this.branchTaken].result : result)
  }

  /** The values that calls gave, by the variables that they bind. */
  answers(into: Map<string, JsonValue>): void {
    for (const [index, step] of this.path.steps.entries())
      if (isCall(step) && step.binds && !into.has(step.binds))
        into.set(step.binds, this.path.states[index + 1]?.newest?.value ?? null)
  }

  /** The same as `differs` of a mutant that has other steps in place of one, without the mutant. */
  differsWith(site: StepSite): boolean {
    if (!this.view) throw new TypeError('mutants can only be compared with a program that succeeds')
    const { block, index } = site.place
    // A run doesn't come by the other branch.
    if (block !== 'body' && block !== this.branchTaken) return false
    const { path } = this
    const { body, branch } = this.program
    const from = block === 'body' ? index : body.length + index
    if (site.hint && this.isTold(from, site.hint)) return true
    const { steps } = site
    let state = path.leave(from, steps)
    if (!state) return true
    if (state === path.states[from + 1]) return false
    const changed = path.changedBy(from, steps, state)
    if (path.isBack(from + 1, state, changed)) return false
    if (this.isOutputTold(from, state, changed)) return true
    if (!branch || block !== 'body' || this.isAskedAlike(from, steps))
      return this.differsAlong(state, from + 1, changed)
    if (!branchesLookAlike(this.program)) return this.differsAlong(state, from + 1, changed, branch.condition)
    for (let next = from + 1; next < body.length; next++) {
      state = path.along(next, state, changed)
      if (!state) return true
      if (path.isBack(next + 1, state, changed)) return false
    }
    const side = this.side(this.program, state, branch.condition)
    if (!side) return true
    if (side === this.branchTaken) return this.differsAlong(state, body.length, changed)
    const otherView = this.finish(state, branch[side].steps, 0, branch[side].result)
    return !otherView || !isAlike(otherView, this.view, this.scenario)
  }

  /** The parts of what a step sets of which another value shows for sure, whichever branch is taken then. */
  private shownParts(from: number): readonly ValuePath[] {
    const { path, program } = this
    if (
      program.branch &&
      from < program.body.length &&
      askedAt(program) >= from &&
      branchesLookAlike(program)
    )
      return nothing
    this.outputs ??= new OutputsShown(path.steps, this.result, path.operations)
    return this.outputs.partsOf(from)
  }

  /** Tells whether a hint already says that the output is another one, which shows. */
  private isTold(from: number, hint: MistakeHint): boolean {
    const { path } = this
    const call = path.steps[from] as ProgramStep
    if (!isCall(call) || !this.shownParts(from).some(({ length }) => length === 0)) return false
    const { issued } = this.resultParts
    if ('guessed' in hint)
      // True if the guess of the condition's value is right.
      return (
        call.binds !== this.program.branch?.condition.variable &&
        hint.guessed === path.states[from + 1]?.newest?.value &&
        isGuessWrong(hint.guessed, issued)
      )
    if (!path.operations.get(call.api)?.tells?.includes(hint.argument)) return false
    const { newest } = path.states[from] as RunState<W>
    const value = evaluateExpr({ newest }, hint.value)
    return value === undefined || isSurelyDifferent(value, evaluateExpr({ newest }, hint.own), issued)
  }

  /** The same of the output itself, where a step sets nothing else that differs. */
  private isOutputTold(from: number, { newest }: RunState<W>, changed: readonly string[]): boolean {
    const name = getSetVariable(this.path.steps[from] as ProgramStep)
    if (name === undefined || changed.length !== 1 || changed[0] !== name) return false
    const output = findNamedValue(newest, name)
    const ownOutput = findNamedValue(this.path.states[from + 1]?.newest, name)
    return this.shownParts(from).some((part) =>
      isSurelyDifferent(readPath(output, part), readPath(ownOutput, part), this.resultParts.issued),
    )
  }

  private get resultParts(): ResultParts {
    return (this.parts ??= new ResultParts(this.result, this.view as ShownOutcome, this.path.steps))
  }

  /**
   * Tells whether the condition asks for a value from before a step, so that other steps in its place don't
   * change it.
   */
  private isAskedAlike(from: number, steps: readonly ProgramStep[]): boolean {
    const { condition } = this.program.branch as NonNullable<Program['branch']>
    return askedAt(this.program) < from && !steps.some((step) => isAsked(condition, getSetVariable(step)))
  }

  /**
   * Tells whether a run that continues along the path in another state shows something else; uses up
   * `changed`. `condition`: the condition that is still ahead, where taking the other branch would show.
   */
  private differsAlong(start: RunState<W>, from: number, changed: string[], condition?: Condition): boolean {
    const { path, program } = this
    const parts = this.resultParts
    if (parts.differBefore(from, start.newest, changed)) return true
    let state: RunState<W> | null = start
    for (let index = from; ; index++) {
      if (
        condition &&
        index === program.body.length &&
        this.side(program, state, condition) !== this.branchTaken
      )
        return true
      if (index === path.steps.length) break
      state = path.along(index, state, changed)
      if (!state || parts.differAt(index, state.newest, changed)) return true
      if (path.isBack(index + 1, state, changed)) return false
    }
    const otherView = this.show(state, this.result)
    return !otherView || !isAlike(otherView, this.view as ShownOutcome, this.scenario)
  }

  /**
   * Tells whether a mutant of the program shows something else on the same input: another RESULT or final
   * world, or a failure.
   */
  differs(mutant: Program): boolean {
    const outcome = this.outcome(mutant, true)
    if (outcome === this.view) return false
    return outcome === 'other' || !outcome || !this.view || !isAlike(outcome, this.view, this.scenario)
  }

  /**
   * Follows a mutant on the same input; null where it fails, `shown` itself where it does
   * the same.
   */
  follow(mutant: Program): ShownOutcome | null {
    return this.outcome(mutant, false) as ShownOutcome | null
  }

  /** `briefly`: no further than what it shows can still be what the program shows. */
  private outcome(mutant: Program, briefly: boolean): MutantOutcome {
    if (!this.view) throw new TypeError('mutants can only be compared with a program that succeeds')
    const { branch } = mutant
    const { body, branch: ownBranch } = this.program
    const block = ownBranch && this.branchTaken && ownBranch[this.branchTaken]
    const result = block ? block.result : (this.program.result ?? [])
    const inBody = countSharedSteps(mutant.body, this.path.steps)
    if (!branch) {
      const mutantResult = mutant.result ?? []
      if (ownBranch || mutantResult !== this.program.result)
        return briefly && !hasSameResultKeys(mutantResult, result)
          ? 'other'
          : this.finish(this.path.states[inBody], mutant.body, inBody, mutantResult)
      return this.along(mutant.body, body, inBody, 0, briefly)
    }
    const branchOfPath = this.branchTaken && branch[this.branchTaken]
    const sameQuestion = ownBranch !== undefined && branch.condition === ownBranch.condition
    const sameBody = inBody === mutant.body.length && inBody === body.length
    if (sameBody && sameQuestion && branchOfPath && block) {
      if (branchOfPath === block) return this.view
      const inBlock = countSharedSteps(branchOfPath.steps, this.path.steps, inBody)
      if (branchOfPath.result === block.result)
        return this.along(branchOfPath.steps, block.steps, inBlock, inBody, briefly)
      return briefly && !hasSameResultKeys(branchOfPath.result, block.result)
        ? 'other'
        : this.finish(this.path.states[inBody + inBlock], branchOfPath.steps, inBlock, branchOfPath.result)
    }
    const from = Math.min(inBody, body.length)
    const end = this.runSteps(this.path.states[from], mutant.body, from)
    const side = end && this.side(mutant, end, branch.condition)
    if (!side) return null
    const next = branch[side]
    if (next !== block) {
      return briefly && !hasSameResultKeys(next.result, result)
        ? 'other'
        : this.finish(end, next.steps, 0, next.result)
    }
    return sameBody ? this.view : this.onwards(end, body.length, briefly)
  }

  /**
   * Follows a run that takes these steps instead of the program's own from a place of the path on; it shares
   * as many of the later ones, and RESULT.
   */
  private along(
    steps: readonly ProgramStep[],
    ownSteps: readonly ProgramStep[],
    common: number,
    offset: number,
    briefly: boolean,
  ): MutantOutcome {
    const rest = countSharedAtEnd(steps, ownSteps, common)
    const state = this.runSteps(this.path.states[offset + common], steps, common, steps.length - rest)
    return state && this.onwards(state, offset + ownSteps.length - rest, briefly)
  }

  /** Follows a run that continues from a place of the path in another state. */
  private onwards(start: RunState<W>, from: number, briefly: boolean): MutantOutcome {
    const parts = briefly ? this.resultParts : undefined
    if (parts?.differBefore(from, start.newest)) return 'other'
    let state: RunState<W> | null = start
    for (let index = from; state && index < this.path.steps.length; index++) {
      state = this.path.make(state, this.path.steps[index] as ProgramStep)
      if (state && parts?.differAt(index, state.newest)) return 'other'
    }
    return state && this.show(state, this.result)
  }

  private get result(): StepBlock['result'] {
    const { branch, result = [] } = this.program
    return branch && this.branchTaken ? branch[this.branchTaken].result : result
  }

  /** The branch that a condition takes; undefined where it can't be asked. */
  private side(
    program: Program,
    { newest }: RunState<W>,
    condition: Condition,
  ): ReferenceRun<W>['branchTaken'] {
    const { variable, path, equals } = condition
    if (readPath(findNamedValue(newest, variable), path) === undefined) return undefined
    const isOwn = equals === this.program.branch?.condition.equals
    const expected = isOwn ? this.constant : findNamedValue(newest, equals)
    return takesFirstBranch(program, measureCondition({ newest }, condition), expected) ? 'then' : 'otherwise'
  }

  private finish(
    state: RunState<W> | undefined,
    steps: readonly ProgramStep[],
    from: number,
    result: StepBlock['result'],
  ): ShownOutcome | null {
    const end = this.runSteps(state, steps, from)
    return end && this.show(end, result)
  }

  /** The state after these steps, from one of them to another; null where one fails. */
  private runSteps(
    start: RunState<W> | undefined,
    steps: readonly ProgramStep[],
    from: number,
    to = steps.length,
  ): RunState<W> | null {
    let state = start ?? null
    for (let index = from; state && index < to; index++)
      state = this.path.make(state, steps[index] as ProgramStep)
    return state
  }

  private show({ world, newest }: RunState<W>, entries: StepBlock['result']): ShownOutcome | null {
    const result: JsonObject = {}
    for (const { key, value } of entries) {
      const part = evaluateExpr({ newest }, value)
      if (part === undefined) return null
      result[key] = part
    }
    return { result, world: this.scenario.observe(world) }
  }
}
