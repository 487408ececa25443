/** Functions that move elements: cat, split, transpose, permute, views, slices. */
import { bool, resultType } from './dtype.ts'
import {
  distinctDims,
  IndexError,
  ownDim,
  RuntimeError,
  spelled,
  typeName,
  ValueError,
  wrapDim,
} from './errors.ts'
import { bounded, node } from './graph.ts'
import {
  contiguousStrides,
  elementwiseStrides,
  isContiguous,
  product,
  type StrideSizes,
  viewStrides,
} from './strides.ts'
import { constant, isTensor, mustBeTensors, describeOperand, sizesText, Tensor } from './tensor.ts'
import { cast } from './elementwise.ts'
import { filled } from './creation.ts'

const same = (a: StrideSizes, b: StrideSizes) =>
  a.length === b.length && a.every((size, at) => size === b[at])

export function cat(list: readonly unknown[], dim: number): Tensor {
  const all = mustBeTensors(list)
  if (all.length === 0) throw new RuntimeError('torch.cat(): expected a non-empty list of Tensors')
  all.forEach((one, at) => {
    if (one.ndim === 0)
      throw new RuntimeError(`zero-dimensional tensor (at position ${at}) cannot be concatenated`)
  })
  const dtype = resultType(all.map(describeOperand))
  // Empty ones of one dimension have always been taken.
  const counted = all
    .map((one, at) => ({ one, at }))
    .filter(({ one }) => !(one.ndim === 1 && one.node.shape[0] === 0))
  const first = counted[0]?.one ?? all[0]!
  const place = wrapDim(dim, first.ndim)
  const shape = first.shape
  shape[place] = 0
  for (const { one, at } of counted) {
    if (one.ndim !== first.ndim)
      throw new RuntimeError(`Tensors must have same number of dimensions: got ${first.ndim} and ${one.ndim}`)
    one.node.shape.forEach((size, n) => {
      if (n !== place && size !== first.node.shape[n])
        throw new RuntimeError(
          `Sizes of tensors must match except in dimension ${place}. Expected size ${first.node.shape[n]} but got size ${size} for tensor number ${at} in the list.`,
        )
    })
    shape[place] += one.node.shape[place]!
  }
  const parts = counted.map(({ one }) => cast(one, dtype).node).filter((part) => product(part.shape) > 0)
  if (product(shape) === 0) return constant([], shape, dtype)
  return new Tensor(node('cat', parts, { dim: place }, dtype, shape))
}

/** Checks the tensors that `name` joins: it needs at least one. */
function several(list: readonly unknown[], name: string): Tensor[] {
  const all = mustBeTensors(list)
  if (all.length === 0) throw new RuntimeError(`${name} expects a non-empty TensorList`)
  return all
}
export function stack(list: readonly unknown[], dim: number): Tensor {
  const all = several(list, 'stack')
  const first = all[0]!
  const place = wrapDim(dim, first.ndim + 1)
  all.forEach((one, at) => {
    if (!same(one.node.shape, first.node.shape))
      throw new RuntimeError(
        `stack expects each tensor to be equal size, but got ${sizesText(first)} at entry 0 and ${sizesText(one)} at entry ${at}`,
      )
  })
  return cat(
    all.map((one) => unsqueeze(one, place)),
    place,
  )
}

export function hstack(list: readonly unknown[]): Tensor {
  const all = several(list, 'hstack').map((one) => (one.ndim === 0 ? reshape(one, [1]) : one))
  return cat(all, all[0]!.ndim === 1 ? 0 : 1)
}
export const vstack = (list: readonly unknown[]) =>
  cat(
    several(list, 'vstack').map((one) => (one.ndim < 2 ? reshape(one, [1, product(one.node.shape)]) : one)),
    0,
  )

/** A part of a dimension; its elements stay where they are. */
function slice(tensor: Tensor, dim: number, start: number, end: number, step = 1): Tensor {
  const shape = tensor.shape
  const length = Math.max(0, Math.ceil((end - start) / step))
  shape[dim] = length
  const strides = tensor.strides.map((stride, at) => (at === dim ? stride * step : stride))
  if (length === tensor.node.shape[dim] && step === 1) return new Tensor(tensor.node, strides)
  if (product(shape) === 0) return new Tensor(constant([], shape, tensor.dtype).node, strides)
  return new Tensor(
    node('slice', [tensor.node], { dim, start, end, step: Math.min(step, end - start) }, tensor.dtype, shape),
    strides,
  )
}

export function split(tensor: Tensor, by: unknown, dim: number): Tensor[] {
  if (tensor.ndim === 0) throw new RuntimeError('split expects at least a 1-dimensional tensor')
  if (!Number.isInteger(by)) {
    if (!Array.isArray(by) || !by.every((one) => Number.isInteger(one)))
      throw new TypeError(
        `split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not ${typeName(by)}`,
      )
    const sizes = by as number[]
    const place = wrapDim(dim, tensor.ndim)
    const size = tensor.node.shape[place]!
    if (sizes.some((one) => one < 0))
      throw new RuntimeError(
        `split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=${spelled(sizes)}`,
      )
    if (sizes.reduce((sum, one) => sum + one, 0) !== size)
      throw new RuntimeError(
        `split_with_sizes expects split_sizes to sum exactly to ${size} (input tensor's size at dimension ${dim}), but got split_sizes=${spelled(sizes)}`,
      )
    let from = 0
    return sizes.map((length) => slice(tensor, place, from, (from += length)))
  }
  const length = by as number
  if (length < 0)
    throw new RuntimeError(`split expects split_size be non-negative, but got split_size=${length}`)
  const place = wrapDim(dim, tensor.ndim)
  const size = tensor.node.shape[place]!
  if (length === 0 && size !== 0)
    throw new RuntimeError(
      `split_size can only be 0 if dimension size is 0, but got dimension size of ${size}`,
    )
  if (length === 0 || size === 0) return [slice(tensor, place, 0, size)]
  return Array.from({ length: Math.ceil(size / length) }, (_, at) =>
    slice(tensor, place, at * length, Math.min(size, (at + 1) * length)),
  )
}

export function chunk(tensor: Tensor, count: number, dim: number): Tensor[] {
  if (tensor.ndim === 0) throw new RuntimeError('chunk expects at least a 1-dimensional tensor')
  if (count <= 0) throw new RuntimeError(`chunk expects \`chunks\` to be greater than 0, got: ${count}`)
  const place = wrapDim(dim, tensor.ndim)
  const size = tensor.node.shape[place]!
  if (size === 0) return Array.from({ length: count }, () => slice(tensor, place, 0, 0))
  return split(tensor, Math.ceil(size / count), place)
}

export function permute(tensor: Tensor, dims: readonly number[]): Tensor {
  if (dims.length !== tensor.ndim)
    throw new RuntimeError(
      `permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ${tensor.ndim} is not equal to len(dims) = ${dims.length}`,
    )
  const places = dims.map((dim) => wrapDim(dim, tensor.ndim))
  if (new Set(places).size !== places.length)
    throw new RuntimeError('permute(): duplicate dims are not allowed.')
  return reordered(tensor, places)
}

function reordered(tensor: Tensor, dims: readonly number[]): Tensor {
  const strides = dims.map((dim) => tensor.strides[dim]!)
  if (dims.every((dim, at) => dim === at)) return new Tensor(tensor.node, strides)
  const shape = dims.map((dim) => tensor.node.shape[dim]!)
  if (product(shape) === 0) return new Tensor(constant([], shape, tensor.dtype).node, strides)
  return new Tensor(node('permute', [tensor.node], { dims }, tensor.dtype, shape), strides)
}

export function transpose(tensor: Tensor, dim0: number, dim1: number): Tensor {
  const [first, second] = [dim0, dim1].map((dim) => wrapDim(dim, tensor.ndim))
  const dims = tensor.node.shape.map((_, at) => (at === first ? second! : at === second ? first! : at))
  return reordered(tensor, dims)
}

export function t(tensor: Tensor): Tensor {
  if (tensor.ndim > 2)
    throw new RuntimeError(`t() expects a tensor with <= 2 dimensions, but self is ${tensor.ndim}D`)
  return tensor.ndim < 2 ? tensor : transpose(tensor, 0, 1)
}
export const reversed = (tensor: Tensor) =>
  reordered(
    tensor,
    tensor.node.shape.map((_, at) => tensor.ndim - 1 - at),
  )

export function movedim(tensor: Tensor, source: readonly number[], destination: readonly number[]): Tensor {
  if (source.length !== destination.length)
    throw new RuntimeError(
      `movedim: Invalid source or destination dims: source (${spelled(source)} dims) should contain the same number of dims as destination (${spelled(destination)} dims)`,
    )
  const [sources, targets] = [source, destination].map((dims) => dims.map((dim) => wrapDim(dim, tensor.ndim)))
  for (const [name, dims, list] of [
    ['source', sources!, source],
    ['destination', targets!, destination],
  ] as const)
    if (new Set(dims).size !== dims.length)
      throw new RuntimeError(`movedim: repeated dim in \`${name}\` (${spelled(list)})`)
  const order: number[] = []
  sources!.forEach((dim, at) => (order[targets![at]!] = dim))
  const rest = tensor.node.shape.map((_, at) => at).filter((dim) => !sources!.includes(dim))
  for (let at = 0; at < tensor.ndim; at++) order[at] ??= rest.shift()!
  return reordered(tensor, order)
}

/** Sizes with what stands for −1. */
function inferred(sizes: readonly number[], count: number): number[] {
  let open = -1
  let knownProduct = 1
  sizes.forEach((size, at) => {
    if (size === -1) {
      if (open >= 0) throw new RuntimeError('only one dimension can be inferred')
      open = at
    } else if (size < 0) throw new RuntimeError(`invalid shape dimension ${size}`)
    else knownProduct *= size
  })
  if (knownProduct !== count && !(open >= 0 && knownProduct > 0 && count % knownProduct === 0))
    throw new RuntimeError(`shape '${spelled(sizes)}' is invalid for input of size ${count}`)
  if (open < 0) return [...sizes]
  if (knownProduct === 0)
    throw new RuntimeError(
      `cannot reshape tensor of 0 elements into shape ${spelled(sizes)} because the unspecified dimension size -1 can be any value and is ambiguous`,
    )
  return sizes.map((size, at) => (at === open ? count / knownProduct : size))
}

const shaped = (tensor: Tensor, shape: readonly number[]) =>
  same(shape, tensor.node.shape)
    ? tensor.node
    : product(shape) === 0
      ? constant([], shape, tensor.dtype).node
      : node('reshape', [tensor.node], { shape: [...shape] }, tensor.dtype, shape)

export function reshape(tensor: Tensor, sizes: readonly number[]): Tensor {
  const shape = inferred(sizes, product(tensor.node.shape))
  return new Tensor(
    shaped(tensor, shape),
    viewStrides(tensor.node.shape, tensor.strides, shape) ?? contiguousStrides(shape),
  )
}
export function view(tensor: Tensor, sizes: readonly number[]): Tensor {
  const shape = inferred(sizes, product(tensor.node.shape))
  const strides = viewStrides(tensor.node.shape, tensor.strides, shape)
  if (!strides)
    throw new RuntimeError(
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
    )
  return new Tensor(shaped(tensor, shape), strides)
}
export const contiguous = (tensor: Tensor) =>
  isContiguous(tensor.node.shape, tensor.strides) ? tensor : new Tensor(tensor.node)

export function flatten(tensor: Tensor, startDim: number, endDim: number): Tensor {
  const start = wrapDim(startDim, tensor.ndim)
  const end = wrapDim(endDim, tensor.ndim)
  if (start > end) throw new RuntimeError('flatten() has invalid args: start_dim cannot come after end_dim')
  if (tensor.ndim === 0) return reshape(tensor, [1])
  const shape = tensor.shape
  return reshape(tensor, [
    ...shape.slice(0, start),
    product(shape.slice(start, end + 1)),
    ...shape.slice(end + 1),
  ])
}

/** All dimensions of size 1, or those of the list. */
export function squeeze(tensor: Tensor, list?: readonly number[]): Tensor {
  const dims = list?.map((one) => wrapDim(one, tensor.ndim)) ?? tensor.node.shape.map((_, at) => at)
  const dimsLeft = tensor.node.shape
    .map((_, at) => at)
    .filter((at) => !(dims.includes(at) && tensor.node.shape[at] === 1))
  return new Tensor(
    shaped(
      tensor,
      dimsLeft.map((at) => tensor.node.shape[at]!),
    ),
    dimsLeft.map((at) => tensor.strides[at]!),
  )
}
export function unsqueeze(tensor: Tensor, dim: number): Tensor {
  const place = wrapDim(dim, tensor.ndim + 1)
  const shape = tensor.shape
  const stride = place < tensor.ndim ? shape[place]! * tensor.strides[place]! : 1
  return new Tensor(shaped(tensor, shape.toSpliced(place, 0, 1)), tensor.strides.toSpliced(place, 0, stride))
}

export function expand(tensor: Tensor, sizes: readonly number[]): Tensor {
  const tensorShape = tensor.node.shape
  if (sizes.length < tensorShape.length)
    throw new RuntimeError(
      `expand(${tensor.dtype === bool ? 'CPUBoolType' : `torch.${tensor.dtype.title}Tensor`}{${spelled(tensorShape)}}, size=${spelled(sizes)}): the number of sizes provided (${sizes.length}) must be greater or equal to the number of dimensions in the tensor (${tensorShape.length})`,
    )
  const offset = sizes.length - tensorShape.length
  const strides: number[] = []
  const shape: number[] = []
  for (let at = sizes.length - 1; at >= 0; at--) {
    const size = tensorShape[at - offset]
    const target = sizes[at]!
    if (size === undefined) {
      if (target < 0)
        throw new RuntimeError(
          `The expanded size of the tensor (${target}) isn't allowed in a leading, non-existing dimension ${at}`,
        )
      shape[at] = target
      strides[at] = 0
    } else if (target === -1 || target === size) {
      shape[at] = size
      strides[at] = tensor.strides[at - offset]!
    } else if (size === 1) {
      shape[at] = target
      strides[at] = 0
    } else throw mismatch(target, size, at, sizes, tensorShape)
  }
  if (same(shape, tensorShape)) return new Tensor(tensor.node, strides)
  if (product(shape) === 0) return new Tensor(constant([], shape, tensor.dtype).node, strides)
  return new Tensor(node('expand', [tensor.node], { shape }, tensor.dtype, shape), strides)
}
export const mismatch = (
  target: number,
  size: number,
  at: number,
  sizes: StrideSizes,
  tensorShape: StrideSizes,
) =>
  new RuntimeError(
    `The expanded size of the tensor (${target}) must match the existing size (${size}) at non-singleton dimension ${at}.  Target sizes: ${spelled(sizes)}.  Tensor sizes: ${spelled(tensorShape)}`,
  )

export function repeat(tensor: Tensor, repeats: readonly number[]): Tensor {
  if (repeats.length < tensor.ndim)
    throw new RuntimeError(
      'Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor',
    )
  let result = reshape(tensor, [
    ...Array.from({ length: repeats.length - tensor.ndim }, () => 1),
    ...tensor.shape,
  ])
  const shape = repeats.map((count, dim) => count * result.node.shape[dim]! || 0)
  const negative = shape.find((size) => size < 0)
  if (negative !== undefined)
    throw new RuntimeError(`Trying to create tensor with negative dimension ${negative}: ${spelled(shape)}`)
  if (product(shape) === 0) return constant([], shape, tensor.dtype)
  bounded(shape, tensor.dtype)
  repeats.forEach((count, dim) => {
    if (count > 1)
      result = cat(
        Array.from({ length: count }, () => result),
        dim,
      )
  })
  return contiguous(result)
}

export function narrow(tensor: Tensor, dim: number, from: number, count: number): Tensor {
  if (tensor.ndim === 0) throw new RuntimeError('narrow() cannot be applied to a 0-dim tensor.')
  const place = wrapDim(dim, tensor.ndim)
  const size = tensor.node.shape[place]!
  const begin = from === size ? from : wrapDim(from, size)
  if (count < 0 || begin + count > size)
    throw new RuntimeError(`start (${begin}) + length (${count}) exceeds dimension size (${size}).`)
  return slice(tensor, place, begin, begin + count)
}

export function select(tensor: Tensor, dim: number, at: number): Tensor {
  if (tensor.ndim === 0) throw new IndexError('select() cannot be applied to a 0-dim tensor.')
  const place = wrapDim(dim, tensor.ndim)
  const size = tensor.node.shape[place]!
  if (at < -size || at >= size)
    throw new IndexError(
      `select(): index ${at} out of range for tensor of size ${sizesText(tensor)} at dimension ${place}`,
    )
  const from = at < 0 ? at + size : at
  const part = slice(tensor, place, from, from + 1)
  return new Tensor(shaped(part, part.shape.toSpliced(place, 1)), part.strides.toSpliced(place, 1))
}

/** `t[index]` of Python; `namedDim`: the dimension that is named where it is out of bounds. */
export function at(tensor: Tensor, index: number, dim = 0, namedDim = dim): Tensor {
  if (tensor.ndim === 0 && index === 0)
    throw new IndexError(
      'invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number',
    )
  const size = tensor.node.shape[dim] ?? 0
  if (index < -size || index >= size)
    throw new IndexError(`index ${index} is out of bounds for dimension ${namedDim} with size ${size}`)
  return select(tensor, dim, index)
}

export function unbind(tensor: Tensor, dim: number): Tensor[] {
  const place = ownDim(dim, tensor.ndim)
  return Array.from({ length: tensor.node.shape[place]! }, (_, n) => select(tensor, place, n))
}

type TensorIndex = number | null | readonly (number | null | undefined)[] | string | Tensor
const isIndex = (value: unknown): value is TensorIndex =>
  value === null ||
  Number.isInteger(value) ||
  isTensor(value) ||
  [':', '...', 'None'].includes(value as string) ||
  (Array.isArray(value) &&
    value.length <= 3 &&
    value.every((one) => one === null || one === undefined || Number.isInteger(one)))

/**
 * Indices of Python: numbers, null for all of a dimension, [start, stop, step], '...', 'None' for a new
 * dimension, and one tensor of integers.
 */
export function index(tensor: Tensor, list: readonly unknown[]): Tensor {
  const indices = list.map((one) => {
    if (isIndex(one)) return one
    throw new TypeError(
      `index(): give numbers, [start, stop, step], ':', '...', 'None' or a tensor of integers, not ${typeName(one)}`,
    )
  })
  const used = indices.filter((one) => one !== '...' && one !== 'None').length
  if (
    tensor.ndim === 0 &&
    list.length === 1 &&
    (indices[0] === null || indices[0] === ':' || Array.isArray(indices[0]))
  )
    throw new IndexError('slice() cannot be applied to a 0-dim tensor.')
  if (tensor.ndim === 0 && list.length === 1 && typeof indices[0] === 'number') return at(tensor, indices[0])
  if (used > tensor.ndim) throw new IndexError(`too many indices for tensor of dimension ${tensor.ndim}`)
  // Several index tensors select elements together, which differs from one after the other.
  if (indices.filter(isTensor).length > 1)
    throw new RuntimeError('index(): only one index may be a tensor here')
  let result = tensor
  let dim = 0
  let namedDim = -1
  for (const one of indices) {
    namedDim += one === '...' ? tensor.ndim - used : 1
    if (one === '...') dim += tensor.ndim - used
    else if (one === 'None') result = unsqueeze(result, dim++)
    else if (one === null || one === ':') dim++
    else if (isTensor(one)) {
      result = takeAlong(result, dim, one)
      dim += one.ndim
    } else if (typeof one === 'number') result = at(result, one, dim, namedDim)
    else {
      const size = result.node.shape[dim]!
      const [start, stop, step] = one as readonly (number | null | undefined)[]
      const by = step ?? 1
      if (by <= 0) throw new ValueError('step must be greater than zero')
      const clip = (value: number | null | undefined, otherwise: number) =>
        value === null || value === undefined
          ? otherwise
          : Math.min(size, Math.max(0, value < 0 ? value + size : value))
      const from = clip(start, 0)
      result = slice(result, dim++, from, Math.max(from, clip(stop, size)), by)
    }
  }
  return indices.some(isTensor) ? contiguous(result) : result
}

/** `t[indices]`, along a dimension: the shape of the indices stands in its place. */
function takeAlong(tensor: Tensor, dim: number, indices: Tensor): Tensor {
  if (indices.dtype.category !== 1)
    throw new IndexError('index(): a tensor as an index must be of int64 or int32 here')
  const size = tensor.node.shape[dim]!
  const values = product(tensor.node.shape.toSpliced(dim, 1)) === 0 ? [] : (indices.values() as number[])
  const bad = values.find((one) => one < -size || one >= size)
  if (bad !== undefined)
    throw new IndexError(`index ${bad} is out of bounds for dimension 0 with size ${size}`)
  const shape = tensor.shape.toSpliced(dim, 1, ...indices.shape)
  if (product(shape) === 0) return constant([], shape, tensor.dtype)
  const picked = gathered(
    tensor,
    dim,
    values.map((one) => (one < 0 ? one + size : one)),
  )
  return reshape(picked, shape)
}
const gathered = (tensor: Tensor, dim: number, indices: readonly number[]) =>
  new Tensor(
    node('gather', [tensor.node], { dim, indices }, tensor.dtype, tensor.shape.with(dim, indices.length)),
  )

export function indexSelect(tensor: Tensor, dim: number, places: Tensor): Tensor {
  const place = wrapDim(dim, tensor.ndim)
  if (places.ndim > 1) throw new IndexError('index_select(): Index is supposed to be a vector')
  if (places.dtype.category !== 1)
    throw new RuntimeError('index_select(): Expected dtype int32 or int64 for index')
  const size = tensor.node.shape[place] ?? 1
  // Which element stands where decides nothing about the shape, but whether there is one can only be told
  // now.
  const values = places.values() as number[]
  const bad = values.find((one) => one < 0 || one >= size)
  if (bad !== undefined) {
    if (size === 0 && tensor.ndim > 1)
      throw new RuntimeError('index_select(): self indexing axis dim should be positive')
    throw new IndexError('index out of range in self')
  }
  const shape = tensor.shape
  if (tensor.ndim > 0) shape[place] = values.length
  if (product(shape) === 0) return constant([], shape, tensor.dtype)
  return tensor.ndim === 0 ? tensor : gathered(tensor, place, values)
}

export function flip(tensor: Tensor, list: readonly number[]): Tensor {
  const dims = distinctDims(list, tensor.ndim)
  if (product(tensor.node.shape) === 0 || tensor.ndim === 0) return tensor
  const strides = elementwiseStrides(tensor.node.shape, [
    { shape: tensor.node.shape, strides: tensor.strides },
  ])
  return dims.reduce(
    (result, dim) => {
      const size = result.node.shape[dim]!
      const turned = gathered(
        result,
        dim,
        Array.from({ length: size }, (_, n) => size - 1 - n),
      )
      return new Tensor(turned.node, strides)
    },
    new Tensor(tensor.node, strides),
  )
}

/**
 * From the last dimension on, two numbers for each: what is put before and after it, or, where negative,
 * taken away.
 */
export function pad(
  tensor: Tensor,
  pads: readonly number[],
  mode: string,
  value: number | boolean | null,
): Tensor {
  if (pads.length % 2 !== 0) throw new RuntimeError('Padding length must be divisible by 2')
  if (pads.length / 2 > tensor.ndim) throw new RuntimeError('Padding length too large')
  if (mode !== 'constant') throw new RuntimeError(`pad: only the mode constant is supported here`)
  const sides = tensor.node.shape.map((_, dim): [number, number] => {
    const at = 2 * (tensor.ndim - 1 - dim)
    return [pads[at] ?? 0, pads[at + 1] ?? 0]
  })
  let result = tensor
  sides.forEach(([before, after], dim) => {
    if (before < 0) result = narrow(result, dim, -before, result.node.shape[dim]! + before)
    if (after < 0) result = narrow(result, dim, 0, result.node.shape[dim]! + after)
  })
  if (pads.every((count) => count <= 0)) return contiguous(result)
  sides.forEach(([before, after], dim) => {
    const size = tensor.node.shape[dim]!
    if (dim >= tensor.ndim - pads.length / 2 && size + before + after <= 0)
      throw new RuntimeError(
        `The input size ${size}, plus negative padding ${before} and ${after} resulted in a negative output size, which is invalid. Check dimension ${dim} of your input.`,
      )
    const extra = (count: number) =>
      count > 0 ? [filled(result.shape.with(dim, count), Number(value ?? 0), tensor.dtype)] : []
    const parts = [...extra(before), result, ...extra(after)]
    if (parts.length > 1) result = cat(parts, dim)
  })
  return contiguous(result)
}
