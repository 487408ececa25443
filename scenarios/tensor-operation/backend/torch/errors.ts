/** Errors as PyTorch has them. */
export class RuntimeError extends Error {}
export class IndexError extends Error {}
export class ValueError extends Error {}
for (const kind of [RuntimeError, IndexError, ValueError])
  Object.defineProperty(kind.prototype, 'name', { value: kind.name, writable: true, configurable: true })

export const spelled = (sizes: readonly unknown[]) => `[${sizes.join(', ')}]`

/** Gets Python's name of a value's type. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'function') return 'function'
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name
  return name === 'Tensor' ? 'Tensor' : name === 'Dtype' ? 'torch.dtype' : 'dict'
}

/** A dimension counted from 0. */
export function wrapDim(dim: number, rank: number): number {
  const range = Math.max(rank, 1)
  if (dim < -range || dim >= range)
    throw new IndexError(
      `Dimension out of range (expected to be in range of [${-range}, ${range - 1}], but got ${dim})`,
    )
  return dim < 0 ? dim + range : dim
}

/** A dimension of a tensor that must have dimensions. */
export function ownDim(dim: number, rank: number): number {
  if (rank === 0) throw new IndexError(`Dimension specified as ${dim} but tensor has no dimensions`)
  return wrapDim(dim, rank)
}
/** Dimensions counted from 0, each once. */
export function distinctDims(list: readonly number[], rank: number): number[] {
  const dims = list.map((one) => wrapDim(one, rank))
  const twice = dims.find((one, at) => dims.indexOf(one) !== at)
  if (twice !== undefined) throw new RuntimeError(`dim ${twice} appears multiple times in the list of dims`)
  return dims
}
