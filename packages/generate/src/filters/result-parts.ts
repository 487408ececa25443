/**
 * The parts of RESULT while a mutant runs: some are final before its last step, and may already distinguish
 * it.
 */
import type { StepBlock, JsonValue, VariableReference, ProgramStep } from '@stateeval/contracts'
import { isSurelyDifferent } from './alike.ts'
import { getSetVariable } from './shared-steps.ts'
import { type ShownOutcome, type RunState, evaluateExpr } from './state.ts'

type NewestBinding = RunState<unknown>['newest']
interface ResultPart {
  value: VariableReference
  /** The program's value there. */
  ownValue: JsonValue | undefined
  /** The last step on the program's path that sets its variable: -1 where none does. */
  setAt: number
}

export class ResultParts {
  private readonly parts: readonly ResultPart[]
  /** Ids that the program's run issued. */
  readonly issued: ReadonlySet<string>

  /** Takes the parts of this RESULT, with its values after these steps. */
  constructor(entries: StepBlock['result'], { result, world }: ShownOutcome, path: readonly ProgramStep[]) {
    this.parts = entries.map(({ key, value }) => ({
      value,
      ownValue: result[key],
      setAt: path.findLastIndex((step) => getSetVariable(step) === value.variable),
    }))
    this.issued = new Set(world.ids.created)
  }

  /**
   * Tells whether a part that was last set before a step of the path certainly differs from the program's.
   * `changed`: the variables that may hold something else, all where they aren't told.
   */
  differBefore(step: number, newest: NewestBinding, changed?: readonly string[]): boolean {
    for (const part of this.parts)
      if (part.setAt < step && canHoldChange(changed, part) && this.differs(part, newest)) return true
    return false
  }
  /** Tells whether a part that is last set by a step of the path certainly differs. */
  differAt(step: number, newest: NewestBinding, changed?: readonly string[]): boolean {
    for (const part of this.parts)
      if (part.setAt === step && canHoldChange(changed, part) && this.differs(part, newest)) return true
    return false
  }

  private differs({ value, ownValue }: ResultPart, newest: NewestBinding): boolean {
    const other = evaluateExpr({ newest }, value)
    return other !== ownValue && (other === undefined || isSurelyDifferent(other, ownValue, this.issued))
  }
}

const canHoldChange = (changed: readonly string[] | undefined, { value }: ResultPart) =>
  changed === undefined || changed.includes(value.variable)
