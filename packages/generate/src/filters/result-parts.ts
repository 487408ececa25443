/**
 * The parts of RESULT while a mutant runs: some are final before its last step, and may already distinguish
 * it.
 */
import type { StepBlock, JsonValue, VariableReference, ProgramStep } from '@stateeval/contracts'
import { surelyDiffer } from './alike.ts'
import { setBy } from './shared-steps.ts'
import { type Shown, type State, valueIn } from './state.ts'

type Newest = State<unknown>['newest']
interface Part {
  value: VariableReference
  /** The program's value there. */
  ownValue: JsonValue | undefined
  /** The last step on the program's path that sets its variable: -1 where none does. */
  setAt: number
}

export class ResultParts {
  private readonly parts: readonly Part[]
  /** Ids that the program's run issued. */
  readonly issued: ReadonlySet<string>

  /** Follows a program with this RESULT, which shows this, after these steps. */
  constructor(entries: StepBlock['result'], { result, world }: Shown, path: readonly ProgramStep[]) {
    this.parts = entries.map(({ key, value }) => ({
      value,
      ownValue: result[key],
      setAt: path.findLastIndex((step) => setBy(step) === value.variable),
    }))
    this.issued = new Set(world.ids.created)
  }

  /**
   * Tells whether one that was last set before a step of the path certainly differs from the program's.
   * `changed`: the variables that may hold something else, all where they aren't told.
   */
  differBefore(step: number, newest: Newest, changed?: readonly string[]): boolean {
    for (const part of this.parts)
      if (part.setAt < step && mayHold(changed, part) && this.differs(part, newest)) return true
    return false
  }
  /** Tells whether one that is last set by a step of the path does. */
  differAt(step: number, newest: Newest, changed?: readonly string[]): boolean {
    for (const part of this.parts)
      if (part.setAt === step && mayHold(changed, part) && this.differs(part, newest)) return true
    return false
  }

  private differs({ value, ownValue }: Part, newest: Newest): boolean {
    const other = valueIn({ newest }, value)
    return other !== ownValue && (other === undefined || surelyDiffer(other, ownValue, this.issued))
  }
}

const mayHold = (changed: readonly string[] | undefined, { value }: Part) =>
  changed === undefined || changed.includes(value.variable)
