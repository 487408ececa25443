/**
 * Laws of every scenario, as functions that throw if one is broken. A scenario's tests run all of them on
 * many seeds.
 */
import type { Call, JsonValue, Language, Program, VariableReference } from '@stateeval/contracts'
import { canonicalJson } from '@stateeval/contracts'
import { readPath, evaluate } from './expr.ts'
import { buildInput, interpret } from './interpret.ts'
import { createRng, type RandomSource } from './rng.ts'
import type { ScopeBinding, PossibleCall, Scenario, TraceScope } from './scenario.ts'
import { describeShape } from './shape.ts'

const assertLaw = (holds: boolean, says: string) => {
  if (!holds) throw new Error(says)
}

/** Both sides of a broken law, one below the other. */
function assertSame(expected: unknown, actual: unknown, says: () => string): void {
  const [expectedText, actualText] = [canonicalJson(expected), canonicalJson(actual)]
  if (expectedText !== actualText)
    throw new Error(`${says()}\n  expected: ${expectedText}\n  actual:   ${actualText}`)
}

function freezeDeep<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(freezeDeep)
  return value
}

const evaluateArguments = (
  call: Call,
  bindings: readonly ScopeBinding[],
  introduces: PossibleCall['introduces'] = [],
) => {
  const valueOf = (variable: string) =>
    introduces.find(({ stem }) => stem === variable)?.value ??
    bindings.find(({ name }) => name === variable)?.value
  const read = ({ variable, path }: VariableReference) => readPath(valueOf(variable), path)
  return Object.fromEntries(
    Object.entries(call.args).map(([name, expr]) => [name, evaluate(expr, read) as JsonValue]),
  )
}

/** Walks at random over valid calls and tells of every scope that it comes by. */
function walk<W>(scenario: Scenario<W>, rng: RandomSource, visit: (scope: TraceScope<W>) => void): void {
  const { variables, world } = scenario.start(rng)
  let scope: TraceScope<W> = {
    world: freezeDeep(scenario.open(world)),
    bindings: freezeDeep(
      variables.map(({ name, values }) => ({
        name,
        value: values[0] as JsonValue,
        createdAt: 0,
        used: false,
      })),
    ),
    history: [],
  }
  for (let step = 0; step < 8; step++) {
    visit(scope)
    const calls = scenario.operations.flatMap((operation) =>
      Array.from(operation.solve(scope, rng), (candidate) => ({ operation, ...candidate })),
    )
    if (calls.length === 0) return
    const { operation, call, consumes, introduces } = rng.pick(calls)
    for (const { operation: other, call: now, introduces: introductions } of calls) {
      const transition = other.apply(
        scope.world,
        freezeDeep(evaluateArguments(now, scope.bindings, introductions)),
      )
      assertLaw(
        transition.ok,
        `${other.id}: solve yields a call that apply refuses: ${JSON.stringify(now.args)}, ${transition.ok ? '' : JSON.stringify(transition.error)}`,
      )
    }
    const transition = operation.apply(scope.world, evaluateArguments(call, scope.bindings, introduces))
    if (!transition.ok) return
    assertSame(
      [...transition.reads].sort(),
      [...consumes].sort(),
      () =>
        `${operation.id}: what solve says that the call consumes (actual) must be what apply reads (expected), for ${JSON.stringify(call.args)}`,
    )
    assertLaw(
      (transition.output !== undefined) === (operation.gathers !== undefined),
      operation.gathers === undefined
        ? `${operation.id}: apply gives an output, so gathers must name its key in RESULT: ${JSON.stringify(transition.output)}`
        : `${operation.id}: gathers names the key ${operation.gathers.key}, so apply must give an output`,
    )
    const output =
      transition.output === undefined
        ? []
        : [
            {
              name: `response_${step}`,
              value: transition.output,
              api: operation.id,
              call,
              createdAt: step,
              used: false,
            },
          ]
    scope = {
      world: freezeDeep(transition.world),
      bindings: freezeDeep([...scope.bindings, ...output]),
      history: [...scope.history, operation.id],
    }
  }
}

/**
 * Every solved call succeeds; apply does not change its arguments; a call consumes exactly what its
 * transition reads.
 */
export const checkSolvedCalls = <W>(scenario: Scenario<W>, seed: number) =>
  walk(scenario, createRng(`solve ${seed}`), () => {})

/** The same seed gives the same start; start, world and observation survive JSON. */
export function checkRepeatedStarts<W>(scenario: Scenario<W>, seed: number): void {
  const [a, b] = [scenario.start(createRng(seed)), scenario.start(createRng(seed))]
  assertSame(a, b, () => `start: the seed ${seed} gives another start the second time`)
  assertLaw(
    JSON.stringify(JSON.parse(JSON.stringify(a))) === JSON.stringify(a),
    'a start is not a JSON value',
  )
  walk(scenario, createRng(`json ${seed}`), ({ world }) => {
    assertLaw(
      JSON.stringify(JSON.parse(JSON.stringify(world))) === JSON.stringify(world),
      'a world is not a JSON value',
    )
    const observation = scenario.observe(world)
    assertLaw(
      canonicalJson(JSON.parse(JSON.stringify(observation))) === canonicalJson(observation),
      'an observation is not a JSON value',
    )
  })
}

/** A condition holds now; its other value does not hold, has the same type, and neither is an id. */
export function checkConditions<W>(scenario: Scenario<W>, seed: number): void {
  const rng = createRng(`conditions ${seed}`)
  walk(scenario, rng, ({ bindings, world }) => {
    const { ids } = scenario.observe(world)
    for (const binding of bindings) {
      for (const { path, measure, value, other } of scenario.conditions(binding, rng)) {
        const foundValue = readPath(binding.value, path)
        const label = `conditions of ${binding.name}, ${measure} of ${JSON.stringify(path)}`
        assertSame(
          measure === 'count' ? (foundValue as JsonValue[]).length : foundValue,
          value,
          () => `${label}: value (actual) must be what it is now (expected)`,
        )
        assertLaw(
          other !== value && typeof other === typeof value,
          `${label}: other must be another value of the same type: ${JSON.stringify(value)}, ${JSON.stringify(other)}`,
        )
        assertLaw(
          ![...ids.initial, ...ids.created].includes(value as string),
          `${label}: it tests an id, which differs in each world: ${String(value)}`,
        )
      }
    }
  })
}

/** The documentation covers every API that programs call, in each language; opt-in ones where it is asked. */
export function checkDocumentation<W>(scenario: Scenario<W>, languages: readonly Language[]): void {
  for (const language of languages)
    for (const { id, optIn } of scenario.operations)
      assertLaw(
        new RegExp(`\\b${id}\\b`).test(scenario.documentation(language, optIn ? [id] : [])),
        `the documentation for ${language} does not mention ${id}`,
      )
}

/** A varied input has the same variables with the same shapes, and the program succeeds on it. */
export function checkVariedShapes<W>(scenario: Scenario<W>, program: Program, seed: number): void {
  const varied = scenario.vary(program, createRng(`vary ${seed}`))
  assertSame(
    describeShape(buildInput(program).variables),
    describeShape(varied.variables),
    () => 'vary: the variables of the varied input have another shape than the program’s own',
  )
  const run = interpret(program, scenario, varied)
  assertLaw(run.ok, `the program fails on a varied input: ${run.ok ? '' : run.error}`)
}
