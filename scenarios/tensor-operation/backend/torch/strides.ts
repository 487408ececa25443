/**
 * Models where elements lie in memory, as far as programs can tell: views of tensors that aren't contiguous
 * are refused, as in PyTorch.
 */

export type StrideSizes = readonly number[]
export const product = (sizes: StrideSizes) => sizes.reduce((all, size) => all * size, 1)

export function contiguousStrides(shape: StrideSizes): number[] {
  const strides: number[] = []
  for (let at = shape.length - 1, step = 1; at >= 0; step *= Math.max(shape[at]!, 1), at--) strides[at] = step
  return strides
}

export function isContiguous(shape: StrideSizes, strides: StrideSizes): boolean {
  if (product(shape) === 0) return true
  for (let at = shape.length - 1, step = 1; at >= 0; at--) {
    if (shape[at] === 1) continue
    if (strides[at] !== step) return false
    step *= shape[at]!
  }
  return true
}

/** Strides under which the same memory has the new shape; undefined where it hasn’t. */
export function viewStrides(
  shape: StrideSizes,
  strides: StrideSizes,
  newShape: StrideSizes,
): number[] | undefined {
  if (product(shape) === 0) return contiguousStrides(newShape)
  const newStrides: number[] = Array.from(newShape, () => 1)
  let at = newShape.length - 1
  let base = strides.length > 0 ? strides[strides.length - 1]! : 1
  let have = 1
  let covered = 1
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    have *= shape[dim]!
    if (dim > 0 && (shape[dim - 1] === 1 || strides[dim - 1] === have * base)) continue
    while (at >= 0 && (covered < have || newShape[at] === 1)) {
      newStrides[at] = covered * base
      covered *= newShape[at]!
      at--
    }
    if (covered !== have) return undefined
    if (dim > 0) {
      base = strides[dim - 1]!
      have = 1
      covered = 1
    }
  }
  if (shape.length === 0) {
    return newShape.every((size) => size === 1) ? newStrides : undefined
  }
  return at === -1 ? newStrides : undefined
}

/** Strides of an elementwise result: in the order of its operands’ memory. */
export function elementwiseStrides(
  shape: StrideSizes,
  operands: readonly { shape: StrideSizes; strides: StrideSizes }[],
): number[] {
  const rank = shape.length
  const all = operands.filter((operand) => operand.shape.length > 0)
  if (all.every((operand) => operand.shape.length === rank && isContiguous(operand.shape, operand.strides)))
    return contiguousStrides(shape)
  const aligned = all.map((operand) =>
    Array.from({ length: rank }, (_, dim) => {
      const ownDim = dim - (rank - operand.shape.length)
      return ownDim < 0 || (operand.shape[ownDim] === 1 && shape[dim] !== 1) ? 0 : operand.strides[ownDim]!
    }),
  )
  // order[0] is the fastest.
  const order = Array.from({ length: rank }, (_, n) => rank - 1 - n)
  const compare = (a: number, b: number) => {
    for (const strides of aligned) {
      const [first, second] = [strides[a]!, strides[b]!]
      if (first === 0 || second === 0) continue
      if (first !== second) return first < second ? -1 : 1
      if (shape[a]! > shape[b]!) return 1
    }
    return 0
  }
  for (let n = 1; n < rank; n++) {
    let later = n
    for (let earlier = n - 1; earlier >= 0; earlier--) {
      const way = compare(order[earlier]!, order[later]!)
      if (way < 0) break
      if (way > 0) {
        const place = order[earlier]!
        order[earlier] = order[later]!
        order[later] = place
        later = earlier
      }
    }
  }
  const strides: number[] = []
  let step = 1
  for (const dim of order) {
    strides[dim] = step
    step *= Math.max(shape[dim]!, 1)
  }
  return strides
}
