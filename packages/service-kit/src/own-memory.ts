/** The memory that this process may use: its control group's, or the machine's. */
import { totalmem } from 'node:os'

function measureOwnMemory(): number {
  const limit = process.constrainedMemory()
  const all = totalmem()
  return limit > 0 && limit < all ? limit : all
}

/** A quarter of it, at most so many MiB. */
export const computeQuarterMiB = (maxMiB: number): number =>
  Math.min(maxMiB, Math.floor(measureOwnMemory() / 4 / 2 ** 20))
