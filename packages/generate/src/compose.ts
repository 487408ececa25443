/** From traces to a program: initialisation block, at most one if/else, RESULT (section III-D). */
import type { Atom, JsonValue, Program, ProgramStep, Variable } from '@stateeval/contracts'
import {
  readPath,
  listAtoms,
  type ScopeBinding,
  isCall,
  type ValuePath,
  type RandomSource,
  type Scenario,
  type TestableProperty,
} from '@stateeval/program'
import { gatherResult } from './gather.ts'
import type { MoveSearch } from './moves.ts'
import type { GenerateOptions } from './options.ts'
import { isSteered, setFirstGoals, setSecondGoals } from './steering.ts'
import type { SearchStrategy, TraceWalk } from './strategies/strategy.ts'
import { renumberTrace, startTrace, type ProgramTrace } from './trace.ts'

const placeholder = 'user_constant_0'

/**
 * The newest variable with a property that an if may test, and that property; null where there is none. Best
 * is one that its neighbours don't share: then it shows which is asked.
 */
function findCondition<W>(
  { scenario }: TraceWalk<W>,
  { bindings, steps }: ProgramTrace<W>,
  rng: RandomSource,
): { variable: string; test: TestableProperty } | null {
  let otherwise: { variable: string; test: TestableProperty } | null = null
  for (const binding of bindings.toReversed()) {
    const tests = scenario.conditions(binding, rng).filter((test) => !isTold(test, binding, steps))
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

/**
 * A program with `length` calls on every path; null if the trace reached a dead end. `split`: the number of
 * calls before the if, or 0.
 */
export function composeProgram<W>(
  strategy: SearchStrategy,
  walk: TraceWalk<W>,
  start: CompositionStart<W>,
  options: Pick<GenerateOptions, 'length' | 'pathDepth' | 'bindings'>,
  split: number,
): Program | null {
  const { rng } = walk
  const { first, head } = start
  const { length } = options
  const steered = isSteered(options)
  const firstWalk = { ...walk, ...(steered && { goals: setFirstGoals(options, split) }) }
  const then = strategy.walk({ ...firstWalk, rng: rng.fork('then') }, first, length)
  if (!then) return null
  if (split === 0) return composeStraight(walk, head, then)

  const fork = truncateTrace(then, split)
  const condition = findCondition(walk, fork, rng.fork('condition'))
  if (!condition) return null
  // Names are numbered on, so that none is given in both branches.
  const otherwise = strategy.walk(
    {
      ...walk,
      ...(steered && { goals: setSecondGoals(options, then, fork) }),
      rng: rng.fork('otherwise'),
    },
    renumberTrace(fork, then),
    length - split,
  )
  if (!otherwise) return null
  const { variable, test } = condition
  const block = ({ steps, bindings }: ProgramTrace<W>) => ({
    steps: steps.slice(fork.steps.length),
    result: gatherResult(walk, bindings),
  })
  const constant: Variable = { name: placeholder, role: 'placeholder', values: [test.value, test.other] }
  return {
    ...head,
    variables: [
      ...head.variables,
      ...then.introduced,
      ...otherwise.introduced.slice(fork.introduced.length),
      constant,
    ],
    body: [...fork.steps],
    branch: {
      condition: { variable, path: [...test.path], measure: test.measure, equals: placeholder },
      then: block(then),
      otherwise: block(otherwise),
    },
    id: '',
  }
}
