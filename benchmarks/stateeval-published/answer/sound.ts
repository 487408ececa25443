/**
 * The code of an answer, read soundly: thoughts are left out, blocks in other languages too, a block that the
 * answer ends in counts, and nothing of the code is deleted.
 */
import { fencedBlocks } from '@stateeval/program'

const python = new Set(['', 'python', 'py', 'python3'])
const thoughtEnd = '</think>'

export function extractSoundly(answer: string): string | null {
  const end = answer.lastIndexOf(thoughtEnd)
  const text = end < 0 ? answer : answer.slice(end + thoughtEnd.length)
  const { blocks } = fencedBlocks(text)
  const last = blocks.findLast(({ tag, code }) => python.has(tag) && code.trim() !== '')
  const code = last?.code ?? (blocks.length === 0 ? text : '')
  return code.trim() === '' ? null : code
}
