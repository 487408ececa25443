/**
 * The result of a comparison: whether RESULT and state are the truth's, what differs, and whether comparing
 * itself raised.
 */
export type Compared =
  | { same: true }
  | { same: false; says: string }
  /**
   * The released comparison raises here: `evaluator` where nothing catches it, which is then counted as a
   * syntax error.
   */
  | { same: false; says: string; raises: 'comparison' | 'evaluator' }

export const same: Compared = { same: true }
export const differs = (says: string): Compared => ({ same: false, says })
export const raises = (by: 'comparison' | 'evaluator', says: string): Compared => ({
  same: false,
  says,
  raises: by,
})
/** The sentence about two values, where they are not the same. */
export const compared = (isSame: boolean, says: () => string): Compared => (isSame ? same : differs(says()))
