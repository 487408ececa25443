/** PyTorch's shape equations of cat, split, transpose and permute, with its error conditions. */
import { isInteger, findDim, refuseShape, type EquationShapes, createShapes, spellShape } from './outcome.ts'

type MovedShape = readonly number[]

export function computeCatShape(inputs: readonly MovedShape[], dim: unknown): EquationShapes {
  const [first] = inputs
  if (!first) return refuseShape(() => 'torch.cat(): expected a non-empty list of Tensors')
  if (inputs.some((shape) => shape.length === 0))
    return refuseShape(() => 'zero-dimensional tensor (at position 0) cannot be concatenated')
  const at = findDim(dim, first.length)
  if (typeof at === 'string') return refuseShape(() => at)
  for (const [number, shape] of inputs.entries()) {
    if (shape.length !== first.length)
      return refuseShape(
        () => `Tensors must have same number of dimensions: got ${first.length} and ${shape.length}`,
      )
    const other = shape.findIndex((size, n) => n !== at && size !== first[n])
    if (other >= 0)
      return refuseShape(
        () =>
          `Sizes of tensors must match except in dimension ${at}. Expected size ${first[other]} but got size ${shape[other]} for tensor number ${number} in the list.`,
      )
  }
  return createShapes(
    first.with(
      at,
      inputs.reduce((sum, shape) => sum + (shape[at] as number), 0),
    ),
  )
}

/** The sizes of the pieces along the dimension, or a text. */
function computePieceSizes(size: number, by: unknown): number[] | string {
  if (isInteger(by)) {
    if (by < 0 || (by === 0 && size !== 0))
      return `split expects split_size be non-negative, but got split_size=${by}`
    if (by === 0) return [0]
    return Array.from({ length: Math.max(1, Math.ceil(size / by)) }, (_, n) => Math.min(by, size - n * by))
  }
  if (!Array.isArray(by) || !by.every(isInteger)) return 'split expects a size or a list of sizes'
  if (by.some((one) => one < 0))
    return `split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=${spellShape(by)}`
  return by.reduce((sum, one) => sum + one, 0) === size
    ? by
    : `split_with_sizes expects split_sizes to sum exactly to ${size} (input tensor's size at the dimension), but got split_sizes=${spellShape(by)}`
}

export function splitShapes(shape: MovedShape, by: unknown, dim: unknown): EquationShapes {
  if (shape.length === 0) return refuseShape(() => 'split expects at least a 1-dimensional tensor')
  const at = findDim(dim, shape.length)
  if (typeof at === 'string') return refuseShape(() => at)
  const sizes = computePieceSizes(shape[at] as number, by)
  return typeof sizes === 'string'
    ? refuseShape(() => sizes)
    : createShapes(...sizes.map((size) => shape.with(at, size)))
}

/** The order of dimensions that exchanges two, or a text. */
export function exchangeDims(rank: number, dim0: unknown, dim1: unknown): number[] | string {
  const [a, b] = [findDim(dim0, rank), findDim(dim1, rank)]
  if (typeof a === 'string') return a
  if (typeof b === 'string') return b
  const order: number[] = []
  for (let n = 0; n < rank; n++) order.push(n === a ? b : n === b ? a : n)
  return order
}

/** The order of dimensions that permute takes, or a text. */
export function orderDims(rank: number, dims: unknown): number[] | string {
  if (!Array.isArray(dims)) return 'permute(): argument dims must be a list of integers'
  if (dims.length !== rank)
    return `permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ${rank} is not equal to len(dims) = ${dims.length}`
  const order: number[] = []
  for (const dim of dims) {
    const at = findDim(dim, rank)
    if (typeof at === 'string') return at
    if (order.includes(at)) return 'permute(): duplicate dims are not allowed.'
    order.push(at)
  }
  return order
}
