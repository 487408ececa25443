/** Functions of each element: arithmetic, comparison, and what models use of nn.functional. */
import { bool, type Dtype, float32, int64, resultType } from './dtype.ts'
import { RuntimeError, typeName } from './errors.ts'
import { node } from './graph.ts'
import { elementwiseStrides, product, type Sizes } from './strides.ts'
import { constant, isScalar, isTensor, operandOf, scalar, Tensor } from './tensor.ts'

type Value = Tensor | number | boolean

export function cast(tensor: Tensor, dtype: Dtype): Tensor {
  if (tensor.dtype === dtype) return tensor
  if (product(tensor.node.shape) === 0) return new Tensor(constant([], tensor.node.shape, dtype).node, tensor.strides)
  return new Tensor(
    node('cast', [tensor.node], { to: dtype.name }, dtype, tensor.node.shape),
    elementwiseStrides(tensor.node.shape, [operand(tensor)]),
  )
}
const operand = ({ node, strides }: Tensor) => ({ shape: node.shape, strides })

/** The shape of several together; what doesn’t fit is told of the last dimension where it doesn’t. */
export function broadcast(shapes: readonly Sizes[]): number[] {
  return shapes.reduce<number[]>((found, shape) => {
    const rank = Math.max(found.length, shape.length)
    const made: number[] = []
    for (let dim = rank - 1; dim >= 0; dim--) {
      const a = found[dim - (rank - found.length)] ?? 1
      const b = shape[dim - (rank - shape.length)] ?? 1
      if (a !== b && a !== 1 && b !== 1)
        throw new RuntimeError(`The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${dim}`)
      made[dim] = a === 1 ? b : a
    }
    return made
  }, [])
}

function made(op: string, tensors: readonly Tensor[], dtype: Dtype, attributes = {}): Tensor {
  const shape = broadcast(tensors.map((one) => one.node.shape))
  const strides = elementwiseStrides(shape, tensors.map(operand))
  if (product(shape) === 0) return new Tensor(constant([], shape, dtype).node, strides)
  return new Tensor(
    node(
      op,
      tensors.map((one) => one.node),
      attributes,
      dtype,
      shape,
    ),
    strides,
  )
}

function operands(name: string, a: unknown, b: unknown): [Value, Value] {
  for (const [value, parameter, position] of [
    [a, 'input', 1],
    [b, 'other', 2],
  ] as const)
    if (!isTensor(value) && !isScalar(value))
      throw new TypeError(`${name}(): argument '${parameter}' (position ${position}) must be Tensor, not ${typeName(value)}`)
  return [a as Value, b as Value]
}
const as = (value: Value, dtype: Dtype) => (isTensor(value) ? cast(value, dtype) : scalar(value, dtype))
const floating = (dtype: Dtype) => (dtype.category === 2 ? dtype : float32)

/** With the promoted type on both sides. */
function binary(op: string, a: Value, b: Value, type: (promoted: Dtype) => Dtype = (dtype) => dtype): Tensor {
  const dtype = type(resultType([operandOf(a), operandOf(b)]))
  return made(op, [as(a, dtype), as(b, dtype)], dtype)
}
const asBool = (tensor: Tensor) => cast(tensor, bool)

function scaled(name: string, value: Value, alpha: unknown, other: Value): Value {
  if (alpha === 1) return value
  if (!isScalar(alpha)) throw new TypeError(`${name}(): argument 'alpha' must be Number, not ${typeName(alpha)}`)
  if (!Number.isInteger(alpha) && resultType([operandOf(value), operandOf(other)]).category < 2)
    throw new RuntimeError('For integral input tensors, argument alpha must not be a floating point number.')
  return isTensor(value) ? mul(value, alpha) : Number(value) * Number(alpha)
}

export function add(input: unknown, other: unknown, alpha: unknown = 1): Tensor {
  const [a, b] = operands('add', input, other)
  const second = scaled('add', b, alpha, a)
  if (resultType([operandOf(a), operandOf(second)]) === bool) return made('or', [as(a, bool), as(second, bool)], bool)
  return binary('add', a, second)
}
export function sub(input: unknown, other: unknown, alpha: unknown = 1): Tensor {
  const [a, b] = operands('sub', input, other)
  const [first, second] = [operandOf(a), operandOf(b)]
  if (first.dtype === bool && second.dtype === bool)
    throw new RuntimeError(
      'Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.',
    )
  if (first.dtype === bool || second.dtype === bool)
    throw new RuntimeError(
      'Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.',
    )
  return binary('sub', a, scaled('sub', b, alpha, a))
}
export function mul(input: unknown, other: unknown): Tensor {
  const [a, b] = operands('mul', input, other)
  if (resultType([operandOf(a), operandOf(b)]) === bool) return made('and', [as(a, bool), as(b, bool)], bool)
  return binary('mul', a, b)
}
export function div(input: unknown, other: unknown, rounding: unknown = null): Tensor {
  const [a, b] = operands('div', input, other)
  if (rounding === null) return binary('div', a, b, floating)
  if (rounding !== 'trunc' && rounding !== 'floor')
    throw new RuntimeError(`div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '${String(rounding)}'`)
  const dtype = resultType([operandOf(a), operandOf(b)])
  if (dtype.category === 2) {
    const quotient = binary('div', a, b)
    if (rounding === 'floor') return unaryOf('floor', quotient)
    return where(binaryCompare('lt', quotient, 0), unaryOf('ceil', quotient), unaryOf('floor', quotient))
  }
  noZeros(b)
  const truncated = binary('div', a, b)
  if (rounding === 'trunc') return truncated
  // Integers are divided towards zero: below it there is one less, where something is left.
  const left = sub(a, mul(truncated, b))
  const off = made(
    'and',
    [binaryCompare('ne', left, 0), binaryCompare('lt', mul(unaryOf('sign', left), unaryOf('sign', isTensor(b) ? b : scalar(b, dtype))), 0)],
    bool,
  )
  return sub(truncated, cast(off, dtype))
}
export function remainder(input: unknown, other: unknown): Tensor {
  const [a, b] = operands('remainder', input, other)
  const dtype = resultType([operandOf(a), operandOf(b)])
  noBool('remainder', dtype)
  if (dtype.category < 2) {
    noZeros(b)
    return binary('mod', a, b)
  }
  return binary('sub', a, mul(unaryOf('floor', binary('div', a, b)), b))
}
/** What is left of a division towards zero: it has the sign of what is divided. */
export function fmod(input: unknown, other: unknown): Tensor {
  const [a, b] = operands('fmod', input, other)
  noBool('fmod', resultType([operandOf(a), operandOf(b)]))
  return binary('sub', a, mul(div(a, b, 'trunc'), b))
}
function noBool(name: string, dtype: Dtype) {
  if (dtype === bool) throw new RuntimeError(`"${name}_cpu" not implemented for 'Bool'`)
}
/** PyTorch refuses it as well; ours would end the process that computes. */
function noZeros(divisor: Value) {
  const values = isTensor(divisor) ? divisor.values() : [divisor]
  if (values.some((value) => Number(value) === 0)) throw new RuntimeError('ZeroDivisionError')
}
export function pow(input: unknown, exponent: unknown): Tensor {
  const [a, b] = operands('pow', input, exponent)
  const dtype = resultType([operandOf(a), operandOf(b)])
  if (dtype.category < 2 && (isTensor(b) ? (b.values() as number[]) : [Number(b)]).some((value) => value < 0))
    throw new RuntimeError('Integers to negative integer powers are not allowed.')
  return binary('pow', a, b, (found) => (found === bool ? int64 : found))
}
export function extreme(op: 'max' | 'min', a: unknown, b: unknown, name: string): Tensor {
  const [first, second] = [a, b].map((value, at) => {
    if (isTensor(value)) return value
    throw new TypeError(`${name}(): argument '${at === 0 ? 'input' : 'other'}' (position ${at + 1}) must be Tensor, not ${typeName(value)}`)
  })
  const dtype = resultType([operandOf(first!), operandOf(second!)])
  if (dtype === bool) return made(op === 'max' ? 'or' : 'and', [first!, second!], bool)
  return binary(`${op}2`, first!, second!)
}

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'
export function binaryCompare(op: Comparison, input: unknown, other: unknown): Tensor {
  const [a, b] = operands(op, input, other)
  const promoted = resultType([operandOf(a), operandOf(b)])
  const dtype = promoted === bool ? int64 : promoted
  return made(op, [as(a, dtype), as(b, dtype)], bool)
}
export const logical = (op: 'and' | 'or' | 'xor', a: Tensor, b: Tensor) => made(op, [asBool(a), asBool(b)], bool)
export function bitwise(op: 'and' | 'or' | 'xor', a: Tensor, b: Tensor, name: string): Tensor {
  if (resultType([operandOf(a), operandOf(b)]) !== bool)
    throw new RuntimeError(`"${name}_cpu" is supported for tensors of booleans only here`)
  return made(op, [a, b], bool)
}
export const not = (tensor: Tensor) => made('not', [asBool(tensor)], bool)

/** The same values, as a function makes them. */
const copied = (tensor: Tensor) => new Tensor(tensor.node, elementwiseStrides(tensor.node.shape, [operand(tensor)]))
const unaryOf = (op: string, tensor: Tensor) => made(op, [tensor], tensor.dtype)
const unlessBool = (op: string, refuse: string) => (tensor: Tensor) => {
  if (tensor.dtype === bool) throw new RuntimeError(refuse)
  return unaryOf(op, tensor)
}
const inFloats = (op: string) => (tensor: Tensor) => unaryOf(op, cast(tensor, floating(tensor.dtype)))
const unlessWhole = (op: string) => (tensor: Tensor) => {
  if (tensor.dtype === bool) throw new RuntimeError(`"${op}_vml_cpu" not implemented for 'Bool'`)
  return tensor.dtype.category === 1 ? copied(tensor) : unaryOf(op, tensor)
}

export const unary = {
  neg: unlessBool(
    'neg',
    'Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.',
  ),
  abs: unlessBool('abs', '"abs_cpu" not implemented for \'Bool\''),
  relu: unlessBool('relu', 'Boolean inputs not supported for relu'),
  sign: (tensor: Tensor) => (tensor.dtype === bool ? copied(tensor) : unaryOf('sign', tensor)),
  floor: unlessWhole('floor'),
  ceil: unlessWhole('ceil'),
  round: unlessWhole('round'),
  exp: inFloats('exp'),
  log: inFloats('log'),
  sqrt: inFloats('sqrt'),
  sigmoid: inFloats('sigmoid'),
  tanh: inFloats('tanh'),
  sin: inFloats('sin'),
  cos: inFloats('cos'),
  reciprocal: inFloats('reciprocal'),
  rsqrt: (tensor: Tensor) => inFloats('reciprocal')(inFloats('sqrt')(tensor)),
  square: (tensor: Tensor) => mul(tensor, tensor),
  isnan: (tensor: Tensor) => (tensor.dtype.category === 2 ? made('ne', [tensor, tensor], bool) : binaryCompare('ne', tensor, tensor)),
} satisfies Record<string, (tensor: Tensor) => Tensor>

export function clamp(tensor: Tensor, least: unknown, most: unknown): Tensor {
  if (least === null && most === null) throw new RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
  const bounds = [least, most].filter((bound) => bound !== null) as Value[]
  const dtype = resultType([tensor, ...bounds].map(operandOf))
  let found = cast(tensor, dtype)
  if (least !== null) found = made('max2', [found, as(least as Value, dtype)], dtype)
  if (most !== null) found = made('min2', [found, as(most as Value, dtype)], dtype)
  return found
}

export function where(condition: Tensor, a: Value, b: Value): Tensor {
  if (condition.dtype !== bool)
    throw new RuntimeError(`where expected condition to be a boolean tensor, but got a tensor with dtype ${condition.dtype.title}`)
  const dtype = resultType([operandOf(a), operandOf(b)])
  return made('where', [condition, as(a, dtype), as(b, dtype)], dtype)
}

export const leakyRelu = (tensor: Tensor, slope: number) => where(binaryCompare('gt', tensor, 0), tensor, mul(tensor, slope))
/** Half of x, weighted by the normal distribution. */
export function gelu(tensor: Tensor, approximate: unknown): Tensor {
  if (tensor.dtype.category < 2) throw new RuntimeError(`"GeluKernelImpl" not implemented for '${tensor.dtype.title}'`)
  const inner =
    approximate === 'tanh'
      ? unary.tanh(mul(add(tensor, mul(pow(tensor, 3), 0.044715)), Math.sqrt(2 / Math.PI)))
      : unaryOf('erf', mul(tensor, Math.SQRT1_2))
  return mul(mul(tensor, 0.5), add(inner, 1))
}
