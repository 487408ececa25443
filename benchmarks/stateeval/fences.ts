/** The fenced blocks of an answer, read line by line. */

export interface FencedBlock {
  /** The first word after the opening fence, in lower case. */
  tag: string
  code: string
  /** Whether its closing fence is there: an answer that was cut off lacks it. */
  closed: boolean
}

export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let open: { fence: string; indent: number; tag: string; lines: string[] } | null = null
  const close = (closed: boolean) => {
    if (open) blocks.push({ tag: open.tag, code: open.lines.join('\n'), closed })
    open = null
  }
  for (const line of text.split('\n')) {
    const fence = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(line)
    if (!open) {
      if (fence) open = { fence: fence[2] as string, indent: (fence[1] as string).length, tag: tagOf(fence[3] as string), lines: [] }
      continue
    }
    const { fence: opening, indent, lines }: { fence: string; indent: number; lines: string[] } = open
    if (fence && fence[2]?.startsWith(opening) && fence[3]?.trim() === '') close(true)
    // In a list a block is indented with its fence.
    else lines.push(line.slice(0, indent).trim() === '' ? line.slice(indent) : line)
  }
  close(false)
  return blocks
}

const tagOf = (info: string) => (/^[{.\s]*([\w+#-]*)/.exec(info)?.[1] ?? '').toLowerCase()
