/** Replaces axios in isolates of programs that do not mention it. */
export default undefined
