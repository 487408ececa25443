/**
 * The program in an answer, after its thoughts: the last fenced block that is closed, else the last that was
 * cut off; the whole text where there is no fence. The paper's released code takes the last fenced block.
 */
import { withoutThoughts } from '@stateeval/program'

const fence = '```'

interface Block {
  lines: string[]
  closed: boolean
}
const isBlank = ({ lines }: Block) => lines.every((line) => line.trim() === '')

/** Null where there is no code, or where the answer ends within its thoughts. */
export function codeIn(answer: string): string | null {
  const text = withoutThoughts(answer)
  if (text === null) return null
  const blocks = blocksIn(text)
  if (blocks === null) return text.trim() === '' ? null : text
  const filled = blocks.filter((block) => !isBlank(block))
  const block = filled.findLast(({ closed }) => closed) ?? filled.at(-1)
  return block ? `${block.lines.join('\n')}\n` : null
}

/**
 * A fence that names a language begins a block; a bare one ends what has begun, unless that is still empty.
 * Null without fences.
 */
function blocksIn(answer: string): Block[] | null {
  const blocks: Block[] = []
  let open: Block | null = null
  let fences = 0
  const begin = (first: string) => {
    open = { lines: first === '' ? [] : [first], closed: false }
    blocks.push(open)
  }
  for (const line of answer.split(/\r?\n/)) {
    const current = open as Block | null
    const text = line.trimStart()
    if (text.startsWith(fence)) {
      const language = /^[A-Za-z]*/.exec(text.slice(fence.length))?.[0] ?? ''
      const rest = text.slice(fence.length + language.length).trim()
      fences++
      if (current === null || language !== '' || rest !== '' || isBlank(current)) begin(rest)
      else {
        current.closed = true
        open = null
      }
    } else if (current !== null) {
      const ends = line.trimEnd().endsWith(fence)
      current.lines.push(ends ? line.trimEnd().slice(0, -fence.length) : line)
      if (ends) {
        current.closed = true
        open = null
      }
    }
  }
  return fences === 0 ? null : blocks
}
