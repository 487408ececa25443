/** What an equation says: shapes, or the error that PyTorch gives. */
export type Shapes = { ok: true; shapes: number[][] } | { ok: false; says: string }
export const shapes = (...all: number[][]): Shapes => ({ ok: true, shapes: all })
export const refuse = (says: string): { ok: false; says: string } => ({ ok: false, says })

export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
export const spelled = (shape: readonly number[]) => `[${shape.join(', ')}]`

/** The place of a dimension that may be counted from the end; a text where it is out of range. */
export function place(dim: unknown, rank: number): number | string {
  if (!isInteger(dim)) return `a dimension must be an integer, not ${JSON.stringify(dim)}`
  const [min, max] = [-Math.max(rank, 1), Math.max(rank, 1) - 1]
  if (dim < min || dim > max)
    return `Dimension out of range (expected to be in range of [${min}, ${max}], but got ${dim})`
  return dim < 0 ? dim + Math.max(rank, 1) : dim
}
