/**
 * Further inputs for a program: tensors with fresh values, and either value of the placeholder; wide ones
 * with other sizes, too.
 */
import type { ExecutionInput, JsonValue, Program } from '@stateeval/contracts'
import {
  chooseBranches,
  cloneJson,
  interpret,
  isNested,
  listExecutionPaths,
  listSides,
  type PathTaken,
  type RandomSource,
  type Scenario,
  createTensor,
  steerInput,
} from '@stateeval/program'
import { createDraft } from './handles.ts'
import { carriedElements, isLarge } from './large.ts'
import { count } from './reference/array.ts'
import { toStateTensor, isWeightName, type TensorWorld } from './state.ts'
import { drawTensor } from './values.ts'

const attempts = 12

type VariableShapes = ReadonlyMap<string, readonly number[]>

const collectShapes = ({ variables }: Program): VariableShapes =>
  new Map(
    variables.flatMap(({ name, values }) => {
      const tensor = toStateTensor(values[0])
      return tensor ? [[name, tensor.shape] as const] : []
    }),
  )

/** The shapes with every side of one size made another: sides that had to agree still do. */
function resizeShapes(shapes: VariableShapes, rng: RandomSource): VariableShapes {
  const sizes = [...new Set([...shapes.values()].flat())]
  const [from, to] = [rng.pick(sizes), rng.int(1, 9)]
  return new Map([...shapes].map(([name, shape]) => [name, shape.map((size) => (size === from ? to : size))]))
}

/** Tells whether the program succeeds on tensors of these shapes, in a large world within its bound. */
function isFitting(program: Program, scenario: Scenario<TensorWorld>, shapes: VariableShapes): boolean {
  const variables = program.variables.map(({ name, values }): [string, unknown] => {
    const shape = shapes.get(name)
    return [name, shape ? { $tensor: { dtype: 'float32', shape, seed: name } } : values[0]]
  })
  const { elements } = scenario.open(program.world as JsonValue)
  let most = Math.max(...[...shapes.values()].map(count))
  const input = { variables: Object.fromEntries(variables), world: program.world }
  const run = (one: ExecutionInput): PathTaken | null => {
    const taken = interpret(program, scenario, one, (_, { output }) => {
      for (const part of Array.isArray(output) ? output : [output])
        most = Math.max(most, count(toStateTensor(part)?.shape ?? []))
    })
    return taken.ok ? taken : null
  }
  const isRunning = isNested(program)
    ? listExecutionPaths(program).every(
        ({ branch }) => steerInput(program, input, run, chooseBranches(program, listSides(branch))) !== null,
      )
    : run(input) !== null
  return isRunning && (!isLarge(elements) || most <= elements)
}

export function varyTensorInput(
  program: Program,
  scenario: Scenario<TensorWorld>,
  rng: RandomSource,
  wide = false,
): ExecutionInput {
  let shapes = collectShapes(program)
  for (let attempt = 0; wide && attempt < attempts; attempt++) {
    const others = resizeShapes(shapes, rng.fork(attempt))
    if (isFitting(program, scenario, others)) shapes = others
  }
  const variables = program.variables.map(({ name, values }): [string, unknown] => {
    const shape = shapes.get(name)
    if (!shape) return [name, cloneJson(rng.pick(values))]
    const staysDrawn =
      isLarge(scenario.open(program.world as JsonValue).elements) && count(shape) > carriedElements
    if (staysDrawn || toStateTensor(values[0])?.seed !== undefined)
      return [name, createDraft(name, shape, rng)]
    const seed = `${rng.int(0, 0x3fffffff)}.${rng.int(0, 0x3fffffff)}`
    const { dtype, bytes } = drawTensor(seed, shape, isWeightName(name))
    return [name, createTensor(dtype, shape, bytes)]
  })
  return { variables: Object.fromEntries(variables), world: cloneJson(program.world) }
}
