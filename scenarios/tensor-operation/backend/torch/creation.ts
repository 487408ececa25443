/** Tensors out of nothing: zeros, arange and their like. */
import { int } from './args.ts'
import { bool, Dtype, dtypes, float32, int64 } from './dtype.ts'
import { RuntimeError, spelled, typeName } from './errors.ts'
import { bounded } from './graph.ts'
import { product, type Sizes } from './strides.ts'
import { constant, flatten, isScalar, isTensor, Tensor } from './tensor.ts'
import { cast } from './elementwise.ts'

export function dtypeOf(value: unknown, name: string): Dtype | null {
  if (value === null || value === undefined) return null
  if (value instanceof Dtype) return value
  const found = typeof value === 'string' ? dtypes[value.replace(/^torch\./, '') as keyof typeof dtypes] : undefined
  if (found && Object.hasOwn(dtypes, found.name)) return found
  throw new TypeError(`${name}(): argument 'dtype' must be torch.dtype, not ${typeName(value)}`)
}

function sizes(value: unknown, name: string): number[] {
  const list = Number.isInteger(value) ? [value] : value
  if (!Array.isArray(list) || !list.every((one) => Number.isInteger(one)))
    throw new TypeError(
      `${name}(): argument 'size' (position 1) must be tuple of SymInts, not ${typeName(Array.isArray(list) && list.length === 1 ? list[0] : value)}`,
    )
  const shape = list as number[]
  const negative = shape.find((size) => size < 0)
  if (negative !== undefined) throw new RuntimeError(`Trying to create tensor with negative dimension ${negative}: ${spelled(shape)}`)
  return shape
}

export function filled(shape: Sizes, value: number, dtype: Dtype): Tensor {
  bounded(shape, dtype)
  return constant(
    Array.from({ length: product(shape) }, () => value),
    shape,
    dtype,
  )
}
export const sized = (name: string, value: number) => (size: unknown, dtype: unknown) =>
  filled(sizes(size, name), value, dtypeOf(dtype, name) ?? float32)
export function full(size: unknown, value: unknown, dtype: unknown): Tensor {
  const number = isTensor(value) ? value.item() : value
  if (!isScalar(number)) throw new TypeError(`full(): argument 'fill_value' (position 2) must be Number, not ${typeName(value)}`)
  const own = typeof number === 'boolean' ? bool : Number.isInteger(number) ? int64 : float32
  return filled(sizes(size, 'full'), Number(number), dtypeOf(dtype, 'full') ?? own)
}
export const like = (name: string, value: number) => (tensor: Tensor, dtype: unknown) =>
  filled(tensor.node.shape, value, dtypeOf(dtype, name) ?? tensor.dtype)

export function tensor(data: unknown, dtype: unknown): Tensor {
  const type = dtypeOf(dtype, 'tensor')
  if (isTensor(data)) return type ? cast(data, type) : data
  if (data === null || data === undefined || typeof data === 'object' ? !Array.isArray(data) : !isScalar(data))
    throw new TypeError(
      typeof data === 'string'
        ? `new(): invalid data type 'str'`
        : `tensor(): argument 'data' must be a number or a list, not ${typeName(data)}`,
    )
  const { numbers, shape, kind } = flatten(data)
  const found = kind === 'bool' ? bool : kind === 'int' ? int64 : float32
  bounded(shape, type ?? found)
  const whole = type !== null && type.category === 1 && kind === 'float' ? numbers.map(Math.trunc) : numbers
  return constant(whole, shape, type ?? found)
}

export function arange(first: unknown, second: unknown, third: unknown, dtype: unknown): Tensor {
  const [start, end, step] = second === null ? [0, first, 1] : [first, second, third ?? 1]
  for (const value of [start, end, step])
    if (typeof value !== 'number') throw new TypeError(`arange(): argument 'end' (position 1) must be Number, not ${typeName(value)}`)
  const [from, to, by] = [start as number, end as number, step as number]
  if (by === 0) throw new RuntimeError('step must be nonzero')
  if (by > 0 ? to < from : to > from) throw new RuntimeError('upper bound and larger bound inconsistent with step sign')
  const type = dtypeOf(dtype, 'arange') ?? ([from, to, by].every(Number.isInteger) ? int64 : float32)
  const count = Math.ceil((to - from) / by)
  bounded([count], type)
  return constant(
    Array.from({ length: count }, (_, at) => from + at * by),
    [count],
    type,
  )
}
export function linspace(start: unknown, end: unknown, steps: unknown, dtype: unknown): Tensor {
  const [from, to, count] = [Number(start), Number(end), int(steps, 'linspace', 'steps', 3)]
  if (count < 0) throw new RuntimeError('number of steps must be non-negative')
  bounded([count], float32)
  const step = count > 1 ? (to - from) / (count - 1) : 0
  return constant(
    Array.from({ length: count }, (_, at) => (at < count / 2 ? from + at * step : to - (count - 1 - at) * step)),
    [count],
    dtypeOf(dtype, 'linspace') ?? float32,
  )
}
export function eye(n: unknown, m: unknown, dtype: unknown): Tensor {
  const [rows, columns] = [int(n, 'eye', 'n', 1), m === null ? int(n, 'eye', 'n', 1) : int(m, 'eye', 'm', 2)]
  bounded([rows, columns], float32)
  const numbers = Array.from({ length: rows * columns }, (_, at) => (Math.floor(at / columns) === at % columns ? 1 : 0))
  return constant(numbers, [rows, columns], dtypeOf(dtype, 'eye') ?? float32)
}
/** Ones where a triangle is, as booleans. */
export function triangle(rows: number, columns: number, diagonal: number, upper: boolean): Tensor {
  const numbers = Array.from({ length: rows * columns }, (_, at) => {
    const off = (at % columns) - Math.floor(at / columns)
    return (upper ? off >= diagonal : off <= diagonal) ? 1 : 0
  })
  return constant(numbers, [rows, columns], bool)
}
