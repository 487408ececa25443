/**
 * What every scenario keeps, and what this one promises of its programs: shapes within the bound, no
 * pointless calls, any length.
 */
import { describe, expect, test } from '@jest/globals'
import type { JsonValue, Program } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import {
  listArtifacts,
  countBindings,
  checkConditions,
  checkDocumentation,
  createRng,
  listExecutionPaths,
  extremes,
  findTensorFault,
  buildInput,
  interpret,
  isCall,
  measurePathDepth,
  readSafetensors,
  resolveTensors,
  type Scenario,
  checkSolvedCalls,
  checkRepeatedStarts,
  validateProgram,
  checkVariedShapes,
  listWrittenSteps,
} from '@stateeval/program'
import { liveHeapMiB } from '@stateeval/testkit'
import { makeTensorOperation, tensorOperation } from '../index.ts'
import { toStateTensor } from '../state.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const scenario: Scenario = tensorOperation
const seeds = Array.from({ length: long ? 200 : 5 }, (_, seed) => seed)
const generated = (options: Partial<GenerateOptions>, from: Scenario = scenario) =>
  generate(from, { ...defaultOptions, strategy: 'coverage', ...options })

describe('the laws of scenarios', () => {
  test('every solved call succeeds, and apply changes nothing that it is given', () =>
    seeds.forEach((seed) => checkSolvedCalls(tensorOperation, seed)))
  test('starts repeat and everything is JSON', () =>
    seeds.forEach((seed) => checkRepeatedStarts(tensorOperation, seed)))
  test('models read of every API', () => checkDocumentation(tensorOperation, ['javascript', 'python']))
  test('conditions hold', () => seeds.forEach((seed) => checkConditions(tensorOperation, seed)))
  test('varied inputs keep the shape, and programs succeed on them', () => {
    for (const { program } of generated({ count: 10 }))
      for (let seed = 0; seed < 3; seed++) checkVariedShapes(scenario, program, seed)
  })
})

/** Every tensor of a run on the state machine, by its own prediction. */
function shapesOf(program: Program): number[][] {
  const shapes: number[][] = program.variables.flatMap(({ values }) => {
    const shape = toStateTensor(values[0])?.shape
    return shape ? [[...shape]] : []
  })
  for (const choice of [0, 1] as const) {
    const run = interpret(program, scenario, buildInput(program, choice), (_, { output }) => {
      for (const value of Array.isArray(output) ? output : [output as JsonValue])
        shapes.push([...(toStateTensor(value)?.shape ?? [Number.NaN])])
    })
    expect(run.ok).toBe(true)
  }
  return shapes
}

test.each([64, 200, 4096, 2_000_000, 10 ** 8])('no tensor has more than %i elements', (elements) => {
  const bounded: Scenario = makeTensorOperation({ elements })
  for (const { program } of generated({ count: long ? 500 : 12, length: 8, seed: elements }, bounded))
    for (const shape of shapesOf(program))
      expect(shape.reduce((a, b) => a * b, 1)).toBeLessThanOrEqual(elements)
})

test('a bound that leaves no room is refused', () =>
  expect(() => makeTensorOperation({ elements: 63 })).toThrow('from 64 to 100000000, not 63'))

test.each([2, 3, 12, 50])('programs of %i calls', (length) => {
  const programs = [
    ...generated({ count: long ? 100 : length > 20 ? 1 : 5, length, observable: length < 20 }),
  ]
  expect(programs.length).toBeGreaterThan(0)
  for (const { program } of programs) {
    expect(validateProgram(program, scenario)).toEqual([])
    for (const { steps } of listExecutionPaths(program)) expect(steps.filter(isCall)).toHaveLength(length)
    expect(shapesOf(program).flat().every(Number.isInteger)).toBe(true)
  }
})

test('a kept program’s values are files that it names, in its shapes, finite and about as large as one', () => {
  for (const { program, artifacts = {} } of generated({ count: 10 })) {
    expect(listArtifacts(program).sort()).toEqual(Object.keys(artifacts).sort())
    for (const file of Object.values(artifacts)) expect(readSafetensors(file)).toMatchObject({ ok: true })
    const resolved = resolveTensors(buildInput(program), (id) => artifacts[id])
    if (!resolved.ok) throw new Error(resolved.says)
    const tensors = Object.values(resolved.value.variables).filter((value) => toStateTensor(value))
    for (const tensor of tensors) expect(findTensorFault(tensor, { elements: 4096, finite: true })).toBeNull()
    const run = interpret(program, scenario, resolved.value)
    if (!run.ok) throw new Error(run.error)
    for (const value of Object.values(run.result).flat())
      expect(findTensorFault(value, { elements: 4096, finite: true })).toBeNull()
  }
})

test('same options, same bytes; another seed, other values', () => {
  const contentOf = (seed: number) =>
    [...generated({ count: 3, seed })].map(({ program, artifacts }) => [
      program,
      Object.keys(artifacts ?? {}),
    ])
  expect(contentOf(7)).toEqual(contentOf(7))
  expect(contentOf(8)).not.toEqual(contentOf(7))
})

test('programs make sense: nothing is computed twice, and data flows', () => {
  const programs = [...generated({ count: long ? 1000 : 30, seed: 3 })].map(({ program }) => program)
  for (const program of programs) {
    for (const { steps } of listExecutionPaths(program)) {
      const calls = steps.filter(isCall).map(({ api, args }) => JSON.stringify([api, args]))
      expect(new Set(calls).size).toBe(calls.length)
      for (const step of steps) {
        const { tensors } = (step as { args: Record<string, { kind: string; items?: object[] }> }).args
        if (tensors?.items)
          expect(new Set(tensors.items.map((item) => JSON.stringify(item))).size).toBe(tensors.items.length)
      }
    }
  }
  const mean = (of: (program: Program) => number) =>
    programs.reduce((sum, program) => sum + of(program), 0) / programs.length
  expect(mean((program) => listWrittenSteps(program).length)).toBeGreaterThan(6.5)
  expect(mean(measurePathDepth)).toBeGreaterThan(1.7)
  expect(mean(countBindings)).toBeGreaterThan(4)
  const apis = new Set(
    programs.flatMap((program) => listWrittenSteps(program).map((step) => (isCall(step) ? step.api : ''))),
  )
  expect([...apis].sort()).toEqual(['cat', 'conv2d', 'linear', 'permute', 'split', 'transpose'])
})

test('conditions ask for what only a run can tell, unless tensors are too small', () => {
  const paths = [...generated({ count: long ? 150 : 60, seed: 9 })].flatMap(({ program: { branch } }) =>
    branch
      ? [
          `${branch.condition.measure} ${branch.condition.path.filter((key) => typeof key === 'string').join('.')}`,
        ]
      : [],
  )
  expect(new Set(paths)).toEqual(
    new Set([
      ...extremes.map((extreme) => `value $tensor.${extreme}`),
      ...paths.filter((path) => /count |shape/.test(path)),
    ]),
  )
  expect(paths.filter((path) => /arg(max|min)$/.test(path)).length).toBeGreaterThan(0.95 * paths.length)
})

test('many programs in bounded memory', () => {
  const count = long ? 10_000 : 40
  const before = liveHeapMiB()
  let [total, growth] = [0, 0]
  for (const { program } of generated({ count, seed: 5 })) {
    total++
    if (total % 500 === 1) growth = Math.max(growth, liveHeapMiB() - before)
    if (total % 10 === 0) expect(validateProgram(program, scenario)).toEqual([])
  }
  expect(total).toBe(count)
  expect(growth).toBeLessThan(40)
})

test('drafts differ by seed only where they should', () => {
  const { variables, world } = tensorOperation.start(createRng(1))
  expect(world).toEqual({ elements: 4096 })
  expect(variables.map(({ name }) => name)).toEqual(variables.map((_, index) => `user_tensor_${index}`))
})
