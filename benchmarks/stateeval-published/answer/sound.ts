/**
 * The code of an answer, read soundly: thoughts are left out, blocks in other languages too, a block that the
 * answer ends in counts, and nothing of the code is deleted.
 */
import { fencedBlocks, withoutThoughts } from '@stateeval/program'

const python = new Set(['', 'python', 'py', 'python3'])

/** null where there is no code, or where the answer ends within its thoughts. */
export function extractSoundly(answer: string): string | null {
  const text = withoutThoughts(answer)
  if (text === null) return null
  const { blocks } = fencedBlocks(text)
  const last = blocks.findLast(({ tag, code }) => python.has(tag) && code.trim() !== '')
  const code = last?.code ?? (blocks.length === 0 ? text : '')
  return code.trim() === '' ? null : code
}
