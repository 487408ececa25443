/** The spread of a metric over the cases of a set. */
export const roundStatistic = (value: number) => Math.round(value * 1e6) / 1e6

export const computeSpread = (values: readonly number[]) => ({
  mean: roundStatistic(values.reduce((sum, value) => sum + value, 0) / values.length),
  min: Math.min(...values),
  max: Math.max(...values),
})
