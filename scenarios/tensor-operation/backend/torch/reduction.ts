/** Functions over dimensions: sums, means, extremes. */
import { bool, type Dtype, float64, int64 } from './dtype.ts'
import { binaryCompare, cast, div, mul, pow, sub, unary } from './elementwise.ts'
import { distinctDims, IndexError, RuntimeError, wrapDim } from './errors.ts'
import { node } from './graph.ts'
import { product } from './strides.ts'
import { constant, isScalar, Tensor } from './tensor.ts'

type ReductionOperation = 'sum' | 'prod' | 'max' | 'min'

type ReductionDims = readonly number[] | null
/** All dimensions where none is named. */
function listReducedDims(tensor: Tensor, dim: ReductionDims): number[] {
  if (dim === null || dim.length === 0) return tensor.node.shape.map((_, at) => at)
  const dims = distinctDims(dim, tensor.ndim)
  return tensor.ndim === 0 ? [] : dims
}

function reduced(
  op: ReductionOperation | 'argmax' | 'argmin',
  tensor: Tensor,
  dims: readonly number[],
  keepdim: unknown,
  dtype: Dtype,
): Tensor {
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

export function sum(
  tensor: Tensor,
  dim: ReductionDims,
  keepdim: boolean,
  dtype: Dtype | null,
  op: 'sum' | 'prod' = 'sum',
): Tensor {
  const type = dtype ?? summed(tensor.dtype)
  // Sums of booleans tell whether any is true, products whether all are.
  if (type === bool) return truth(op === 'sum' ? 'max' : 'min', tensor, dim, keepdim)
  return reduced(op, cast(tensor, type), listReducedDims(tensor, dim), keepdim, type)
}
export function mean(tensor: Tensor, dim: ReductionDims, keepdim: boolean, dtype: Dtype | null): Tensor {
  const type = dtype ?? tensor.dtype
  if (type.category < 2)
    throw new RuntimeError(
      `mean(): could not infer output dtype. ${dtype ? 'Optional' : 'Input'} dtype must be either a floating point or complex dtype. Got: ${type.title}`,
    )
  const dims = listReducedDims(tensor, dim)
  const count = product(dims.map((at) => tensor.node.shape[at]!))
  return div(reduced('sum', cast(tensor, type), dims, keepdim, type), count)
}

/** max, min, amax, amin of dimensions; booleans as numbers on the way. */
export function extremes(
  op: 'max' | 'min',
  tensor: Tensor,
  dim: ReductionDims,
  keepdim: boolean,
  name: string = op,
): Tensor {
  const dims = listReducedDims(tensor, dim)
  if (product(tensor.node.shape) === 0) {
    if (dim === null || dim.length === 0)
      throw new RuntimeError(
        `${name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.`,
      )
    const empty = dims.findIndex((at) => tensor.node.shape[at] === 0)
    if (empty >= 0)
      throw new IndexError(
        `${name}(): Expected reduction dim ${name.startsWith('a') && dims.length === 1 ? dim[0] : dims[empty]} to have non-zero size.`,
      )
  }
  if (tensor.dtype !== bool) return reduced(op, tensor, dims, keepdim, tensor.dtype)
  return cast(reduced(op, cast(tensor, int64), dims, keepdim, int64), bool)
}
export function argument(op: 'max' | 'min', tensor: Tensor, dim: number | null, keepdim: boolean): Tensor {
  const name = `arg${op}` as const
  const count = product(tensor.node.shape)
  if (dim === null && count === 0)
    throw new IndexError(`${name}(): Expected reduction dim to be specified for input.numel() == 0.`)
  const place = dim === null ? 0 : wrapDim(dim, tensor.ndim)
  if (dim !== null && tensor.node.shape[place] === 0)
    throw new IndexError(`${name}(): Expected reduction dim ${place} to have non-zero size.`)
  // Along a dimension of size 1 nothing is compared.
  const alone = dim !== null && tensor.node.shape[place] === 1
  if (tensor.dtype === bool && !alone && count > 0)
    throw new RuntimeError(`"${name}_cpu" not implemented for 'Bool'`)
  if (dim === null) {
    const flat = new Tensor(node('reshape', [tensor.node], { shape: [count] }, tensor.dtype, [count]))
    const shape = keepdim ? tensor.node.shape.map(() => 1) : []
    const result = reduced(name, flat, [0], false, int64)
    return shape.length === 0 ? result : new Tensor(node('reshape', [result.node], { shape }, int64, shape))
  }
  if (tensor.ndim === 0) return constant([0], [], int64)
  return reduced(name, tensor.dtype === bool ? cast(tensor, int64) : tensor, [place], keepdim, int64)
}
/** The result of max(dim) in Python: a pair with names. */
export function withIndices(op: 'max' | 'min', tensor: Tensor, dim: number, keepdim: boolean) {
  const values = extremes(op, tensor, [dim], keepdim)
  const indices = argument(op, tensor.dtype === bool ? cast(tensor, int64) : tensor, dim, keepdim)
  return Object.assign([values, indices], { values, indices })
}

export const any = (tensor: Tensor, dim: ReductionDims, keepdim: boolean) =>
  truth('max', tensor, dim, keepdim)
export const all = (tensor: Tensor, dim: ReductionDims, keepdim: boolean) =>
  truth('min', tensor, dim, keepdim)
function truth(op: 'max' | 'min', tensor: Tensor, dim: ReductionDims, keepdim: boolean): Tensor {
  const dims = listReducedDims(tensor, dim)
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

/**
 * Variance or standard deviation, in double precision until its end, as PyTorch has it: what overflows in
 * between is no infinity.
 * @param correction what is taken from the number of values: 1 for an unbiased estimate.
 * @param root whether the standard deviation is asked for.
 */
export function spread(
  tensor: Tensor,
  dim: ReductionDims,
  correction: number,
  keepdim: boolean,
  root: boolean,
): Tensor {
  if (tensor.dtype.category < 2)
    throw new RuntimeError('std and var only support floating point and complex dtypes')
  const wide = cast(tensor, float64)
  const dims = listReducedDims(wide, dim)
  const off = sub(wide, mean(wide, dims, true, null))
  const count = product(dims.map((at) => wide.node.shape[at]!))
  const variance = div(reduced('sum', mul(off, off), dims, keepdim, float64), Math.max(0, count - correction))
  return cast(root ? unary.sqrt(variance) : variance, tensor.dtype)
}
/** @param p an order, or 'fro' for that of matrices and of everything together. */
export function norm(
  tensor: Tensor,
  p: unknown,
  dim: ReductionDims,
  keepdim: boolean,
  dtype: Dtype | null,
): Tensor {
  if (p !== 'fro' && p !== null && !isScalar(p))
    throw new RuntimeError(
      `norm(): only orders that are numbers and 'fro' are supported here, not ${JSON.stringify(p)}`,
    )
  const input = dtype ? cast(tensor, dtype) : tensor
  if (input.dtype.category < 2)
    throw new RuntimeError(
      `norm(): input dtype should be either floating point or complex. Got ${input.dtype.title} instead.`,
    )
  if (p === 'fro' && dim && dim.length > 2)
    throw new RuntimeError(`Expected at most 2 dimensions, but got ${dim.length} dimensions instead.`)
  const dims = listReducedDims(input, dim)
  const order = p === 'fro' || p === null ? 2 : Number(p)
  const total = (of: Tensor) => reduced('sum', of, dims, keepdim, input.dtype)
  if (order === 2) return unary.sqrt(total(mul(input, input)))
  const sizes = unary.abs(input)
  if (order === 1) return total(sizes)
  if (order === 0) return total(cast(binaryCompare('ne', input, 0), input.dtype))
  if (Number.isFinite(order)) return pow(total(pow(sizes, order)), 1 / order)
  return order > 0 && product(input.node.shape) === 0
    ? total(sizes)
    : extremes(order > 0 ? 'max' : 'min', sizes, dims, keepdim, 'norm')
}

export function softmax(tensor: Tensor, dim: number, dtype: Dtype | null, log = false): Tensor {
  const input = dtype ? cast(tensor, dtype) : tensor
  const place = wrapDim(dim, tensor.ndim)
  if (product(tensor.node.shape) === 0) return input
  if (input.dtype.category < 2) {
    const kernel =
      place < tensor.ndim - 1 ? 'softmax_kernel_impl' : `${log ? 'log_' : ''}softmax_lastdim_kernel_impl`
    throw new RuntimeError(`"${kernel}" not implemented for '${input.dtype.title}'`)
  }
  if (tensor.ndim === 0) return sub(input, sub(input, log ? 0 : 1))
  const shifted = sub(input, reduced('max', input, [place], true, input.dtype))
  const exponentials = unary.exp(shifted)
  const total = reduced('sum', exponentials, [place], true, input.dtype)
  // In the order of its dimensions, whatever that of its input was.
  return new Tensor((log ? sub(shifted, unary.log(total)) : div(exponentials, total)).node)
}

export function cumsum(tensor: Tensor, dim: number, dtype: Dtype | null): Tensor {
  const place = wrapDim(dim, tensor.ndim)
  const type = dtype ?? summed(tensor.dtype)
  const input = cast(tensor, type)
  if (product(tensor.node.shape) === 0 || tensor.ndim === 0) return input
  if (type === bool) throw new RuntimeError('"cumsum_out_cpu" not implemented for \'Bool\'')
  return new Tensor(node('cumsum', [input.node], { dim: place }, type, tensor.node.shape))
}
