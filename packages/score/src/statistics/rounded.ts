/** Rounds to six decimals, so that a report's bytes are the same on every machine. */
export const roundNumber = (value: number) => Math.round(value * 1e6) / 1e6

/** A p-value with six decimals, or with two significant digits if it is tiny, so that it is never 0. */
export const roundP = (p: number) => (p >= 1e-4 ? roundNumber(p) : Number(p.toPrecision(2)))

export const computeMean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
