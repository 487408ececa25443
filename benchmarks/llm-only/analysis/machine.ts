/**
 * One way through a program: which calls it makes, in order, where each choice is taken as decided
 * beforehand.
 */
import type { ApiRecogniser } from './apis.ts'
import { AnalysisEffort } from './limits.ts'
import type { FunctionNode, AbstractValue } from './values.ts'

/** How a statement ended. */
export type StatementEnding = { kind: 'normal' | 'break' } | { kind: 'return'; value: AbstractValue }
export const normal: StatementEnding = { kind: 'normal' }
/** Thrown where the program throws. */
export class ThrownValue extends Error {}

export interface AnalysisMachine {
  recognise: ApiRecogniser
  /** APIs called so far. */
  calls: string[]
  /** True if RESULT was set. */
  result: boolean
  /** True if calls stand in something that repeats them. */
  repeats: boolean
  /** Functions that are running, so that recursion ends. */
  runningFunctions: Set<FunctionNode>
  effort: AnalysisEffort
  /** Chooses which of so many ways to take here. */
  choose(ways: number): number
}

/** Ways through a program that are looked at; one within the constraints has a few at most. */
const maxPaths = 256

export interface ProgramPath {
  calls: readonly string[]
  result: boolean
  repeats: boolean
}

/**
 * Goes every way through a program; those that end in their own exception are left out. Throws TooMuch past
 * the bounds.
 */
export function walkEveryPath(
  recognise: ApiRecogniser,
  go: (machine: AnalysisMachine) => void,
): ProgramPath[] {
  const paths: ProgramPath[] = []
  const effort = new AnalysisEffort()
  let decisions: number[] | null = []
  for (let count = 0; decisions !== null && count < maxPaths; count++) {
    const choices: { way: number; ways: number }[] = []
    const plan: number[] = decisions
    const choose = (ways: number) => {
      const way = plan[choices.length] ?? 0
      choices.push({ way, ways })
      return way
    }
    const machine: AnalysisMachine = {
      recognise,
      calls: [],
      result: false,
      repeats: false,
      runningFunctions: new Set(),
      effort,
      choose,
    }
    try {
      go(machine)
      paths.push({ calls: machine.calls, result: machine.result, repeats: machine.repeats })
    } catch (error) {
      if (!(error instanceof ThrownValue)) throw error
    }
    // The next way: the last choice that has another one left takes it.
    const last = choices.findLastIndex(({ way, ways }) => way + 1 < ways)
    decisions =
      last < 0 ? null : [...choices.slice(0, last).map(({ way }) => way), (choices[last]?.way ?? 0) + 1]
  }
  return paths
}
