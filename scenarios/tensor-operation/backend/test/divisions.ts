/**
 * What is left of divisions, `fmod`, `remainder` and Python's `%`: of each type by each other type, by
 * numbers, of both signs, and by zero.
 */
import { callByName } from './call-by-name.ts'
import { dtypes, type DtypeName } from '../torch/dtype.ts'
import { torch } from '../torch/functions.ts'
import { constant, type Tensor } from '../torch/tensor.ts'
import type { Program, Step } from './programs.ts'

type Call = (...args: unknown[]) => unknown
const t = torch as Record<string, Call>
const kinds: readonly DtypeName[] = ['float32', 'float64', 'int32', 'int64', 'bool']
const valuesOf = (kind: DtypeName) =>
  kind === 'bool'
    ? [0, 1, 1, 0, 1, 1]
    : kind.startsWith('int')
      ? [-7, 7, 5, -4, 0, 9]
      : [-7.5, 7.5, 5.25, -4, 0, 0.75]
const divisorsOf = (kind: DtypeName) =>
  kind === 'bool'
    ? [1, 1, 1, 1, 1, 1]
    : kind.startsWith('int')
      ? [3, -3, 2, -4, 5, 4]
      : [2.5, -2.5, 2, -4, 1.5, 0.5]

export function divisions(): Program {
  const inputs: Tensor[] = []
  const steps: Step[] = []
  const input = (values: readonly number[], shape: readonly number[], kind: DtypeName) => {
    inputs.push(constant([...values], [...shape], dtypes[kind]))
    return { name: `v${inputs.length - 1}`, tensor: inputs.at(-1) as Tensor }
  }
  const add = (python: string, run: () => unknown) => {
    const step: Step = { name: `r${steps.length}`, python }
    try {
      step.value = run()
    } catch (error) {
      step.error = [(error as Error).name, (error as Error).message]
    }
    steps.push(step)
  }
  for (const kind of kinds) {
    const a = input(valuesOf(kind), [2, 3], kind)
    for (const other of kinds) {
      // One divisor for each element, and one row of them for both rows.
      for (const shape of [[2, 3], [3]]) {
        const b = input(divisorsOf(other).slice(0, shape.length * 3), shape, other)
        for (const name of ['fmod', 'remainder'])
          add(`torch.${name}(${a.name}, ${b.name})`, () => t[name]!(a.tensor, b.tensor))
        add(`${a.name} % ${b.name}`, () => t['remainder']!(a.tensor, b.tensor))
      }
    }
    for (const number of [2, -3, 0.5, -1.5])
      for (const name of ['fmod', 'remainder']) {
        add(`torch.${name}(${a.name}, ${number})`, () => t[name]!(a.tensor, number))
        add(`${a.name}.${name}(${number})`, () => callByName(a.tensor, name, number))
      }
    // Memory in another order than the shape says: that of the result follows the first.
    const [turned, straight] = [t['t']!(a.tensor), input(divisorsOf(kind), [3, 2], kind)]
    for (const name of ['floor_divide', 'remainder', 'pow', 'fmod']) {
      add(`torch.${name}(${a.name}.t(), ${straight.name})`, () => t[name]!(turned, straight.tensor))
      // Integers are divided by what is known already.
      if (!kind.startsWith('float')) continue
      add(`torch.${name}(${straight.name}, ${a.name}.t().abs() + 1)`, () =>
        t[name]!(straight.tensor, t['add']!(t['abs']!(turned), 1)),
      )
    }
    const zero = input([0], [], kind)
    for (const name of ['fmod', 'remainder'])
      add(`torch.${name}(${a.name}, ${zero.name})`, () => t[name]!(a.tensor, zero.tensor))
  }
  return { inputs, steps }
}
