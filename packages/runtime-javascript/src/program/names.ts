/** Names that prepared code and the runner share. */

/** The name of the candidate’s code in stack traces. */
export const candidateFile = 'candidate.js'
/** Called after each declaration of RESULT with a function that reads it. */
export const reportName = '__stateeval_result'
/** Replaces `import(…)` and static imports. */
export const importName = '__stateeval_import'
/** Replaces `import.meta`. */
export const metaName = '__stateeval_meta'
/** Receives the value of `export default`. */
export const defaultName = '__stateeval_default'
