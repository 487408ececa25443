/** Stands for axios in isolates of programs that don't mention it. */
export default undefined
