/** From traces to a program: initialisation block, ifs, RESULT (section III-D, where there is one if). */
import { isDeepStrictEqual } from 'node:util'
import type { Atom, JsonValue, Program, ProgramStep, StepBlock, Variable } from '@stateeval/contracts'
import {
  readPath,
  listAtoms,
  type ScopeBinding,
  isCall,
  isExtreme,
  type ValuePath,
  type RandomSource,
  type Scenario,
  type TestableProperty,
} from '@stateeval/program'
import { gatherResult } from './gather.ts'
import type { MoveSearch } from './moves.ts'
import type { GenerateOptions } from './options.ts'
import { type SplitPlan } from './splits.ts'
import { GoalSetter } from './steering.ts'
import type { SearchStrategy, TraceWalk } from './strategies/strategy.ts'
import { renumberTrace, startTrace, type ProgramTrace } from './trace.ts'

/** A property of a variable that an if tests. */
interface TraceCondition {
  variable: string
  test: TestableProperty
}

/**
 * The newest variable with a property that an if may test, and that property; null where there is none. Best
 * is one that its neighbours don't share: then it shows which is asked. `isOther`: what else it has to be.
 */
function findCondition<W>(
  { scenario }: TraceWalk<W>,
  { bindings, steps }: ProgramTrace<W>,
  rng: RandomSource,
  isOther: (condition: TraceCondition) => boolean,
): TraceCondition | null {
  let otherwise: TraceCondition | null = null
  for (const binding of bindings.toReversed()) {
    const tests = scenario
      .conditions(binding, rng)
      .filter((test) => !isTold(test, binding, steps) && isOther({ variable: binding.name, test }))
    const test = tests.find((one) => isTelling(one, binding, bindings))
    if (test) return { variable: binding.name, test }
    if (tests[0]) otherwise ??= { variable: binding.name, test: tests[0] }
  }
  return otherwise
}

/** Tells whether the program itself states the answer: as a text in it, or by an edit. */
const isTold = (
  { path, value }: TestableProperty,
  { name }: ScopeBinding,
  steps: readonly ProgramStep[],
): boolean =>
  steps.some((step) =>
    isCall(step)
      ? typeof value === 'string' &&
        Object.values(step.args)
          .flatMap(listAtoms)
          .some((atom) => hasText(atom, value))
      : step.value.kind === 'literal' &&
        step.target.variable === name &&
        step.target.path.every((key, at) => key === path[at]),
  )
const hasText = (atom: Atom, text: string) => atom.kind === 'literal' && atom.value === text

/**
 * Tells whether the same question about the previous or next element, or about another output of the API, has
 * another answer.
 */
function isTelling(
  { path, measure, value }: TestableProperty,
  binding: ScopeBinding,
  bindings: readonly ScopeBinding[],
): boolean {
  const answer = ({ value: holder }: ScopeBinding, place: ValuePath) => {
    const part = readPath(holder, place)
    return measure === 'count' && Array.isArray(part) ? part.length : part
  }
  const neighbours = path.flatMap((key, index) =>
    typeof key === 'number' ? [path.with(index, key + 1), path.with(index, key - 1)] : [],
  )
  return (
    neighbours.every((place) => answer(binding, place) !== value) &&
    bindings.every((other) => other === binding || other.api !== binding.api || answer(other, path) !== value)
  )
}

/** The trace as it was after so many calls. */
function truncateTrace<W>(trace: ProgramTrace<W>, calls: number): ProgramTrace<W> {
  let at = trace
  while (at.history.apis.length > calls && at.before) at = at.before
  return at
}

/**
 * A scenario's initial state, and the trace before the first call. No call of the trace reads the
 * distractors: only their names are taken.
 */
export function begin<W>(scenario: Scenario<W>, rng: RandomSource, distractors = 0) {
  const start = scenario.start(rng)
  const extra = distractors > 0 ? scenario.distract?.(start, distractors, rng.fork('distractors')) : undefined
  const { world } = extra ?? start
  const variables = [...start.variables, ...(extra?.variables ?? [])]
  const trace = startTrace(
    scenario,
    variables.map(({ name, values }) => ({ name, value: values[0] as JsonValue })),
    world,
  )
  const first = { ...trace, bindings: trace.bindings.slice(0, start.variables.length) }
  return { first, head: { schema: 1 as const, scenario: scenario.id, variables, world } }
}

type CompositionStart<W> = ReturnType<typeof begin<W>>

/**
 * The straight-line program of a trace. A program gets its id when it is kept: many are dropped, and
 * hashing one takes as long as drawing its calls.
 */
export const composeStraight = <W>(
  search: MoveSearch<W>,
  head: CompositionStart<W>['head'],
  trace: ProgramTrace<W>,
): Program => ({
  ...head,
  variables: [...head.variables, ...trace.introduced],
  body: [...trace.steps],
  result: gatherResult(search, trace.bindings),
  id: '',
})

/** A condition of a program with nested ifs differs from those around it, and never asks for an element. */
const isNestable = ({ variable, test }: TraceCondition, around: readonly TraceCondition[]): boolean =>
  !isExtreme(test.path.at(-1)) &&
  !around.some(
    (other) =>
      other.variable === variable &&
      other.test.measure === test.measure &&
      isDeepStrictEqual(other.test.path, test.path),
  )

/**
 * A program with `length` calls on every path; null if a trace reached a dead end. `splits`: where its ifs
 * stand; null for a straight program.
 */
export function composeProgram<W>(
  strategy: SearchStrategy,
  walk: TraceWalk<W>,
  start: CompositionStart<W>,
  options: Pick<GenerateOptions, 'length' | 'pathDepth' | 'bindings'>,
  splits: SplitPlan | null,
): Program | null {
  const { rng } = walk
  const { first, head } = start
  const { length } = options
  const goalSetter = new GoalSetter(options, splits)
  const introduced: Variable[] = []
  const constants: Variable[] = []
  let newest: ProgramTrace<W> = first
  const follow = (from: ProgramTrace<W>, source: RandomSource): ProgramTrace<W> | null => {
    const goals = goalSetter.set(from)
    const calls = length - from.history.apis.length
    // Names are numbered on, so that none is given on two paths.
    const path = strategy.walk(
      { ...walk, ...(goals && { goals }), rng: source },
      renumberTrace(from, newest),
      calls,
    )
    if (!path) return null
    goalSetter.add(path, from)
    introduced.push(...path.introduced.slice(from.introduced.length))
    newest = path
    return path
  }
  const isNested = splits?.then !== undefined || splits?.otherwise !== undefined
  const split = (
    path: ProgramTrace<W>,
    from: ProgramTrace<W>,
    plan: SplitPlan | undefined,
    source: RandomSource,
    around: readonly TraceCondition[],
  ): StepBlock | null => {
    if (!plan)
      return { steps: path.steps.slice(from.steps.length), result: gatherResult(walk, path.bindings) }
    const fork = truncateTrace(path, plan.at)
    const condition = findCondition(
      walk,
      fork,
      source.fork('condition'),
      (one) => !isNested || isNestable(one, around),
    )
    if (!condition) return null
    const { variable, test } = condition
    const equals = `user_constant_${constants.length}`
    constants.push({ name: equals, role: 'placeholder', values: [test.value, test.other] })
    const asked = [...around, condition]
    const then = split(path, fork, plan.then, source.fork('in then'), asked)
    const other = then && follow(fork, source.fork('otherwise'))
    const otherwise = other && split(other, fork, plan.otherwise, source.fork('in otherwise'), asked)
    if (!then || !otherwise) return null
    return {
      steps: fork.steps.slice(from.steps.length),
      result: [],
      branch: {
        condition: { variable, path: [...test.path], measure: test.measure, equals },
        then,
        otherwise,
      },
    }
  }

  const path = follow(first, rng.fork('then'))
  if (!path) return null
  if (!splits) return composeStraight(walk, head, path)
  const block = split(path, first, splits, rng, [])
  if (!block?.branch) return null
  const { steps, branch } = block
  return {
    ...head,
    schema: isNested ? 2 : 1,
    variables: [...head.variables, ...introduced, ...constants],
    body: steps,
    branch,
    id: '',
  }
}
