/**
 * A run of a program with all intermediate states. Values are never changed in place here, so a mutant
 * continues from the state in which the two diverge: most of its steps are the program's.
 */
import type {
  StepBlock,
  Branch,
  Condition,
  ExecutionInput,
  JsonValue,
  JsonObject,
  Program,
  ProgramStep,
} from '@stateeval/contracts'
import {
  type BlockName,
  type BranchSide,
  getRootBlock,
  listIfs,
  nameBranch,
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
  branchesLookAlike,
  isAsked,
  onlyConditionsRead,
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

/** A block on the path, with the number of its first step there. */
interface PathBlock {
  name: BlockName
  block: StepBlock
  from: number
}
/** A condition on the path, the branch that it takes, and the number of the step that follows it. */
interface PathQuestion {
  at: number
  condition: Condition
  branch: Branch
  side: BranchSide
  /** The last step before it that sets an operand of the condition; -1 if none does. */
  setAt: number
}

export class ReferenceRun<W> {
  private readonly scenario: Scenario<W>
  private readonly program: Program
  private readonly path: RunPath<W>
  private readonly blocks: PathBlock[] = []
  private readonly questions: PathQuestion[] = []
  /** The constants of the conditions. */
  private readonly constants: ReadonlyMap<string, JsonValue | undefined>
  /** The variables that conditions test. */
  private readonly testedVariables: ReadonlySet<string>
  /** The measurements of the conditions on the path; undefined where one can't be asked. */
  readonly tested: (JsonValue | undefined)[] = []
  /** null where it fails. */
  readonly view: ShownOutcome | null
  private parts: ResultParts | undefined
  private outputs: OutputsShown | undefined

  /**
   * `beside`: a run of the program on an input with other constants at most. What the two share is not made
   * again.
   */
  constructor(program: Program, scenario: Scenario<W>, input: ExecutionInput, beside?: ReferenceRun<W>) {
    this.scenario = scenario
    this.program = program
    const conditions = listIfs(program).map(({ branch }) => branch.condition)
    this.testedVariables = new Set(conditions.map(({ variable }) => variable))
    this.constants = new Map(
      conditions.map(({ equals }) => [equals, input.variables[equals] as JsonValue | undefined]),
    )
    const twin = beside && onlyConditionsRead(program) ? beside : undefined
    const parts = twin ? this.findParting(twin) : 0
    if (twin && parts === null) {
      this.path = twin.path
      this.blocks = twin.blocks
      this.questions = twin.questions
      this.tested = twin.tested
      this.view = twin.view
      return
    }
    this.path = twin
      ? new RunPath(scenario, twin.path.end, { path: twin.path, steps: parts ?? 0 })
      : new RunPath(scenario, startState(scenario, input))
    const end = this.take(getRootBlock(program), 'body')
    this.view = end && this.show(end, this.result)
  }

  /** The block in which the path ends. */
  get branchTaken(): BlockName {
    return this.blocks.at(-1)!.name
  }

  /** How many steps the run shares with one on other constants; null if it is the same way. */
  private findParting(twin: ReferenceRun<W>): number | null {
    for (const { at, condition, side } of twin.questions)
      if (this.side(twin.path.states[at] as RunState<W>, condition) !== side) return at
    return null
  }

  /** Follows a block, and the branch that its condition takes; the state at the end, null where it fails. */
  private take(block: StepBlock, name: BlockName): RunState<W> | null {
    const { path } = this
    const from = this.questions.at(-1)?.at ?? 0
    this.blocks.push({ name, block, from })
    const at = from + block.steps.length
    if (path.steps.length < at && !path.follow(block.steps.slice(path.steps.length - from))) return null
    const { branch } = block
    const state = path.states[at] as RunState<W>
    if (!branch) return state
    const { condition } = branch
    this.tested.push(measureCondition(state, condition))
    const side = this.side(state, condition)
    if (!side) return null
    const setAt = path.steps.slice(0, at).findLastIndex((step) => isAsked(condition, getSetVariable(step)))
    this.questions.push({ at, condition, branch, side, setAt })
    return this.take(branch[side], nameBranch(name, side))
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
    const block = this.blocks.find(({ name }) => name === site.place.block)
    // A run doesn't come by the other branches.
    if (!block) return false
    const { path } = this
    const from = block.from + site.place.index
    if (site.hint && this.isTold(from, site.hint)) return true
    const { steps } = site
    let state = path.leave(from, steps)
    if (!state) return true
    if (state === path.states[from + 1]) return false
    const changed = path.changedBy(from, steps, state)
    if (path.isBack(from + 1, state, changed)) return false
    if (this.isOutputTold(from, state, changed)) return true
    const ahead = this.questions.filter(
      (question) => question.at > from && !this.isAskedAlike(question, from, steps),
    )
    if (ahead.length === 0) return this.differsAlong(state, from + 1, changed)
    if (!branchesLookAlike(this.program)) return this.differsAlong(state, from + 1, changed, ahead)
    for (let next = from + 1; ; next++) {
      while (ahead[0]?.at === next) {
        const { condition, side, branch } = ahead.shift() as PathQuestion
        const otherSide = this.side(state, condition)
        if (!otherSide) return true
        if (otherSide === side) continue
        const otherView = this.finish(state, branch[otherSide])
        return !otherView || !isAlike(otherView, this.view, this.scenario)
      }
      if (ahead.length === 0) return this.differsAlong(state, next, changed)
      state = path.along(next, state, changed)
      if (!state) return true
      if (path.isBack(next + 1, state, changed)) return false
    }
  }

  /** The parts of what a step sets of which another value shows for sure, whichever branch is taken then. */
  private shownParts(from: number): readonly ValuePath[] {
    const { path, program } = this
    if (this.questions.some(({ at, setAt }) => from < at && setAt >= from) && branchesLookAlike(program))
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
        !this.testedVariables.has(call.binds ?? '') &&
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
   * Tells whether a condition asks for a value from before a step, so that other steps in its place don't
   * change it.
   */
  private isAskedAlike(
    { condition, setAt }: PathQuestion,
    from: number,
    steps: readonly ProgramStep[],
  ): boolean {
    return setAt < from && !steps.some((step) => isAsked(condition, getSetVariable(step)))
  }

  /**
   * Tells whether a run that continues along the path in another state shows something else; uses up
   * `changed`. `ahead`: the conditions that are still ahead, where taking another branch would show.
   */
  private differsAlong(
    start: RunState<W>,
    from: number,
    changed: string[],
    ahead: readonly PathQuestion[] = [],
  ): boolean {
    const { path } = this
    const parts = this.resultParts
    if (parts.differBefore(from, start.newest, changed)) return true
    let state: RunState<W> | null = start
    for (let index = from; ; index++) {
      const now = state
      if (ahead.some(({ at, condition, side }) => at === index && this.side(now, condition) !== side))
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
    return this.outcomeOf(getRootBlock(mutant), 0, briefly)
  }

  /** The outcome of a run that has another block in place of one of the path, reached in the same state. */
  private outcomeOf(other: StepBlock, level: number, briefly: boolean): MutantOutcome {
    const { block, from } = this.blocks[level] as PathBlock
    const { steps, branch } = other
    const { states } = this.path
    const inBlock = countSharedSteps(steps, this.path.steps, from)
    if (!branch) {
      if (!block.branch && other.result === block.result)
        return this.along(steps, block.steps, inBlock, from, briefly)
      return this.showsOtherKeys(other, briefly)
        ? 'other'
        : this.finish(states[from + inBlock], other, inBlock)
    }
    const question = this.questions[level]
    const isSameBlock = inBlock === steps.length && inBlock === block.steps.length
    if (isSameBlock && question && branch.condition === question.condition) {
      const next = branch[question.side]
      return next === question.branch[question.side] ? this.view : this.outcomeOf(next, level + 1, briefly)
    }
    const shared = Math.min(inBlock, block.steps.length)
    const end = this.runSteps(states[from + shared], steps, shared)
    const side = end && this.side(end, branch.condition)
    if (!side) return null
    const next = branch[side]
    if (next !== question?.branch[question.side])
      return this.showsOtherKeys(next, briefly) ? 'other' : this.finish(end, next)
    return isSameBlock
      ? this.view
      : this.onwards(end, from + block.steps.length, briefly, this.questions.slice(level + 1))
  }

  /** Tells whether what ends in a block has other keys in RESULT, if so brief an answer will do. */
  private showsOtherKeys({ result, branch }: StepBlock, briefly: boolean): boolean {
    return briefly && !branch && !hasSameResultKeys(result, this.result)
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
    return state && this.onwards(state, offset + ownSteps.length - rest, briefly, [])
  }

  /**
   * Follows a run that continues from a place of the path in another state. `ahead`: the conditions that
   * follow.
   */
  private onwards(
    start: RunState<W>,
    from: number,
    briefly: boolean,
    ahead: readonly PathQuestion[],
  ): MutantOutcome {
    // With other branches ahead that look alike, a part of RESULT may still come from there.
    const isOwnResult = ahead.length === 0 || !branchesLookAlike(this.program)
    const parts = briefly && isOwnResult ? this.resultParts : undefined
    if (parts?.differBefore(from, start.newest)) return 'other'
    let state: RunState<W> | null = start
    for (let index = from; state; index++) {
      for (const { at, condition, branch, side } of ahead) {
        if (at !== index) continue
        const otherSide = this.side(state, condition)
        if (otherSide !== side) return otherSide ? this.finish(state, branch[otherSide]) : null
      }
      if (index === this.path.steps.length) break
      state = this.path.make(state, this.path.steps[index] as ProgramStep)
      if (state && parts?.differAt(index, state.newest)) return 'other'
    }
    return state && this.show(state, this.result)
  }

  private get result(): StepBlock['result'] {
    return this.blocks.at(-1)!.block.result
  }

  /** The branch that a condition takes; undefined where it can't be asked. */
  private side({ newest }: RunState<W>, condition: Condition): BranchSide | undefined {
    const { variable, path, equals } = condition
    if (readPath(findNamedValue(newest, variable), path) === undefined) return undefined
    const expected = this.constants.has(equals) ? this.constants.get(equals) : findNamedValue(newest, equals)
    const measurement = measureCondition({ newest }, condition)
    return takesFirstBranch(this.program, condition, measurement, expected) ? 'then' : 'otherwise'
  }

  /** Follows a block to the end of the run, from one of its steps on; null where it fails. */
  private finish(state: RunState<W> | undefined, block: StepBlock, from = 0): ShownOutcome | null {
    const end = this.runSteps(state, block.steps, from)
    if (!end || !block.branch) return end && this.show(end, block.result)
    const side = this.side(end, block.branch.condition)
    return side ? this.finish(end, block.branch[side]) : null
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
