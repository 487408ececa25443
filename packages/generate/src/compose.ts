/** From traces to a program: initialisation block, at most one if/else, RESULT (section III-D). */
import type { Json, Program, Variable } from '@stateeval/contracts'
import type { Rng, Scenario, Testable } from '@stateeval/program'
import { gather } from './gather.ts'
import type { Search } from './moves.ts'
import type { Strategy, Walk } from './strategies/strategy.ts'
import { numberedAs, startTrace, type Trace } from './trace.ts'

const placeholder = 'user_constant_0'

/** The newest variable with a property that an if may test, and that property; null where there is none. */
function findCondition<W>(
  { scenario }: Walk<W>,
  { bindings }: Trace<W>,
  rng: Rng,
): { variable: string; test: Testable } | null {
  for (const binding of bindings.toReversed()) {
    const [test] = scenario.conditions(binding, rng)
    if (test) return { variable: binding.name, test }
  }
  return null
}

/** The trace as it was after so many calls. */
function back<W>(trace: Trace<W>, calls: number): Trace<W> {
  let at = trace
  while (at.history.apis.length > calls && at.before) at = at.before
  return at
}

/** What a scenario starts with, and the trace before the first call. */
export function begin<W>(scenario: Scenario<W>, rng: Rng) {
  const { variables, world } = scenario.start(rng)
  const first = startTrace(
    scenario,
    variables.map(({ name, values }) => ({ name, value: values[0] as Json })),
    world,
  )
  return { first, head: { schema: 1 as const, scenario: scenario.id, variables, world } }
}

type Start<W> = ReturnType<typeof begin<W>>

/** A program as it was drawn, with the traces that it was made from: they hold every state of its runs. */
export interface Draft<W> {
  /** Gets its id when it is kept: most drafts are dropped, and hashing one takes longer than drawing its calls. */
  program: Program
  /** The path of a straight program, or that by way of `then`. */
  then: Trace<W>
  /** Where the branches part, and the other path. */
  branch?: { fork: Trace<W>; otherwise: Trace<W> }
}

/** The straight program of a trace. */
export function straight<W>(search: Search<W>, head: Start<W>['head'], trace: Trace<W>): Draft<W> {
  const variables = [...head.variables, ...trace.introduced]
  return {
    program: { ...head, variables, body: [...trace.steps], result: gather(search, trace.bindings), id: '' },
    then: trace,
  }
}

/** A program of `length` calls on every path; null where the trace ran into a dead end. `split`: the if comes after so many calls, or 0. */
export function compose<W>(
  strategy: Strategy,
  walk: Walk<W>,
  start: Start<W>,
  length: number,
  split: number,
): Draft<W> | null {
  const { rng } = walk
  const { first, head } = start
  const then = strategy.walk({ ...walk, rng: rng.fork('then') }, first, length)
  if (!then) return null
  if (split === 0) return straight(walk, head, then)

  const fork = back(then, split)
  const condition = findCondition(walk, fork, rng.fork('condition'))
  if (!condition) return null
  // Names are numbered on, so that none is given in both branches.
  const otherwise = strategy.walk(
    { ...walk, rng: rng.fork('otherwise') },
    numberedAs(fork, then),
    length - split,
  )
  if (!otherwise) return null
  const { variable, test } = condition
  const block = ({ steps, bindings }: Trace<W>) => ({
    steps: steps.slice(fork.steps.length),
    result: gather(walk, bindings, variable),
  })
  const constant: Variable = { name: placeholder, role: 'placeholder', values: [test.value, test.other] }
  const program: Program = {
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
  return { program, then, branch: { fork, otherwise } }
}
