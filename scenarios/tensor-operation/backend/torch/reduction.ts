/** Functions over dimensions: sums, means, extremes. */
import { int } from './args.ts'
import { bool, type Dtype, int64 } from './dtype.ts'
import { cast, div, mul, sub, unary } from './elementwise.ts'
import { IndexError, RuntimeError, wrapDim } from './errors.ts'
import { node } from './graph.ts'
import { product } from './strides.ts'
import { constant, Tensor } from './tensor.ts'

type Op = 'sum' | 'prod' | 'max' | 'min'

/** All dimensions where none is named. */
function dimsOf(tensor: Tensor, dim: unknown, name: string): number[] {
  if (dim === null || (Array.isArray(dim) && dim.length === 0)) return tensor.node.shape.map((_, at) => at)
  const dims = (Array.isArray(dim) ? dim : [dim]).map((one) => wrapDim(int(one, name, 'dim', 2), tensor.ndim))
  dims.forEach((one, at) => {
    if (dims.indexOf(one) !== at) throw new RuntimeError(`dim ${one} appears multiple times in the list of dims`)
  })
  return tensor.ndim === 0 ? [] : dims
}

function reduced(op: Op | 'argmax' | 'argmin', tensor: Tensor, dims: readonly number[], keepdim: unknown, dtype: Dtype): Tensor {
  const shape = tensor.node.shape.flatMap((size, at) => (!dims.includes(at) ? [size] : keepdim ? [1] : []))
  if (product(shape) === 0) return constant([], shape, dtype)
  if (product(tensor.node.shape) === 0)
    return constant(
      Array.from({ length: product(shape) }, () => (op === 'prod' ? 1 : 0)),
      shape,
      dtype,
    )
  if (dims.length === 0 && op !== 'argmax' && op !== 'argmin') return tensor
  return new Tensor(node(op, [tensor.node], { dims: [...dims], keepdim: Boolean(keepdim) }, dtype, shape))
}

const summed = (dtype: Dtype) => (dtype.category === 2 ? dtype : int64)

export function sum(tensor: Tensor, dim: unknown, keepdim: unknown, dtype: unknown, op: 'sum' | 'prod' = 'sum'): Tensor {
  const type = (dtype as Dtype | null) ?? summed(tensor.dtype)
  return reduced(op, cast(tensor, type), dimsOf(tensor, dim, op), keepdim, type)
}
export function mean(tensor: Tensor, dim: unknown, keepdim: unknown, dtype: unknown): Tensor {
  const type = (dtype as Dtype | null) ?? tensor.dtype
  if (type.category < 2)
    throw new RuntimeError(
      `mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ${type.title}`,
    )
  const dims = dimsOf(tensor, dim, 'mean')
  const count = product(dims.map((at) => tensor.node.shape[at]!))
  return div(reduced('sum', cast(tensor, type), dims, keepdim, type), count)
}

/** max, min, amax, amin of dimensions; booleans as numbers on the way. */
export function extremes(op: 'max' | 'min', tensor: Tensor, dim: unknown, keepdim: unknown, name: string = op): Tensor {
  const dims = dimsOf(tensor, dim, name)
  if (product(tensor.node.shape) === 0) {
    if (dim === null)
      throw new RuntimeError(
        `${name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.`,
      )
    const empty = dims.find((at) => tensor.node.shape[at] === 0)
    if (empty !== undefined)
      throw new IndexError(
        `${name}(): Expected reduction dim ${name.startsWith('a') && Number.isInteger(dim) ? String(dim) : empty} to have non-zero size.`,
      )
  }
  if (tensor.dtype !== bool) return reduced(op, tensor, dims, keepdim, tensor.dtype)
  return cast(reduced(op, cast(tensor, int64), dims, keepdim, int64), bool)
}
export function argument(op: 'max' | 'min', tensor: Tensor, dim: unknown, keepdim: unknown): Tensor {
  const name = `arg${op}` as const
  if (tensor.dtype === bool) throw new RuntimeError(`"${name}_cpu" not implemented for 'Bool'`)
  if (dim === null) {
    if (product(tensor.node.shape) === 0) throw new IndexError(`${name}(): Expected reduction dim to be specified for input.numel() == 0.`)
    const flat = new Tensor(
      node('reshape', [tensor.node], { shape: [product(tensor.node.shape)] }, tensor.dtype, [product(tensor.node.shape)]),
    )
    return reduced(name, flat, [0], false, int64)
  }
  const place = wrapDim(int(dim, name, 'dim', 2), tensor.ndim)
  if (tensor.ndim === 0) return constant([0], [], int64)
  if (tensor.node.shape[place] === 0) throw new IndexError(`${name}(): Expected reduction dim ${place} to have non-zero size.`)
  return reduced(name, tensor, [place], keepdim, int64)
}
/** What max(dim) gives in Python: a pair with names. */
export function withIndices(op: 'max' | 'min', tensor: Tensor, dim: unknown, keepdim: unknown) {
  const values = extremes(op, tensor, int(dim, op, 'dim', 2), keepdim)
  const indices = argument(op, tensor.dtype === bool ? cast(tensor, int64) : tensor, dim, keepdim)
  return Object.assign([values, indices], { values, indices })
}

export const any = (tensor: Tensor, dim: unknown, keepdim: unknown) => truth('max', tensor, dim, keepdim)
export const all = (tensor: Tensor, dim: unknown, keepdim: unknown) => truth('min', tensor, dim, keepdim)
function truth(op: 'max' | 'min', tensor: Tensor, dim: unknown, keepdim: unknown): Tensor {
  const dims = dimsOf(tensor, dim, op === 'max' ? 'any' : 'all')
  if (product(tensor.node.shape) === 0) {
    const empty = reduced('sum', cast(tensor, int64), dims, keepdim, int64)
    return constant(
      Array.from({ length: product(empty.node.shape) }, () => (op === 'min' ? 1 : 0)),
      empty.node.shape,
      bool,
    )
  }
  return cast(reduced(op, cast(cast(tensor, bool), int64), dims, keepdim, int64), bool)
}

/** @param correction what is taken from the number of values: 1 for an unbiased estimate. */
export function variance(tensor: Tensor, dim: unknown, correction: number, keepdim: unknown): Tensor {
  if (tensor.dtype.category < 2) throw new RuntimeError('std and var only support floating point and complex dtypes')
  const dims = dimsOf(tensor, dim, 'var')
  const off = sub(tensor, mean(tensor, dims, true, null))
  const count = product(dims.map((at) => tensor.node.shape[at]!))
  return div(reduced('sum', mul(off, off), dims, keepdim, tensor.dtype), Math.max(0, count - correction))
}
export function norm(tensor: Tensor, dim: unknown, keepdim: unknown): Tensor {
  if (tensor.dtype.category < 2)
    throw new RuntimeError(`norm(): input dtype should be either floating point or complex. Got ${tensor.dtype.title} instead.`)
  return unary.sqrt(reduced('sum', mul(tensor, tensor), dimsOf(tensor, dim, 'norm'), keepdim, tensor.dtype))
}

export function softmax(tensor: Tensor, dim: unknown, dtype: unknown, log = false): Tensor {
  const given = dtype ? cast(tensor, dtype as Dtype) : tensor
  const place = wrapDim(int(dim, 'softmax', 'dim', 2), tensor.ndim)
  if (product(tensor.node.shape) === 0) return given
  if (given.dtype.category < 2)
    throw new RuntimeError(
      `"${log ? 'log_' : ''}softmax${place >= tensor.ndim - 1 ? '_lastdim' : ''}_kernel_impl" not implemented for '${given.dtype.title}'`,
    )
  if (tensor.ndim === 0) return sub(given, sub(given, log ? 0 : 1))
  const shifted = sub(given, reduced('max', given, [place], true, given.dtype))
  const exponentials = unary.exp(shifted)
  const total = reduced('sum', exponentials, [place], true, given.dtype)
  // In the order of its dimensions, whatever that of its input was.
  return new Tensor((log ? sub(shifted, unary.log(total)) : div(exponentials, total)).node)
}

export function cumsum(tensor: Tensor, dim: unknown, dtype: unknown): Tensor {
  const place = wrapDim(int(dim, 'cumsum', 'dim', 2), tensor.ndim)
  const type = (dtype as Dtype | null) ?? summed(tensor.dtype)
  const given = cast(tensor, type)
  if (product(tensor.node.shape) === 0 || tensor.ndim === 0) return given
  return new Tensor(node('cumsum', [given.node], { dim: place }, type, tensor.node.shape))
}
