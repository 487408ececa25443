/**
 * The code of an answer as the released evaluator takes it: the last fenced block without its language word;
 * without a fence the whole text, its backticks removed. Then every text `exit()` is deleted, which makes
 * `sys.exit()` a syntax error.
 */
import { readFencedBlocks } from '@stateeval/answers'

export function extractPublished(answer: string): string | null {
  const last = readFencedBlocks(answer).blocks.findLast(({ closed }) => closed)
  const code = (last ? last.code : answer.replaceAll('`', '')).replaceAll('exit()', '')
  return code.trim() === '' ? null : code
}
