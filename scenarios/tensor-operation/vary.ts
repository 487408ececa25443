/**
 * Further inputs for a program: tensors with fresh values, and either value of the placeholder; wide ones
 * with other sizes, too.
 */
import type { ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import { cloneJson, interpret, type Rng, type Scenario, tensorOf } from '@stateeval/program'
import { draft } from './handles.ts'
import { carriedElements, isLarge } from './large.ts'
import { count } from './reference/array.ts'
import { asTensor, isWeightName, type TensorWorld } from './state.ts'
import { drawTensor } from './values.ts'

const attempts = 12

type Shapes = ReadonlyMap<string, readonly number[]>

const shapesOf = ({ variables }: Program): Shapes =>
  new Map(
    variables.flatMap(({ name, values }) => {
      const tensor = asTensor(values[0])
      return tensor ? [[name, tensor.shape] as const] : []
    }),
  )

/** The shapes with every side of one size made another: sides that had to agree still do. */
function resized(shapes: Shapes, rng: Rng): Shapes {
  const sizes = [...new Set([...shapes.values()].flat())]
  const [from, to] = [rng.pick(sizes), rng.int(1, 9)]
  return new Map([...shapes].map(([name, shape]) => [name, shape.map((size) => (size === from ? to : size))]))
}

/** Tells whether the program succeeds on tensors of these shapes, in a large world within its bound. */
function fits(program: Program, scenario: Scenario<TensorWorld>, shapes: Shapes): boolean {
  const variables = program.variables.map(({ name, values }): [string, unknown] => {
    const shape = shapes.get(name)
    return [name, shape ? { $tensor: { dtype: 'float32', shape, seed: name } } : values[0]]
  })
  const { elements } = scenario.open(program.world as JsonValue)
  let most = Math.max(...[...shapes.values()].map(count))
  const input = { variables: Object.fromEntries(variables), world: program.world }
  const run = interpret(program, scenario, input, (_, { output }) => {
    for (const one of Array.isArray(output) ? output : [output])
      most = Math.max(most, count(asTensor(one)?.shape ?? []))
  })
  return run.ok && (!isLarge(elements) || most <= elements)
}

export function vary(
  program: Program,
  scenario: Scenario<TensorWorld>,
  rng: Rng,
  wide = false,
): ExecutionInput {
  let shapes = shapesOf(program)
  for (let attempt = 0; wide && attempt < attempts; attempt++) {
    const others = resized(shapes, rng.fork(attempt))
    if (fits(program, scenario, others)) shapes = others
  }
  const variables = program.variables.map(({ name, values }): [string, unknown] => {
    const shape = shapes.get(name)
    if (!shape) return [name, cloneJson(rng.pick(values))]
    const staysDrawn =
      isLarge(scenario.open(program.world as JsonValue).elements) && count(shape) > carriedElements
    if (staysDrawn || asTensor(values[0])?.seed !== undefined) return [name, draft(name, shape, rng)]
    const seed = `${rng.int(0, 0x3fffffff)}.${rng.int(0, 0x3fffffff)}`
    const { dtype, bytes } = drawTensor(seed, shape, isWeightName(name))
    return [name, tensorOf(dtype, shape, bytes)]
  })
  return { variables: Object.fromEntries(variables), world: cloneJson(program.world) }
}
