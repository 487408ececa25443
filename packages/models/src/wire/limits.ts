/** Limits of what is kept of an answer, in characters. */

/**
 * The maximum length of a stored answer: twice the maximum of code. Models sometimes repeat themselves
 * endlessly; such an answer would exceed a document, could not be stored, and would be requested again.
 */
export const longestAnswer = 2_000_000
/** The maximum length of the word for why a model stopped. */
export const longestFinish = 64
/** Far longer than usual: some endpoints put an encrypted thought into the id of a call. */
export const longestId = 65_536
export const longestName = 1000
/** Limit of members that are not read, as JSON. Longer ones are left out: half a signature is none. */
export const longestVendor = 400_000
