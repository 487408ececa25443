/** Tensors out of nothing: zeros, arange and their like. */
import { bool, type Dtype, float32, int64 } from './dtype.ts'
import { RuntimeError, spelled } from './errors.ts'
import { bounded, boundedList, node } from './graph.ts'
import { elementwiseStrides, product, type StrideSizes } from './strides.ts'
import { constant, flatten, isTensor, describeOperand, Tensor } from './tensor.ts'
import { cast } from './elementwise.ts'

/** Sizes that a tensor may have. */
function checked(shape: readonly number[]): readonly number[] {
  const negative = shape.find((size) => size < 0)
  if (negative !== undefined)
    throw new RuntimeError(`Trying to create tensor with negative dimension ${negative}: ${spelled(shape)}`)
  return shape
}
/** A number as an element of the type; integers have bounds. `name` is the name of the type in errors. */
function element(value: number, dtype: Dtype, name: string = dtype.name): number {
  const bound = dtype === int64 ? 2 ** 63 : 2 ** 31
  if (dtype.category === 1 && !(Math.trunc(value) >= -bound && Math.trunc(value) < bound))
    throw new RuntimeError(`value cannot be converted to type ${name} without overflow`)
  return dtype.category === 1 ? Math.trunc(value) : value
}

/** The most elements of one repeated value that travel; the host spreads out more. */
const writtenElements = 2 ** 16

export function filled(shape: StrideSizes, value: number, dtype: Dtype): Tensor {
  bounded(shape, dtype)
  if (product(shape) > writtenElements)
    return new Tensor(
      node('expand', [constant([value], [], dtype).node], { shape: [...shape] }, dtype, shape),
    )
  return constant(
    Array.from({ length: product(shape) }, () => value),
    shape,
    dtype,
  )
}
const inferDtype = (value: number | boolean) => describeOperand(value).dtype
export const sized = (value: number) => (size: readonly number[], dtype: Dtype | null) =>
  filled(checked(size), value, dtype ?? float32)
export function full(size: readonly number[], value: number | boolean, dtype: Dtype | null): Tensor {
  const type = dtype ?? inferDtype(value)
  return filled(checked(size), element(Number(value), type, type === int64 ? 'int64_t' : 'int'), type)
}
/** In the order of the tensor’s memory. */
export const like = (value: number) => (tensor: Tensor, dtype: Dtype | null) =>
  alike(tensor, filled(tensor.node.shape, value, dtype ?? tensor.dtype))
export const fullLike = (tensor: Tensor, value: number | boolean, dtype: Dtype | null) =>
  alike(tensor, full(tensor.shape, value, dtype ?? tensor.dtype))
const alike = ({ node: { shape }, strides }: Tensor, filledTensor: Tensor) =>
  new Tensor(filledTensor.node, elementwiseStrides(shape, [{ shape, strides }]))

export function tensor(data: unknown, type: Dtype | null): Tensor {
  if (isTensor(data)) return type ? cast(data, type) : data
  const { numbers, shape, kind } = flatten(data)
  const elementType = type ?? (kind === 'bool' ? bool : kind === 'int' ? int64 : float32)
  boundedList(shape, elementType)
  return constant(
    numbers.map((one) => element(one, elementType)),
    shape,
    elementType,
  )
}

export function arange(
  start: number | boolean,
  end: number | boolean,
  step: number | boolean,
  dtype: Dtype | null,
): Tensor {
  const bounds = [Number(start), Number(end), Number(step)]
  const type = dtype ?? (bounds.every(Number.isInteger) ? int64 : float32)
  if (type === bool) throw new RuntimeError(`"arange_cpu" not implemented for 'Bool'`)
  const [from, to, by] = (type.category === 1 ? bounds.map(Math.trunc) : bounds) as [number, number, number]
  // Only int64 counts in whole numbers.
  const [first, last, each] = (type === int64 ? [from, to, by] : bounds) as [number, number, number]
  if (by === 0) throw new RuntimeError('step must be nonzero')
  if (!Number.isFinite(from) || !Number.isFinite(to))
    throw new RuntimeError(`unsupported range: ${numberText(from)} -> ${numberText(to)}`)
  if (by > 0 ? to < from : to > from)
    throw new RuntimeError('upper bound and larger bound inconsistent with step sign')
  const count = Math.ceil((last - first) / each)
  boundedList([count], type)
  return constant(
    Array.from({ length: count }, (_, at) => from + at * by),
    [count],
    type,
  )
}
const numberText = (value: number) => (Number.isNaN(value) ? 'nan' : String(value).replace('Infinity', 'inf'))
export function linspace(
  start: number | boolean,
  end: number | boolean,
  count: number,
  dtype: Dtype | null,
): Tensor {
  if (count < 0) throw new RuntimeError('number of steps must be non-negative')
  const type = dtype ?? float32
  if (type === bool && count > 1) throw new RuntimeError(`"linspace_cpu" not implemented for 'Bool'`)
  boundedList([count], type)
  const [from, to] = [element(Number(start), type), element(Number(end), type)]
  const step = count > 1 ? (to - from) / (count - 1) : 0
  return constant(
    Array.from({ length: count }, (_, at) =>
      element(at < count / 2 ? from + at * step : to - (count - 1 - at) * step, type),
    ),
    [count],
    type,
  )
}
export function eye(rows: number, columns: number, dtype: Dtype | null): Tensor {
  for (const [name, size] of [
    ['n', rows],
    ['m', columns],
  ] as const)
    if (size < 0) throw new RuntimeError(`${name} must be greater or equal to 0, got ${size}`)
  boundedList([rows, columns], float32)
  const numbers = Array.from({ length: rows * columns }, (_, at) =>
    Math.floor(at / columns) === at % columns ? 1 : 0,
  )
  return constant(numbers, [rows, columns], dtype ?? float32)
}
/** Ones where a triangle is, as booleans. */
export function triangle(rows: number, columns: number, diagonal: number, upper: boolean): Tensor {
  const numbers = Array.from({ length: rows * columns }, (_, at) => {
    const off = (at % columns) - Math.floor(at / columns)
    return (upper ? off >= diagonal : off <= diagonal) ? 1 : 0
  })
  return constant(numbers, [rows, columns], bool)
}
