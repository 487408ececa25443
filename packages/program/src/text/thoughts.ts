/** What a model thinks aloud stands before its answer, and is no part of it. */

const names = 'think|thinking|thought|reasoning|scratchpad|analysis'
const opening = new RegExp(`<\\|?(?:${names})\\|?>`, 'i')
const closing = new RegExp(`<\\|?/(?:${names})\\|?>`, 'i')

/**
 * The text without thoughts: cut to where they end, also where their beginning stood in the prompt. null
 * where they never end, so that there is no answer. A tag inside a fenced block is code.
 */
export function withoutThoughts(text: string): string | null {
  let rest = text
  // Some models think more than once; more than that is text.
  for (let times = 0; times < 20; times++) {
    const end = closing.exec(rest)
    if (!end) break
    const before = rest.slice(0, end.index)
    const start = opening.exec(before)
    const thought = start !== null && !insideFence(before.slice(0, start.index))
    if (!thought && insideFence(before)) return rest
    // What stands before a thought is kept; without an opening tag all of it is the thought.
    const prefix = thought ? before.slice(0, start.index) : ''
    rest = `${prefix}${rest.slice(end.index + end[0].length)}`
  }
  const start = opening.exec(rest)
  if (!start || insideFence(rest.slice(0, start.index))) return rest
  // A thought that never ends swallows what follows it; what stands before it is the answer.
  const before = rest.slice(0, start.index)
  return before.trim() === '' ? null : before
}

const insideFence = (before: string) => (before.match(/^[ \t>]*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
