/**
 * Returns the ends of a pass rate: its samples without a score counted as failed, and as passed. Undefined if
 * every sample has a score.
 */
export const computeBracket = (
  passed: number,
  scored: number,
  unscored: number,
): [low: number, high: number] | undefined =>
  unscored === 0 ? undefined : [passed / (scored + unscored), (passed + unscored) / (scored + unscored)]
