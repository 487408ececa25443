/** Rules of the primitive operations, worked out on the host. A check throws the fault, as a sentence. */
import { count, type ElementType, sizes, type GraphValue } from './check.ts'

export interface CheckedValue extends GraphValue {
  /** The checked attributes: no others are passed on. */
  attributes: Readonly<Record<string, unknown>>
  /** Multiplications, or elements that are read; else as many as there are elements. */
  cost?: number
  /** Bytes of intermediate values. */
  bytes?: number
}
interface OperationRule {
  inputs: readonly [min: number, max: number]
  check(inputs: readonly GraphValue[], attributes: Readonly<Record<string, unknown>>): CheckedValue
}

const fail = (message: string): never => {
  throw new Error(message)
}
const requireInteger = (value: unknown, name: string, min: number, max: number): number =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : fail(`${name} must be an integer from ${min} to ${max}`)
const list = (value: unknown, name: string, length: [number, number], min: number, max: number): number[] =>
  Array.isArray(value) && value.length >= length[0] && value.length <= length[1]
    ? value.map((one) => requireInteger(one, name, min, max))
    : fail(`${name} must be a list of ${length[0]} to ${length[1]} integers`)
const maxInt = 2 ** 31 - 1
const readDim = (value: unknown, { shape }: GraphValue) => requireInteger(value, 'dim', 0, shape.length - 1)
const isWholeType = (dtype: ElementType) => dtype === 'int64' || dtype === 'int32'
const isFloatType = (dtype: ElementType) => dtype === 'float32' || dtype === 'float64'
const requireTrue = (fine: boolean, message: string) => void (fine || fail(message))
const requireAlike = (a: GraphValue, b: GraphValue) =>
  requireTrue(a.dtype === b.dtype, `its inputs are of ${a.dtype} and ${b.dtype}`)

function broadcastShapes(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...shapes.map((shape) => shape.length))
  return Array.from({ length: rank }, (_, dim) =>
    shapes.reduce((common, shape) => {
      const size = shape[dim - (rank - shape.length)] ?? 1
      if (common !== size && common !== 1 && size !== 1)
        fail(`shapes ${shapes.map((one) => `[${one.join(', ')}]`).join(' and ')} do not fit`)
      return common === 1 ? size : common
    }, 1),
  )
}

const createUnaryRule = (allowed: (dtype: ElementType) => boolean): OperationRule => ({
  inputs: [1, 1],
  check([a]) {
    requireTrue(allowed(a!.dtype), `it does not support ${a!.dtype}`)
    return { dtype: a!.dtype, shape: a!.shape, attributes: {} }
  },
})
const isNumericType = (dtype: ElementType) => dtype !== 'bool'
const createBinaryRule = (
  result?: ElementType,
  allowed: (dtype: ElementType) => boolean = isNumericType,
): OperationRule => ({
  inputs: [2, 2],
  check([a, b]) {
    requireAlike(a!, b!)
    requireTrue(allowed(a!.dtype), `it does not support ${a!.dtype}`)
    return { dtype: result ?? a!.dtype, shape: broadcastShapes([a!.shape, b!.shape]), attributes: {} }
  },
})
const createReductionRule = (result?: ElementType, one = false): OperationRule => ({
  inputs: [1, 1],
  check([a], { dims, keepdim }) {
    requireTrue(isNumericType(a!.dtype), `it does not support ${a!.dtype}`)
    const dimensions = list(dims, 'dims', [1, one ? 1 : a!.shape.length], 0, a!.shape.length - 1)
    requireTrue(new Set(dimensions).size === dimensions.length, 'dims has a dimension twice')
    requireTrue(count(a!.shape) > 0, 'it has no elements')
    const shape = a!.shape.flatMap((size, at) =>
      !dimensions.includes(at) ? [size] : keepdim === true ? [1] : [],
    )
    return {
      dtype: result ?? a!.dtype,
      shape,
      attributes: { dims: dimensions, keepdim: keepdim === true },
      cost: count(a!.shape),
    }
  },
})
const isBool = (dtype: ElementType) => dtype === 'bool'

export const rules: Readonly<Record<string, OperationRule>> = {
  reshape: {
    inputs: [1, 1],
    check([a], { shape }) {
      const newShape = list(shape, 'shape', [0, 16], 1, maxInt)
      requireTrue(count(newShape) === count(a!.shape), 'it changes the number of elements')
      return { dtype: a!.dtype, shape: newShape, attributes: { shape: newShape } }
    },
  },
  permute: {
    inputs: [1, 1],
    check([a], { dims }) {
      const rank = a!.shape.length
      const order = list(dims, 'dims', [rank, rank], 0, rank - 1)
      requireTrue(new Set(order).size === rank, 'dims has a dimension twice')
      return { dtype: a!.dtype, shape: order.map((dim) => a!.shape[dim]!), attributes: { dims: order } }
    },
  },
  expand: {
    inputs: [1, 1],
    check([a], { shape }) {
      const newShape = list(shape, 'shape', [a!.shape.length, 16], 1, maxInt)
      const offset = newShape.length - a!.shape.length
      requireTrue(
        a!.shape.every((size, at) => size === 1 || size === newShape[at + offset]),
        'its shape can’t be expanded so',
      )
      return { dtype: a!.dtype, shape: newShape, attributes: { shape: newShape } }
    },
  },
  slice: {
    inputs: [1, 1],
    check([a], { dim, start, end, step }) {
      const at = readDim(dim, a!)
      const size = a!.shape[at]!
      const from = requireInteger(start, 'start', 0, size)
      const to = requireInteger(end, 'end', from, size)
      const by = requireInteger(step, 'step', 1, maxInt)
      return {
        dtype: a!.dtype,
        shape: a!.shape.with(at, Math.ceil((to - from) / by)),
        attributes: { dim: at, start: from, end: to, step: by },
      }
    },
  },
  gather: {
    inputs: [1, 1],
    check([a], { dim, indices }) {
      const at = readDim(dim, a!)
      const positions = list(indices, 'indices', [1, 2 ** 16], 0, a!.shape[at]! - 1)
      return {
        dtype: a!.dtype,
        shape: a!.shape.with(at, positions.length),
        attributes: { dim: at, indices: positions },
      }
    },
  },
  cat: {
    inputs: [1, 10_000],
    check(all, { dim }) {
      const first = all[0]!
      const at = readDim(dim, first)
      for (const one of all) {
        requireAlike(first, one)
        requireTrue(
          one.shape.length === first.shape.length &&
            one.shape.every((size, n) => n === at || size === first.shape[n]),
          'its inputs have shapes that do not fit',
        )
      }
      return {
        dtype: first.dtype,
        shape: first.shape.with(
          at,
          all.reduce((sum, { shape }) => sum + shape[at]!, 0),
        ),
        attributes: { dim: at },
      }
    },
  },
  cast: {
    inputs: [1, 1],
    check([a], { to }) {
      requireTrue(typeof to === 'string' && Object.hasOwn(sizes, to), 'its dtype is unknown')
      return { dtype: to as ElementType, shape: a!.shape, attributes: { to } }
    },
  },
  ...Object.fromEntries(
    [
      'exp',
      'log',
      'sqrt',
      'sigmoid',
      'tanh',
      'sin',
      'cos',
      'reciprocal',
      'erf',
      'floor',
      'ceil',
      'round',
    ].map((op) => [op, createUnaryRule(isFloatType)]),
  ),
  ...Object.fromEntries(['neg', 'abs', 'relu', 'sign'].map((op) => [op, createUnaryRule(isNumericType)])),
  not: createUnaryRule(isBool),
  ...Object.fromEntries(
    ['add', 'sub', 'mul', 'div', 'pow', 'max2', 'min2'].map((op) => [op, createBinaryRule()]),
  ),
  fmod: createBinaryRule(),
  ...Object.fromEntries(
    ['bitand', 'bitor', 'bitxor'].map((op) => [op, createBinaryRule(undefined, isWholeType)]),
  ),
  ...Object.fromEntries(['eq', 'ne', 'lt', 'le', 'gt', 'ge'].map((op) => [op, createBinaryRule('bool')])),
  ...Object.fromEntries(['and', 'or', 'xor'].map((op) => [op, createBinaryRule('bool', isBool)])),
  where: {
    inputs: [3, 3],
    check([condition, a, b]) {
      requireTrue(condition!.dtype === 'bool', 'its condition is no bool')
      requireAlike(a!, b!)
      return {
        dtype: a!.dtype,
        shape: broadcastShapes([condition!.shape, a!.shape, b!.shape]),
        attributes: {},
      }
    },
  },
  ...Object.fromEntries(['sum', 'prod', 'max', 'min'].map((op) => [op, createReductionRule()])),
  argmax: createReductionRule('int64', true),
  argmin: createReductionRule('int64', true),
  cumsum: {
    inputs: [1, 1],
    check([a], { dim }) {
      requireTrue(isNumericType(a!.dtype), `it does not support ${a!.dtype}`)
      return { dtype: a!.dtype, shape: a!.shape, attributes: { dim: readDim(dim, a!) } }
    },
  },
  matmul: {
    inputs: [2, 2],
    check([a, b]) {
      requireAlike(a!, b!)
      requireTrue(isNumericType(a!.dtype), `it does not support ${a!.dtype}`)
      requireTrue(
        a!.shape.length >= 2 && b!.shape.length >= 2 && a!.shape.at(-1) === b!.shape.at(-2),
        'its matrices do not fit',
      )
      const shape = [
        ...broadcastShapes([a!.shape.slice(0, -2), b!.shape.slice(0, -2)]),
        a!.shape.at(-2)!,
        b!.shape.at(-1)!,
      ]
      requireTrue(count(shape) > 0 && a!.shape.at(-1)! > 0, 'it has no elements')
      return { dtype: a!.dtype, shape, attributes: {}, cost: count(shape) * a!.shape.at(-1)! }
    },
  },
  conv: { inputs: [2, 3], check: checkConv },
}

function checkConv(
  [x, w, b]: readonly GraphValue[],
  { stride, pads, dilation, groups }: Readonly<Record<string, unknown>>,
): CheckedValue {
  requireAlike(x!, w!)
  requireTrue(isNumericType(x!.dtype), `it does not support ${x!.dtype}`)
  requireTrue(x!.shape.length === 4 && w!.shape.length === 4, 'it takes four dimensions')
  requireTrue(count(x!.shape) > 0 && count(w!.shape) > 0, 'it has no elements')
  const steps = list(stride, 'stride', [2, 2], 1, 2 ** 16)
  const gaps = list(dilation, 'dilation', [2, 2], 1, 2 ** 16)
  const around = list(pads, 'pads', [4, 4], 0, 2 ** 12)
  const [outChannels, inChannels, ...kernel] = w!.shape as [number, number, number, number]
  const parts = requireInteger(groups, 'groups', 1, outChannels)
  requireTrue(outChannels % parts === 0 && x!.shape[1] === inChannels * parts, 'its channels do not fit')
  if (b) {
    requireAlike(x!, b)
    requireTrue(b.shape.length === 1 && b.shape[0] === outChannels, 'its bias doesn’t fit')
  }
  const padded = [0, 1].map((side) => x!.shape[2 + side]! + around[side]! + around[side + 2]!)
  const sides = padded.map(
    (size, side) => Math.floor((size - gaps[side]! * (kernel[side]! - 1) - 1) / steps[side]!) + 1,
  )
  requireTrue(
    sides.every((side) => side > 0),
    'its kernel is larger than its input',
  )
  const [images, channels] = x!.shape as [number, number]
  const whole = count([images, channels, ...padded])
  requireTrue(whole <= Math.max(2 ** 22, 4 * count(x!.shape)), 'its padding is too large')
  const shape = [images, outChannels, ...sides]
  const multiplications = count(shape) * inChannels * count(kernel)
  const attributes = { stride: steps, pads: around, dilation: gaps, groups: parts }
  if (x!.dtype === 'float32') return { dtype: x!.dtype, shape, attributes, cost: multiplications }
  // Other types are computed place by place of the kernel (lower.ts): each takes several operations, and all
  // may be in memory at once.
  requireTrue(count(kernel) <= 256, 'its kernel is too large')
  const elements = count([images, channels, ...sides])
  return {
    dtype: x!.dtype,
    shape,
    attributes,
    cost: multiplications + count(kernel) * (2 ** 16 + elements),
    bytes: sizes[x!.dtype] * (whole + count(kernel) * (2 * elements + count(shape))),
  }
}
