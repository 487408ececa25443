/** The program in an answer, by the paper's own rule: the last fenced block, or the whole text where there is none. */

const fence = '```'

/** Null where there is nothing. A block that was not closed, as of an answer that was cut short, ends with the text. */
export function codeIn(answer: string): string | null {
  const pieces = answer.split(fence)
  // Pieces at odd places are within fences.
  const last = pieces.length > 1 ? pieces.length - 1 - (pieces.length % 2) : 0
  const block = pieces[last] ?? ''
  const code = last === 0 ? block : block.replace(/^[A-Za-z]*[ \t]*\r?\n?/, '')
  return code.trim() === '' ? null : code
}
