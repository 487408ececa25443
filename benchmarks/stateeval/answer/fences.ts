/** The fenced blocks of an answer, read line by line. */

export interface FencedBlock {
  /** The first word after the opening fence, in lower case. */
  tag: string
  code: string
  /** Whether its closing fence is there: an answer that was cut off lacks it. */
  closed: boolean
}

interface Open {
  fence: string
  /** What stands before the fence in its line: blanks of a list, `>` of a quotation. */
  margin: string
  tag: string
  lines: string[]
}

export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let open: Open | null = null
  const close = (closed: boolean) => {
    if (open) blocks.push({ tag: open.tag, code: open.lines.join('\n'), closed })
    open = null
  }
  for (const line of text.split('\n')) {
    const fence = /^((?:[ \t]*>)*[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(line)
    if (!open) {
      const oneLine = /^[ \t]*```[ \t]*([\w+#.-]*)[ \t]+(\S.*?)[ \t]*```[ \t]*$/.exec(line)
      if (oneLine) blocks.push({ tag: (oneLine[1] as string).toLowerCase(), code: oneLine[2] as string, closed: true })
      else if (fence) open = { margin: fence[1] as string, fence: fence[2] as string, tag: tagOf(fence[3] as string), lines: [] }
      continue
    }
    const { fence: opening, margin, lines }: Open = open
    if (fence && fence[2]?.startsWith(opening) && fence[3]?.trim() === '') close(true)
    else lines.push(unquoted(line, margin))
  }
  close(false)
  return blocks
}

/** In a list a block is indented with its fence, in a quotation each line is marked. */
function unquoted(line: string, margin: string): string {
  const marks = (margin.match(/>/g) ?? []).length
  let rest = line
  for (let n = 0; n < marks; n++) rest = rest.replace(/^[ \t]*> ?/, '')
  if (marks > 0) return rest
  const width = margin.length
  return rest.slice(0, width).trim() === '' ? rest.slice(width) : rest
}

const tagOf = (info: string) => (/^[{.\s]*(?:language-|lang=)?([\w+#.-]*)/.exec(info)?.[1] ?? '').toLowerCase()
