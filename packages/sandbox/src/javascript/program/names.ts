/** Names that prepared code and the runner share. */

/** How the candidate’s code is called in stack traces. */
export const candidateFile = 'candidate.js'
/** Called after each declaration of RESULT with a function that reads it. */
export const reportName = '__stateeval_result'
/** Stands for `import(…)` and for static imports. */
export const importName = '__stateeval_import'
/** Stands for `import.meta`. */
export const metaName = '__stateeval_meta'
/** Takes what `export default` gives. */
export const defaultName = '__stateeval_default'
