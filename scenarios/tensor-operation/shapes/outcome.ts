/** The result of an equation: shapes, or the error that PyTorch raises. */
export type EquationShapes = { ok: true; shapes: number[][] } | ShapeRefusal
export const createShapes = (...all: number[][]): EquationShapes => ({ ok: true, shapes: all })

/** Spelled where somebody reads it: generation refuses by the thousand, and asks for no reason. */
export class ShapeRefusal {
  readonly ok = false
  private readonly spell: () => string

  constructor(spell: () => string) {
    this.spell = spell
  }
  get says(): string {
    return this.spell()
  }
}
export const refuseShape = (spell: () => string): ShapeRefusal => new ShapeRefusal(spell)

export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
export const spellShape = (shape: readonly number[]) => `[${shape.join(', ')}]`

/** The place of a dimension that may be counted from the end; a text where it is out of range. */
export function findDim(dim: unknown, rank: number): number | string {
  if (!isInteger(dim)) return `a dimension must be an integer, not ${JSON.stringify(dim)}`
  const [min, max] = [-Math.max(rank, 1), Math.max(rank, 1) - 1]
  if (dim < min || dim > max)
    return `Dimension out of range (expected to be in range of [${min}, ${max}], but got ${dim})`
  return dim < 0 ? dim + Math.max(rank, 1) : dim
}
