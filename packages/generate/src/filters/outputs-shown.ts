/**
 * The parts of a run's outputs that are certainly observable: any other value there changes RESULT or makes
 * a later step fail. A mistake that produces one is detected without running the later steps.
 */
import type { StepBlock, Call, Expr, VariableReference, ProgramStep } from '@stateeval/contracts'
import { listAtoms, isCall, memoize, type ScenarioOperation, type ValuePath } from '@stateeval/program'
import { getSetVariable } from './shared-steps.ts'

type OutputDescription = Pick<ScenarioOperation<never>, 'tells'>

/** A reference of a call, with the argument that it stands in; of an edit there is none. */
interface ArgumentRead {
  argument: string | undefined
  reference: VariableReference
}

const readsOf = memoize((step: ProgramStep): readonly ArgumentRead[] => {
  const reads: ArgumentRead[] = []
  const look = (argument: string | undefined, expr: Expr) => {
    for (const atom of listAtoms(expr))
      if (atom.kind === 'reference') reads.push({ argument, reference: atom })
  }
  if (isCall(step)) for (const name of Object.keys(step.args)) look(name, step.args[name] as Expr)
  else look(undefined, step.value)
  return reads
}, 64)

export class OutputsShown {
  private readonly steps: readonly ProgramStep[]
  private readonly result: StepBlock['result']
  private readonly operations: ReadonlyMap<string, OutputDescription>
  private readonly paths: (readonly ValuePath[] | undefined)[] = []

  /** Checks a run that makes these steps and has this RESULT. */
  constructor(
    steps: readonly ProgramStep[],
    result: StepBlock['result'],
    operations: ReadonlyMap<string, OutputDescription>,
  ) {
    this.steps = steps
    this.result = result
    this.operations = operations
  }

  /** The parts of what a step sets that show for sure, of those that are read: all of it is the path []. */
  partsOf(step: number): readonly ValuePath[] {
    return (this.paths[step] ??= this.readPaths(step).filter((path) => this.shows(step, path)))
  }

  private readPaths(from: number): ValuePath[] {
    const name = getSetVariable(this.steps[from] as ProgramStep)
    const paths: ValuePath[] = []
    const look = ({ variable, path }: VariableReference) => {
      if (variable === name && !paths.some((other) => isPrefix(other, path) && isPrefix(path, other)))
        paths.push(path)
    }
    for (let index = from + 1; index < this.steps.length; index++)
      for (const { reference } of readsOf(this.steps[index] as ProgramStep)) look(reference)
    for (const { value } of this.result) look(value)
    return paths
  }

  private shows(from: number, path: ValuePath): boolean {
    const name = getSetVariable(this.steps[from] as ProgramStep) as string
    // Places of other values, by variable, and what is set from there on: it may be another, too.
    const others = new Map([[name, path]])
    const later = new Set([name])
    for (let index = from + 1; index < this.steps.length; index++) {
      const step = this.steps[index] as ProgramStep
      const set = getSetVariable(step)
      if (set === undefined) continue
      if (isCall(step) && this.tellsOne(step, others, later)) others.set(set, [])
      else others.delete(set)
      later.add(set)
    }
    return this.result.some(({ value }) => hasOtherValue(value, others))
  }

  /** Tells whether a call distinguishes one of these values, and takes no other value that may differ. */
  private tellsOne(call: Call, others: ReadonlyMap<string, ValuePath>, later: ReadonlySet<string>): boolean {
    const { tells = [] } = this.operations.get(call.api) ?? {}
    let told = 0
    for (const { argument, reference } of readsOf(call)) {
      if (!later.has(reference.variable)) continue
      if (argument === undefined || !tells.includes(argument) || !hasOtherValue(reference, others))
        return false
      told++
    }
    return told === 1
  }
}

/** Tells whether a reference stands for one of these values, or for something that holds one. */
function hasOtherValue(
  { variable, path }: VariableReference,
  others: ReadonlyMap<string, ValuePath>,
): boolean {
  const other = others.get(variable)
  return other !== undefined && isPrefix(path, other)
}
const isPrefix = (begin: ValuePath, path: ValuePath) =>
  begin.length <= path.length && begin.every((key, at) => key === path[at])
