/** The thread that searches texts. */
export { rowsWith } from './search.ts'
