/** Products of matrices, linear and conv2d. */
import { int } from './args.ts'
import { bool, type Dtype, int32 } from './dtype.ts'
import { add, broadcast, cast } from './elementwise.ts'
import { RuntimeError, spelled, typeName } from './errors.ts'
import { node } from './graph.ts'
import { expand, mismatch, reshape, squeeze, t, transpose, unsqueeze } from './movement.ts'
import { isContiguous, product, type Sizes } from './strides.ts'
import { constant, mustBeTensor, sizesText, Tensor } from './tensor.ts'

const scalarTypes = (a: Dtype, b: Dtype) => new RuntimeError(`expected scalar type ${a.title} but found ${b.title}`)
const zeros = (shape: Sizes, dtype: Dtype) =>
  constant(
    Array.from({ length: product(shape) }, () => 0),
    shape,
    dtype,
  )

/** Of tensors with at least two dimensions whose shapes and types fit. */
function multiplied(a: Tensor, b: Tensor): Tensor {
  const batch = broadcast([a.node.shape.slice(0, -2), b.node.shape.slice(0, -2)])
  const shape = [...batch, a.node.shape.at(-2)!, b.node.shape.at(-1)!]
  if (product(shape) === 0 || a.node.shape.at(-1) === 0) return zeros(shape, a.dtype)
  return new Tensor(node('matmul', [a.node, b.node], {}, a.dtype, shape))
}
function typed(a: Tensor, b: Tensor, kernel = 'addmm_impl_cpu_') {
  if (a.dtype === bool || b.dtype === bool) throw new RuntimeError(`"${kernel}" not implemented for 'Bool'`)
  if (a.dtype !== b.dtype) throw scalarTypes(a.dtype, b.dtype)
}
const rows = (shape: Sizes) => product(shape.slice(0, -1))

export function mm(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 2) throw new RuntimeError('self must be a matrix')
  if (b.ndim !== 2) throw new RuntimeError('mat2 must be a matrix')
  fits(a, b)
  return multiplied(a, b)
}
function fits(a: Tensor, b: Tensor) {
  const [first, second] = [a.node.shape, b.node.shape]
  if (first.at(-1) !== second.at(-2))
    throw new RuntimeError(
      `mat1 and mat2 shapes cannot be multiplied (${rows(first)}x${first.at(-1)} and ${second.at(-2)}x${second.at(-1)})`,
    )
  typed(a, b)
}

export function dot(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 1 || b.ndim !== 1) throw new RuntimeError(`1D tensors expected, but got ${a.ndim}D and ${b.ndim}D tensors`)
  if (a.dtype !== b.dtype)
    throw new RuntimeError(`dot : expected both vectors to have same dtype, but found ${a.dtype.title} and ${b.dtype.title}`)
  const [first, second] = [a.node.shape[0]!, b.node.shape[0]!]
  if (first !== second)
    throw new RuntimeError(
      `inconsistent tensor size, expected tensor [${first}] and src [${second}] to have the same number of elements, but got ${first} and ${second} elements respectively`,
    )
  if (a.dtype === bool) throw new RuntimeError('"dot" not implemented for \'Bool\'')
  return reshape(multiplied(unsqueeze(a, 0), unsqueeze(b, 1)), [])
}

export function mv(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 2 || b.ndim !== 1) throw new RuntimeError(`vector + matrix @ vector expected, got 1, ${a.ndim}, ${b.ndim}`)
  const [height, width] = a.node.shape as [number, number]
  if (width !== b.node.shape[0]) throw new RuntimeError(`size mismatch, got ${height}, ${height}x${width},${b.node.shape[0]}`)
  typed(a, b)
  return squeeze(multiplied(a, unsqueeze(b, 1)), 1)
}

export function bmm(a: Tensor, b: Tensor): Tensor {
  if (a.ndim !== 3) throw new RuntimeError('batch1 must be a 3D tensor')
  if (b.ndim !== 3) throw new RuntimeError('batch2 must be a 3D tensor')
  const wanted = [a.node.shape[0]!, a.node.shape[2]!]
  if (b.node.shape[0] !== wanted[0] || b.node.shape[1] !== wanted[1])
    throw new RuntimeError(
      `Expected size for first two dimensions of batch2 tensor to be: ${spelled(wanted)} but got: ${spelled(b.node.shape.slice(0, 2))}.`,
    )
  typed(a, b)
  return multiplied(a, b)
}

export function matmul(a: Tensor, b: Tensor): Tensor {
  if (a.ndim === 0 || b.ndim === 0)
    throw new RuntimeError(`both arguments to matmul need to be at least 1D, but they are ${a.ndim}D and ${b.ndim}D`)
  if (a.ndim === 1 && b.ndim === 1) return dot(a, b)
  if (a.ndim === 2 && b.ndim === 1) return mv(a, b)
  if (a.ndim === 2 && b.ndim === 2) return mm(a, b)
  if (b.ndim === 1) {
    const flat = reshape(a, [rows(a.node.shape), a.node.shape.at(-1)!])
    return reshape(mv(flat, b), a.shape.slice(0, -1))
  }
  if (a.ndim === 1) {
    if (b.ndim === 2) {
      fits(unsqueeze(a, 0), b)
      return squeeze(multiplied(unsqueeze(a, 0), b), 0)
    }
    const turned = transpose(b, -1, -2)
    const flat = reshape(turned, [rows(turned.node.shape), turned.node.shape.at(-1)!])
    return reshape(mv(flat, a), turned.shape.slice(0, -1))
  }
  const folds = b.ndim === 2 ? foldable(a) : a.ndim === 2 && foldable(b)
  if (folds) {
    // One product of matrices; of the transposed ones where the second has more dimensions.
    if (b.ndim === 2) fits(a, b)
    else fits(transpose(b, -1, -2), transpose(a, 0, 1))
    return multiplied(a, b)
  }
  const batch = product(broadcast([a.node.shape.slice(0, -2), b.node.shape.slice(0, -2)]))
  if (a.node.shape.at(-1) !== b.node.shape.at(-2))
    throw new RuntimeError(
      `Expected size for first two dimensions of batch2 tensor to be: ${spelled([batch, a.node.shape.at(-1)])} but got: ${spelled([batch, b.node.shape.at(-2)])}.`,
    )
  typed(a, b, 'bmm')
  return multiplied(a, b)
}
/** Whether PyTorch takes its leading dimensions as one: not where three have their last two transposed in memory. */
const foldable = ({ node: { shape }, strides }: Tensor) => !(shape.length === 3 && strides[2] !== 1 && strides[0] === shape[1]! * shape[2]!)

export function linear(input: unknown, weight: unknown, bias: unknown): Tensor {
  const x = mustBeTensor(input, 'linear', 'input', 1)
  const w = mustBeTensor(weight, 'linear', 'weight', 2)
  const b = bias === null ? null : mustBeTensor(bias, 'linear', 'bias', 3)
  if (w.ndim > 2) throw new RuntimeError(`t() expects a tensor with <= 2 dimensions, but self is ${w.ndim}D`)
  if (!b || w.ndim < 2 || x.ndim < 2 || x.ndim > 3 || (x.ndim === 3 && !isContiguous(x.node.shape, x.strides))) {
    const made = matmul(x, t(w))
    return b ? addedInPlace(made, b) : made
  }
  if (x.node.shape.at(-1) === w.node.shape.at(-1) && x.dtype !== w.dtype) throw new RuntimeError('mat1 and mat2 must have the same dtype')
  fits(x, t(w))
  const count = rows(x.node.shape)
  const target = [count, w.node.shape[0]!]
  // A bias is spread over the rows, whatever their number of dimensions.
  const own = b.node.shape
  if (own.length > 2)
    throw new RuntimeError(
      `expand(torch.${b.dtype.title}Tensor{${spelled(own)}}, size=${spelled(target)}): the number of sizes provided (2) must be greater or equal to the number of dimensions in the tensor (${own.length})`,
    )
  for (let at = own.length - 1; at >= 0; at--) {
    const dim = at + 2 - own.length
    if (own[at] !== 1 && own[at] !== target[dim]) throw mismatch(target[dim]!, own[at]!, dim, target, own)
  }
  if (b.dtype !== x.dtype) throw new RuntimeError('self and mat2 must have the same dtype')
  const made = multiplied(x.ndim === 2 ? x : reshape(x, [count, x.node.shape.at(-1)!]), t(w))
  return reshape(add(made, expand(b, target)), [...x.shape.slice(0, -1), w.node.shape[0]!])
}

/** The result keeps the shape of what is added to. */
function addedInPlace(made: Tensor, bias: Tensor): Tensor {
  const shape = broadcast([made.node.shape, bias.node.shape])
  if (shape.join() !== made.node.shape.join())
    throw new RuntimeError(`output with shape ${sizesText(made)} doesn't match the broadcast shape ${spelled(shape)}`)
  if (bias.dtype.category > made.dtype.category)
    throw new RuntimeError(`result type ${bias.dtype.title} can't be cast to the desired output type ${made.dtype.title}`)
  return cast(add(made, bias), made.dtype)
}

const pair = (value: unknown, name: string, dims: number): [number, number] => {
  const list = Number.isInteger(value) ? [value as number] : value
  if (!Array.isArray(list) || !list.every((one) => Number.isInteger(one)))
    throw new TypeError(`conv2d(): argument '${name}' must be tuple of ints, not ${typeName(value)}`)
  if (list.length !== 1 && list.length !== dims)
    throw new RuntimeError(
      `expected ${name} to be a single integer value or a list of ${dims} values to match the convolution dimensions, but got ${name}=${spelled(list)}`,
    )
  return [list[0] as number, (list[1] ?? list[0]) as number]
}
const typeText: Readonly<Record<string, string>> = { float32: 'float', float64: 'double', int64: 'long int', int32: 'int', bool: 'bool' }

export function conv2d(
  input: unknown,
  weight: unknown,
  bias: unknown,
  stride: unknown,
  padding: unknown,
  dilation: unknown,
  groups: unknown,
): Tensor {
  const x = mustBeTensor(input, 'conv2d', 'input', 1)
  const w = mustBeTensor(weight, 'conv2d', 'weight', 2)
  const b = bias === null ? null : mustBeTensor(bias, 'conv2d', 'bias', 3)
  if (x.ndim !== 3 && x.ndim !== 4)
    throw new RuntimeError(`Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: ${sizesText(x)}`)
  const batched = x.ndim === 4 ? x : unsqueeze(x, 0)
  const spatial = Math.max(w.ndim - 2, 0)
  const given = (value: unknown) => (Number.isInteger(value) ? [value, value] : value)
  if (w.ndim !== 4)
    throw new RuntimeError(
      `expected stride to be a single integer value or a list of ${spatial} values to match the convolution dimensions, but got stride=${spelled(given(stride) as number[])}`,
    )
  const count = int(groups, 'conv2d', 'groups', 7)
  const [steps, gaps] = [pair(stride, 'stride', 2), pair(dilation, 'dilation', 2)]
  const kernel = [w.node.shape[2]!, w.node.shape[3]!] as const
  let pads: [number, number, number, number]
  if (typeof padding === 'string') {
    if (padding === 'valid') pads = [0, 0, 0, 0]
    else if (padding === 'same') {
      if (steps.some((step) => step !== 1)) throw new RuntimeError("padding='same' is not supported for strided convolutions")
      // The odd one is put after.
      const whole = kernel.map((size, at) => gaps[at]! * (size - 1))
      const before = whole.map((all) => Math.floor(all / 2))
      pads = [before[0]!, before[1]!, whole[0]! - before[0]!, whole[1]! - before[1]!]
    } else throw new RuntimeError(`Invalid padding string: '${padding}'`)
  } else {
    const [height, width] = pair(padding, 'padding', 2)
    pads = [height, width, height, width]
  }
  if (pads.some((pad) => pad < 0)) throw new RuntimeError('negative padding is not supported')
  if (steps.some((step) => step <= 0)) throw new RuntimeError('non-positive stride is not supported')
  if (count <= 0) throw new RuntimeError('non-positive groups is not supported')
  if (gaps.some((gap) => gap <= 0)) throw new RuntimeError(`dilation should be greater than zero, but got ${spelled(gaps)}`)
  const [made, taken] = w.node.shape as [number, number]
  if (made < count)
    throw new RuntimeError(
      `Given groups=${count}, expected weight to be at least ${count} at dimension 0, but got weight of size ${sizesText(w)} instead`,
    )
  if (made % count !== 0)
    throw new RuntimeError(
      `Given groups=${count}, expected weight to be divisible by ${count} at dimension 0, but got weight of size [${sizesText(w)}] instead`,
    )
  const [, channels, height, width] = batched.node.shape as [number, number, number, number]
  // What 'same' puts at one end only is put there before anything else.
  const shown = [
    ...batched.shape.slice(0, 2),
    height + (padding === 'same' ? pads[2] - pads[0] : 0),
    width + (padding === 'same' ? pads[3] - pads[1] : 0),
  ]
  if (channels !== taken * count)
    throw new RuntimeError(
      `Given groups=${count}, weight of size ${sizesText(w)}, expected input${spelled(shown)} to have ${taken * count} channels, but got ${channels} channels instead`,
    )
  if (b && (b.ndim !== 1 || b.node.shape[0] !== made))
    throw new RuntimeError(
      `Given weight of size ${sizesText(w)}, expected bias to be 1-dimensional with ${made} elements, but got bias of size ${sizesText(b)} instead`,
    )
  const padded = [height + pads[0] + pads[2], width + pads[1] + pads[3]]
  const reach = kernel.map((size, at) => gaps[at]! * (size - 1) + 1)
  if (padded.some((size, at) => size < reach[at]!))
    throw new RuntimeError(
      `Calculated padded input size per channel: (${padded.join(' x ')}). Kernel size: (${reach.join(' x ')}). Kernel size can't be greater than actual input size`,
    )
  if (b && b.dtype !== x.dtype)
    throw new RuntimeError(`Input type (${typeText[x.dtype.name]}) and bias type (${typeText[b.dtype.name]}) should be the same`)
  if (w.dtype !== x.dtype) throw scalarTypes(x.dtype, w.dtype)
  const dilated = gaps.some((gap) => gap > 1)
  if (x.dtype === bool || (dilated && x.dtype === int32))
    throw new RuntimeError(`"${dilated ? 'slow_conv_dilated<>' : 'slow_conv2d_cpu'}" not implemented for '${x.dtype.title}'`)
  const sides = padded.map((size, at) => Math.floor((size - reach[at]!) / steps[at]!) + 1)
  const shape = [batched.node.shape[0]!, made, ...sides]
  const inputs = [batched.node, w.node, ...(b ? [b.node] : [])]
  const out =
    product(shape) === 0 || product(batched.node.shape) === 0 || product(w.node.shape) === 0
      ? zeros(shape, x.dtype)
      : new Tensor(node('conv', inputs, { stride: steps, pads, dilation: gaps, groups: count }, x.dtype, shape))
  return x.ndim === 4 ? out : squeeze(out, 0)
}
