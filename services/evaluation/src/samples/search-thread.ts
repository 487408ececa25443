/** The thread that searches texts. */
export { findRows } from './search.ts'
