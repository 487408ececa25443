/** Functions of each element: arithmetic, comparison, and what models use of nn.functional. */
import { bool, type Dtype, float32, int64, resultType } from './dtype.ts'
import { RuntimeError } from './errors.ts'
import { node } from './graph.ts'
import { elementwiseStrides, product, type StrideSizes } from './strides.ts'
import { constant, isTensor, describeOperand, scalar, Tensor } from './tensor.ts'

export type TensorOrNumber = Tensor | number | boolean

export function cast(tensor: Tensor, dtype: Dtype): Tensor {
  if (tensor.dtype === dtype) return tensor
  if (product(tensor.node.shape) === 0)
    return new Tensor(constant([], tensor.node.shape, dtype).node, tensor.strides)
  return new Tensor(
    node('cast', [tensor.node], { to: dtype.name }, dtype, tensor.node.shape),
    elementwiseStrides(tensor.node.shape, [operand(tensor)]),
  )
}
const operand = ({ node, strides }: Tensor) => ({ shape: node.shape, strides })

/** The shape of several together; errors name the last dimension that doesn't fit. */
export function broadcast(shapes: readonly StrideSizes[]): number[] {
  return shapes.reduce<number[]>((shared, shape) => {
    const rank = Math.max(shared.length, shape.length)
    const wider: number[] = []
    for (let dim = rank - 1; dim >= 0; dim--) {
      const a = shared[dim - (rank - shared.length)] ?? 1
      const b = shape[dim - (rank - shape.length)] ?? 1
      if (a !== b && a !== 1 && b !== 1)
        throw new RuntimeError(
          `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${dim}`,
        )
      wider[dim] = a === 1 ? b : a
    }
    return wider
  }, [])
}

function elementwise(op: string, tensors: readonly Tensor[], dtype: Dtype, attributes = {}): Tensor {
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

const as = (value: TensorOrNumber, dtype: Dtype) =>
  isTensor(value) ? cast(value, dtype) : scalar(value, dtype)
const floating = (dtype: Dtype) => (dtype.category === 2 ? dtype : float32)

/** With the promoted type on both sides. */
function binary(
  op: string,
  a: TensorOrNumber,
  b: TensorOrNumber,
  type: (promoted: Dtype) => Dtype = (dtype) => dtype,
): Tensor {
  const dtype = type(resultType([describeOperand(a), describeOperand(b)]))
  return elementwise(op, [as(a, dtype), as(b, dtype)], dtype)
}
const asBool = (tensor: Tensor) => cast(tensor, bool)

/** Numbers that stand for tensors count as such. */
const asTensor = (value: TensorOrNumber) =>
  isTensor(value) ? value : scalar(value, describeOperand(value).dtype)
const broadcastShapes = (...values: TensorOrNumber[]) =>
  broadcast(values.map((value) => (isTensor(value) ? value.node.shape : [])))

/** The second operand times alpha, of the type of the result. */
function scaled(value: TensorOrNumber, alpha: number | boolean, dtype: Dtype): Tensor {
  const operandTensor = as(value, dtype)
  if (alpha === 1) return operandTensor
  if (typeof alpha === 'boolean' && dtype !== bool)
    throw new RuntimeError('Boolean alpha only supported for Boolean results.')
  if (typeof alpha === 'number' && !Number.isInteger(alpha) && dtype.category < 2)
    throw new RuntimeError('For integral input tensors, argument alpha must not be a floating point number.')
  return elementwise(dtype === bool ? 'and' : 'mul', [operandTensor, scalar(alpha, dtype)], dtype)
}

export function add(a: TensorOrNumber, b: TensorOrNumber, alpha: number | boolean = 1): Tensor {
  const dtype = resultType([describeOperand(a), describeOperand(b)])
  broadcastShapes(a, b)
  return elementwise(dtype === bool ? 'or' : 'add', [as(a, dtype), scaled(b, alpha, dtype)], dtype)
}
export function sub(a: TensorOrNumber, b: TensorOrNumber, alpha: number | boolean = 1): Tensor {
  const [first, second] = [describeOperand(a), describeOperand(b)]
  if (first.dtype === bool && second.dtype === bool)
    throw new RuntimeError(
      'Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.',
    )
  if (first.dtype === bool || second.dtype === bool)
    throw new RuntimeError(
      'Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.',
    )
  const dtype = resultType([first, second])
  broadcastShapes(a, b)
  return elementwise('sub', [as(a, dtype), scaled(b, alpha, dtype)], dtype)
}
export function mul(a: TensorOrNumber, b: TensorOrNumber): Tensor {
  if (resultType([describeOperand(a), describeOperand(b)]) === bool)
    return elementwise('and', [as(a, bool), as(b, bool)], bool)
  return binary('mul', a, b)
}
/** Gives a result of several functions the memory order that one function would give it. */
const asOf = (result: Tensor, a: Tensor, b: Tensor) =>
  new Tensor(result.node, elementwiseStrides(result.node.shape, [operand(a), operand(b)]))

export function div(a: TensorOrNumber, b: TensorOrNumber, rounding: string | null = null): Tensor {
  if (rounding === null) return binary('div', a, b, floating)
  if (rounding !== 'trunc' && rounding !== 'floor')
    throw new RuntimeError(
      `div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '${rounding}'`,
    )
  const dtype = divided(`div_${rounding}`, a, b)
  const [first, second] = [as(a, dtype), as(b, dtype)]
  if (dtype.category === 2) {
    const quotient = div(first, second)
    if (rounding === 'trunc')
      return mul(unaryOf('sign', quotient), unaryOf('floor', unaryOf('abs', quotient)))
    // From what is left, which is exact: a quotient may have been rounded up to a whole number.
    const left = elementwise('fmod', [first, second], dtype)
    const whole = unaryOf('round', div(sub(first, left), second))
    return asOf(
      where(binaryCompare('eq', second, 0), quotient, where(isOff(left, second), sub(whole, 1), whole)),
      first,
      second,
    )
  }
  const truncated = binary('div', first, second)
  if (rounding === 'trunc') return truncated
  // Integers are divided towards zero: below it there is one less, where something is left.
  return asOf(sub(truncated, cast(isOff(sub(first, mul(truncated, second)), second), dtype)), first, second)
}
/** Tells whether the remainder of a division towards zero has another sign than the divisor. */
const isOff = (left: Tensor, divisor: Tensor) =>
  logical(
    'and',
    binaryCompare('ne', left, 0),
    elementwise('xor', [binaryCompare('lt', left, 0), binaryCompare('lt', divisor, 0)], bool),
  )
/** The type in which a division is done that integers by zero have no result of. */
function divided(name: string, a: TensorOrNumber, b: TensorOrNumber): Dtype {
  const dtype = resultType([describeOperand(a), describeOperand(b)])
  const shape = broadcastShapes(a, b)
  if (dtype === bool) throw new RuntimeError(`"${name}_cpu" not implemented for 'Bool'`)
  // PyTorch refuses it as well; ours would end the process that computes.
  if (
    dtype.category < 2 &&
    product(shape) > 0 &&
    (isTensor(b) ? b.values() : [b]).some((value) => Number(value) === 0)
  )
    throw new RuntimeError('ZeroDivisionError')
  return dtype
}
/** The remainder of floor division: it has the sign of the divisor. */
export function remainder(a: TensorOrNumber, b: TensorOrNumber): Tensor {
  const dtype = divided('remainder', a, b)
  const [first, second] = [as(a, dtype), as(b, dtype)]
  const left = elementwise('fmod', [first, second], dtype)
  return asOf(where(isOff(left, second), add(left, second), left), first, second)
}
/** The remainder of truncating division: it has the sign of the dividend. */
export function fmod(a: TensorOrNumber, b: TensorOrNumber): Tensor {
  const dtype = divided('fmod', a, b)
  return elementwise('fmod', [as(a, dtype), as(b, dtype)], dtype)
}
export function pow(a: TensorOrNumber, b: TensorOrNumber): Tensor {
  const dtype = resultType([describeOperand(a), describeOperand(b)])
  if (!isTensor(b) && dtype.category < 2 && Number(b) < 0)
    throw new RuntimeError('Integers to negative integer powers are not allowed.')
  broadcastShapes(a, b)
  if (dtype === bool) throw new RuntimeError('"pow" not implemented for \'Bool\'')
  const power = binary('pow', a, b)
  // A negative power of zero is beyond integers.
  if (dtype.category === 2 || !isTensor(b)) return power
  const beyond = logical('and', binaryCompare('lt', b, 0), binaryCompare('eq', asTensor(a), 0))
  return new Tensor(where(beyond, scalar(0, dtype), power).node, power.strides)
}
export function extreme(op: 'max' | 'min', a: Tensor, b: Tensor): Tensor {
  const dtype = resultType([describeOperand(a), describeOperand(b)])
  if (dtype === bool) return elementwise(op === 'max' ? 'or' : 'and', [a, b], bool)
  return binary(`${op}2`, a, b)
}

type ComparisonOperator = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'
export function binaryCompare(op: ComparisonOperator, a: TensorOrNumber, b: TensorOrNumber): Tensor {
  const promoted = resultType([describeOperand(a), describeOperand(b)])
  const dtype = promoted === bool ? int64 : promoted
  return elementwise(op, [as(a, dtype), as(b, dtype)], bool)
}
export const logical = (op: 'and' | 'or' | 'xor', a: Tensor, b: Tensor) =>
  elementwise(op, [asBool(a), asBool(b)], bool)
export function bitwise(op: 'and' | 'or' | 'xor', a: TensorOrNumber, b: TensorOrNumber): Tensor {
  const dtype = resultType([describeOperand(a), describeOperand(b)])
  broadcastShapes(a, b)
  if (dtype.category === 2) throw new RuntimeError(`"bitwise_${op}_cpu" not implemented for '${dtype.title}'`)
  return elementwise(dtype === bool ? op : `bit${op}`, [as(a, dtype), as(b, dtype)], dtype)
}
export const not = (tensor: Tensor) => elementwise('not', [asBool(tensor)], bool)
export function bitwiseNot(tensor: Tensor): Tensor {
  if (tensor.dtype.category === 2)
    throw new RuntimeError(`"bitwise_not_cpu" not implemented for '${tensor.dtype.title}'`)
  return tensor.dtype === bool ? not(tensor) : sub(unary.neg(tensor), 1)
}

/** The same values, as a function makes them. */
const copied = (tensor: Tensor) =>
  new Tensor(tensor.node, elementwiseStrides(tensor.node.shape, [operand(tensor)]))
const unaryOf = (op: string, tensor: Tensor) => elementwise(op, [tensor], tensor.dtype)
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
  square: (tensor: Tensor) => pow(tensor, 2),
  isnan: (tensor: Tensor) =>
    tensor.dtype.category === 2
      ? elementwise('ne', [tensor, tensor], bool)
      : binaryCompare('ne', tensor, tensor),
} satisfies Record<string, (tensor: Tensor) => Tensor>

export function clamp(tensor: Tensor, min: TensorOrNumber | null, max: TensorOrNumber | null): Tensor {
  if (min === null && max === null)
    throw new RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
  const bounds = [min, max].filter((bound) => bound !== null)
  const dtype = resultType([tensor, ...bounds].map(describeOperand))
  broadcastShapes(tensor, ...bounds)
  if (dtype === bool) {
    // One bound that is a tensor is a maximum or a minimum.
    if (bounds.length === 1 && isTensor(bounds[0]))
      return extreme(max === null ? 'max' : 'min', tensor, bounds[0])
    const side = bounds.length === 2 ? '' : max === null ? '_min' : '_max'
    throw new RuntimeError(
      `"clamp${side}${isTensor(bounds[0]) ? '' : '_scalar'}_cpu" not implemented for 'Bool'`,
    )
  }
  let result = cast(tensor, dtype)
  if (min !== null) result = elementwise('max2', [result, as(min, dtype)], dtype)
  if (max !== null) result = elementwise('min2', [result, as(max, dtype)], dtype)
  return result
}

export function where(condition: Tensor, a: TensorOrNumber, b: TensorOrNumber): Tensor {
  if (condition.dtype !== bool)
    throw new RuntimeError(
      `where expected condition to be a boolean tensor, but got a tensor with dtype ${condition.dtype.title}`,
    )
  const dtype = resultType([describeOperand(a), describeOperand(b)])
  return elementwise('where', [condition, as(a, dtype), as(b, dtype)], dtype)
}

function mustFloat(tensor: Tensor, kernel: string) {
  if (tensor.dtype.category < 2)
    throw new RuntimeError(`"${kernel}" not implemented for '${tensor.dtype.title}'`)
}
export function leakyRelu(tensor: Tensor, slope: number): Tensor {
  mustFloat(tensor, 'leaky_relu_cpu')
  return where(binaryCompare('gt', tensor, 0), tensor, mul(tensor, slope))
}
export function silu(tensor: Tensor): Tensor {
  mustFloat(tensor, 'silu_cpu')
  return mul(tensor, unary.sigmoid(tensor))
}
/** Half of x, weighted by the normal distribution. */
export function gelu(tensor: Tensor, approximate: string): Tensor {
  if (approximate !== 'none' && approximate !== 'tanh')
    throw new RuntimeError('approximate argument must be either none or tanh.')
  mustFloat(tensor, 'GeluKernelImpl')
  const inner =
    approximate === 'tanh'
      ? unary.tanh(mul(add(tensor, mul(pow(tensor, 3), 0.044715)), Math.sqrt(2 / Math.PI)))
      : unaryOf('erf', mul(tensor, Math.SQRT1_2))
  return mul(mul(tensor, 0.5), add(inner, 1))
}

/** The mask must be of booleans; the value becomes one of the tensor’s type. */
export function maskedFill(tensor: Tensor, mask: Tensor, value: number | boolean): Tensor {
  broadcastShapes(mask, tensor)
  if (mask.dtype !== bool)
    throw new RuntimeError(
      `masked_fill expected mask to be a boolean tensor, but got a tensor with dtype ${mask.dtype.title}`,
    )
  // In the order of its dimensions, whatever that of the tensor was.
  return new Tensor(
    where(mask, scalar(tensor.dtype.category === 1 ? Math.trunc(Number(value)) : value, tensor.dtype), tensor)
      .node,
  )
}

/** Tells for each element whether the two are no further apart than atol + rtol · |b|. */
export function isClose(a: Tensor, b: Tensor, rtol: number, atol: number, equalNan: boolean): Tensor {
  if (a.dtype !== b.dtype) throw new RuntimeError(`${a.dtype.title} did not match ${b.dtype.title}`)
  for (const [name, value] of Object.entries({ rtol, atol }))
    if (!(value >= 0))
      throw new RuntimeError(`${name} must be greater than or equal to zero, but got ${value}`)
  const equal = binaryCompare('eq', a, b)
  const same = equalNan ? logical('or', equal, logical('and', unary.isnan(a), unary.isnan(b))) : equal
  const [first, second] = [a, b].map((one) => cast(one, floating(one.dtype)))
  const apart = unary.abs(sub(first!, second!))
  const near = binaryCompare('le', apart, add(mul(unary.abs(second!), rtol), atol))
  return logical('or', same, logical('and', near, binaryCompare('lt', apart, Infinity)))
}
