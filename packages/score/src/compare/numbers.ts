/**
 * An integer equals only itself; other numbers are equal within the relative tolerance. A value that JSON
 * cannot represent equals nothing.
 */
export function isSameNumber(a: number, b: number, relativeTolerance: number): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false
  if (a === b) return true
  if (Number.isInteger(a) || Number.isInteger(b)) return false
  return Math.abs(a - b) <= relativeTolerance * Math.max(Math.abs(a), Math.abs(b))
}
