/** The thread that texts are searched in. */
export { rowsWith } from './search.ts'
