/** Products of matrices, linear and conv2d. */
import { bool, type Dtype, int32 } from './dtype.ts'
import { add, broadcast, cast, mul } from './elementwise.ts'
import { ownDim, RuntimeError, spelled } from './errors.ts'
import { node } from './graph.ts'
import { expand, mismatch, reshape, squeeze, t, transpose, unsqueeze } from './movement.ts'
import { isContiguous, product, type StrideSizes } from './strides.ts'
import { constant, sizesText, Tensor } from './tensor.ts'

const scalarTypes = (a: Dtype, b: Dtype) =>
  new RuntimeError(`expected scalar type ${a.title} but found ${b.title}`)
const zeros = (shape: StrideSizes, dtype: Dtype) =>
  constant(
    Array.from({ length: product(shape) }, () => 0),
    shape,
    dtype,
  )

interface ProductTyping {
  /** The tensors in the order in which their types are checked. */
  order?: readonly [Tensor, Tensor]
  kernel?: string
  /** The tensor whose type an empty product takes: types are not compared then. */
  ofNothing?: Tensor
}
/** Multiplies tensors with at least two dimensions whose shapes fit. */
function multiplied(
  a: Tensor,
  b: Tensor,
  { order = [a, b], kernel = 'addmm_impl_cpu_', ofNothing = order[0] }: ProductTyping = {},
): Tensor {
  const batch = broadcast([a.node.shape.slice(0, -2), b.node.shape.slice(0, -2)])
  const shape = [...batch, a.node.shape.at(-2)!, b.node.shape.at(-1)!]
  if (product(shape) === 0 || a.node.shape.at(-1) === 0) return zeros(shape, ofNothing.dtype)
  const [first, second] = order
  if (first.dtype === bool || second.dtype === bool)
    throw new RuntimeError(`"${kernel}" not implemented for 'Bool'`)
  if (first.dtype !== second.dtype) throw scalarTypes(first.dtype, second.dtype)
  return new Tensor(node('matmul', [a.node, b.node], {}, a.dtype, shape))
}
const rows = (shape: StrideSizes) => product(shape.slice(0, -1))

export function mm(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 2) throw new RuntimeError('self must be a matrix')
  if (b.ndim !== 2) throw new RuntimeError('mat2 must be a matrix')
  mustMultiply(a, b)
  return multiplied(a, b)
}
function mustMultiply(a: Tensor, b: Tensor) {
  const [first, second] = [a.node.shape, b.node.shape]
  if (first.at(-1) !== second.at(-2))
    throw new RuntimeError(
      `mat1 and mat2 shapes cannot be multiplied (${rows(first)}x${first.at(-1)} and ${second.at(-2)}x${second.at(-1)})`,
    )
}

export function dot(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 1 || b.ndim !== 1)
    throw new RuntimeError(`1D tensors expected, but got ${a.ndim}D and ${b.ndim}D tensors`)
  if (a.dtype !== b.dtype)
    throw new RuntimeError(
      `dot : expected both vectors to have same dtype, but found ${a.dtype.title} and ${b.dtype.title}`,
    )
  const [first, second] = [a.node.shape[0]!, b.node.shape[0]!]
  if (first !== second)
    throw new RuntimeError(
      `inconsistent tensor size, expected tensor [${first}] and src [${second}] to have the same number of elements, but got ${first} and ${second} elements respectively`,
    )
  if (a.dtype === bool) throw new RuntimeError('"dot" not implemented for \'Bool\'')
  return reshape(multiplied(unsqueeze(a, 0), unsqueeze(b, 1)), [])
}

export function mv(a: Tensor, b: Tensor): Tensor {
  ownDim(0, a.ndim)
  if (a.ndim !== 2 || b.ndim !== 1)
    throw new RuntimeError(`vector + matrix @ vector expected, got 1, ${a.ndim}, ${b.ndim}`)
  const [height, width] = a.node.shape as [number, number]
  if (width !== b.node.shape[0])
    throw new RuntimeError(`size mismatch, got ${height}, ${height}x${width},${b.node.shape[0]}`)
  return squeeze(multiplied(a, unsqueeze(b, 1), { ofNothing: b }), [1])
}

export function bmm(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 3) throw new RuntimeError('batch1 must be a 3D tensor')
  if (b.ndim !== 3) throw new RuntimeError('batch2 must be a 3D tensor')
  const expected = [a.node.shape[0]!, a.node.shape[2]!]
  if (b.node.shape[0] !== expected[0] || b.node.shape[1] !== expected[1])
    throw new RuntimeError(
      `Expected size for first two dimensions of batch2 tensor to be: ${spelled(expected)} but got: ${spelled(b.node.shape.slice(0, 2))}.`,
    )
  return multiplied(a, b, { ofNothing: b })
}

export function matmul(a: Tensor, b: Tensor): Tensor {
  if (a.ndim === 0 || b.ndim === 0)
    throw new RuntimeError(
      `both arguments to matmul need to be at least 1D, but they are ${a.ndim}D and ${b.ndim}D`,
    )
  if (a.ndim === 1 && b.ndim === 1) return dot(a, b)
  if (a.ndim === 2 && b.ndim === 1) return mv(a, b)
  if (a.ndim === 2 && b.ndim === 2) return mm(a, b)
  if (b.ndim === 1) {
    const flat = reshape(a, [rows(a.node.shape), a.node.shape.at(-1)!])
    return reshape(mv(flat, b), a.shape.slice(0, -1))
  }
  if (a.ndim === 1) {
    if (b.ndim === 2) {
      mustMultiply(unsqueeze(a, 0), b)
      return squeeze(multiplied(unsqueeze(a, 0), b), [0])
    }
    const turned = transpose(b, -1, -2)
    const flat = reshape(turned, [rows(turned.node.shape), turned.node.shape.at(-1)!])
    return reshape(mv(flat, a), turned.shape.slice(0, -1))
  }
  const folds = b.ndim === 2 ? foldable(a) : a.ndim === 2 && foldable(b)
  if (folds) {
    // One product of matrices; of the transposed ones where the second has more dimensions.
    if (b.ndim === 2) mustMultiply(a, b)
    else mustMultiply(transpose(b, -1, -2), transpose(a, 0, 1))
    return multiplied(a, b, b.ndim === 2 ? {} : { order: [b, a] })
  }
  const batch = product(broadcast([a.node.shape.slice(0, -2), b.node.shape.slice(0, -2)]))
  if (a.node.shape.at(-1) !== b.node.shape.at(-2))
    throw new RuntimeError(
      `Expected size for first two dimensions of batch2 tensor to be: ${spelled([batch, a.node.shape.at(-1)])} but got: ${spelled([batch, b.node.shape.at(-2)])}.`,
    )
  return multiplied(a, b, { kernel: 'bmm', ofNothing: b })
}
/**
 * Tells whether PyTorch takes its leading dimensions as one: not where three have their last two transposed
 * in memory.
 */
const foldable = ({ node: { shape }, strides }: Tensor) =>
  !(shape.length === 3 && strides[2] !== 1 && strides[0] === shape[1]! * shape[2]!)

/**
 * beta · self + alpha · (a × b): self is spread over the rows of the product, whatever its number of
 * dimensions.
 */
export function addmm(self: Tensor, a: Tensor, b: Tensor, beta: number, alpha: number): Tensor {
  if (self.dtype !== b.dtype) throw new RuntimeError('self and mat2 must have the same dtype')
  if (a.dtype !== b.dtype) throw new RuntimeError('mat1 and mat2 must have the same dtype')
  if (a.ndim !== 2) throw new RuntimeError(`mat1 must be a matrix, got ${a.ndim}-D tensor`)
  if (b.ndim !== 2) throw new RuntimeError(`mat2 must be a matrix, got ${b.ndim}-D tensor`)
  mustMultiply(a, b)
  const shape = [a.node.shape[0]!, b.node.shape[1]!]
  const selfShape = self.node.shape
  // Errors name the last dimension whose size doesn't fit.
  for (let at = selfShape.length - 1; at >= 0 && selfShape.length <= 2; at--) {
    const dim = at + 2 - selfShape.length
    if (selfShape[at] !== 1 && selfShape[at] !== shape[dim])
      throw mismatch(shape[dim]!, selfShape[at]!, dim, shape, selfShape)
  }
  const added = expand(self, shape)
  // PyTorch scales self even for an empty product, by a beta that is no boolean.
  if (a.dtype === bool && a.node.shape[1] === 0 && product(shape) > 0)
    throw new RuntimeError(`result type Long can't be cast to the desired output type Bool`)
  // Factors are of the tensors’ type.
  const factor = (of: Tensor, by: number) =>
    by === 1 ? of : mul(of, of.dtype.category === 1 ? Math.trunc(by) : by)
  return add(factor(multiplied(a, b), alpha), factor(added, beta))
}

export function linear(x: Tensor, w: Tensor, b: Tensor | null): Tensor {
  if (w.ndim > 2) throw new RuntimeError(`t() expects a tensor with <= 2 dimensions, but self is ${w.ndim}D`)
  if (b && (x.ndim === 2 || (x.ndim === 3 && isContiguous(x.node.shape, x.strides)))) {
    const flat = x.ndim === 2 ? x : reshape(x, [rows(x.node.shape), x.node.shape.at(-1)!])
    return reshape(addmm(b, flat, t(w), 1, 1), [...x.shape.slice(0, -1), w.node.shape[0] ?? 1])
  }
  const result = matmul(x, t(w))
  return b ? addedInPlace(result, b) : result
}

/** The result keeps the shape of what is added to. */
function addedInPlace(result: Tensor, bias: Tensor): Tensor {
  const shape = broadcast([result.node.shape, bias.node.shape])
  if (shape.join() !== result.node.shape.join())
    throw new RuntimeError(
      `output with shape ${sizesText(result)} doesn't match the broadcast shape ${spelled(shape)}`,
    )
  if (bias.dtype.category > result.dtype.category)
    throw new RuntimeError(
      `result type ${bias.dtype.title} can't be cast to the desired output type ${result.dtype.title}`,
    )
  return cast(add(result, bias), result.dtype)
}

/** A size for each side: one stands for both. */
function pair(list: readonly number[], name: string, dims: number): [number, number] {
  if (list.length !== 1 && list.length !== dims)
    throw new RuntimeError(
      `expected ${name} to be a single integer value or a list of ${dims} values to match the convolution dimensions, but got ${name}=${spelled(list)}`,
    )
  return [list[0]!, list[1] ?? list[0]!]
}
/** Errors about lists that don't fit read differently with padding 'same'. */
function broadcastPair(list: readonly number[], name: string): [number, number] {
  if (list.length !== 1 && list.length !== 2)
    throw new RuntimeError(`${name} cannot broadcast to 2 dimensions`)
  return [list[0]!, list[1] ?? list[0]!]
}
const typeText: Readonly<Record<string, string>> = {
  float32: 'float',
  float64: 'double',
  int64: 'long int',
  int32: 'int',
  bool: 'bool',
}

function mustBeOfOneType(x: Tensor, b: Tensor | null) {
  if (b && b.dtype !== x.dtype)
    throw new RuntimeError(
      `Input type (${typeText[x.dtype.name]}) and bias type (${typeText[b.dtype.name]}) should be the same`,
    )
}

export function conv2d(
  x: Tensor,
  w: Tensor,
  b: Tensor | null,
  stride: readonly number[],
  padding: string | readonly number[],
  dilation: readonly number[],
  count: number,
): Tensor {
  if (typeof padding !== 'string') mustBeOfOneType(x, b)
  if (x.ndim !== 3 && x.ndim !== 4)
    throw new RuntimeError(
      `Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: ${sizesText(x)}`,
    )
  const batched = x.ndim === 4 ? x : unsqueeze(x, 0)
  if (typeof padding === 'string' && padding !== 'same' && padding !== 'valid')
    throw new RuntimeError(`Invalid padding string: '${padding}'`)
  if (w.ndim < 3) throw new RuntimeError('weight should have at least three dimensions')
  const kernel = [w.node.shape[2]!, w.node.shape[3]!] as const
  let steps: [number, number]
  let gaps: [number, number]
  let pads: [number, number, number, number]
  if (padding === 'same') {
    if (w.ndim !== 4)
      throw new RuntimeError(
        `Expected ${w.ndim}-dimensional input for ${w.ndim}-dimensional weight${sizesText(w)}, but got 4-dimensional input of size ${sizesText(batched)} instead`,
      )
    ;[steps, gaps] = [broadcastPair(stride, 'stride'), broadcastPair(dilation, 'dilation')]
    if (steps.some((step) => step !== 1))
      throw new RuntimeError("padding='same' is not supported for strided convolutions")
    // The odd one is put after.
    const whole = kernel.map((size, at) => gaps[at]! * (size - 1))
    const before = whole.map((all) => Math.trunc(all / 2))
    pads = [before[0]!, before[1]!, whole[0]! - before[0]!, whole[1]! - before[1]!]
    if (count <= 0) throw new RuntimeError('non-positive groups is not supported')
  } else {
    if (count <= 0) throw new RuntimeError('non-positive groups is not supported')
    steps = pair(stride, 'stride', w.ndim - 2)
    const [height, width] = pair(typeof padding === 'string' ? [0] : padding, 'padding', w.ndim - 2)
    gaps = pair(dilation, 'dilation', w.ndim - 2)
    pads = [height, width, height, width]
  }
  if (pads.some((pad) => pad < 0)) throw new RuntimeError('negative padding is not supported')
  if (steps.some((step) => step <= 0)) throw new RuntimeError('non-positive stride is not supported')
  if (w.ndim !== 4)
    throw new RuntimeError(
      `Expected ${w.ndim}-dimensional input for ${w.ndim}-dimensional weight ${sizesText(w)}, but got 4-dimensional input of size ${sizesText(batched)} instead`,
    )
  const [outChannels, inChannels] = w.node.shape as [number, number]
  if (outChannels < count)
    throw new RuntimeError(
      `Given groups=${count}, expected weight to be at least ${count} at dimension 0, but got weight of size ${sizesText(w)} instead`,
    )
  if (outChannels % count !== 0)
    throw new RuntimeError(
      `Given groups=${count}, expected weight to be divisible by ${count} at dimension 0, but got weight of size [${sizesText(w)}] instead`,
    )
  const [, channels, height, width] = batched.node.shape as [number, number, number, number]
  // Padding 'same' first adds what goes to one end only.
  const reportedShape = [
    ...batched.shape.slice(0, 2),
    height + (padding === 'same' ? pads[2] - pads[0] : 0),
    width + (padding === 'same' ? pads[3] - pads[1] : 0),
  ]
  if (channels !== inChannels * count)
    throw new RuntimeError(
      `Given groups=${count}, weight of size ${sizesText(w)}, expected input${spelled(reportedShape)} to have ${inChannels * count} channels, but got ${channels} channels instead`,
    )
  if (b && (b.ndim !== 1 || b.node.shape[0] !== outChannels))
    throw new RuntimeError(
      `Given weight of size ${sizesText(w)}, expected bias to be 1-dimensional with ${outChannels} elements, but got bias of size ${sizesText(b)} instead`,
    )
  const padded = [height + pads[0] + pads[2], width + pads[1] + pads[3]]
  const reach = kernel.map((size, at) => gaps[at]! * (size - 1) + 1)
  if (padded.some((size, at) => size < reach[at]!))
    throw new RuntimeError(
      `Calculated padded input size per channel: (${padded.join(' x ')}). Kernel size: (${reach.join(' x ')}). Kernel size can't be greater than actual input size`,
    )
  if (gaps.some((gap) => gap <= 0))
    throw new RuntimeError(`dilation should be greater than zero, but got ${spelled(gaps)}`)
  if (product([height, width]) === 0)
    throw new RuntimeError(
      `Only zero batch or zero channel inputs are supported, but got input shape: ${sizesText(batched)}`,
    )
  mustBeOfOneType(x, b)
  if (w.dtype !== x.dtype) throw scalarTypes(x.dtype, w.dtype)
  const dilated = gaps.some((gap) => gap > 1)
  if (x.dtype === bool || (dilated && x.dtype === int32))
    throw new RuntimeError(
      `"${dilated ? 'slow_conv_dilated<>' : 'slow_conv2d_cpu'}" not implemented for '${x.dtype.title}'`,
    )
  if (product(kernel) === 0)
    throw new RuntimeError(`kernel size should be greater than zero, but got ${spelled(kernel)}`)
  const sides = padded.map((size, at) => Math.floor((size - reach[at]!) / steps[at]!) + 1)
  const shape = [batched.node.shape[0]!, outChannels, ...sides]
  const inputs = [batched.node, w.node, ...(b ? [b.node] : [])]
  const out =
    product(shape) === 0 || product(batched.node.shape) === 0 || product(w.node.shape) === 0
      ? zeros(shape, x.dtype)
      : new Tensor(
          node('conv', inputs, { stride: steps, pads, dilation: gaps, groups: count }, x.dtype, shape),
        )
  return x.ndim === 4 ? out : squeeze(out, [0])
}
