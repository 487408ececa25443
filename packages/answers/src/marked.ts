/** Code between marks that stand in place of a fence: [PYTHON]…[/PYTHON], <code>…</code> and the like. */
import { buildAlternation, type AnswerMarkPlace, listMarks } from './marks.ts'
import type { LineReader } from './fences.ts'
import { codeMarks } from './tables/code-marks.ts'

const pattern = new RegExp(
  buildAlternation(codeMarks.flatMap(({ open, close }) => (close === undefined ? [open] : [open, close]))),
  'g',
)

interface MarkedBlock {
  tag: string
  code: string
  closed: boolean
}

/** The outermost pairs of marks, in order. A mark without its other half ends with the text. */
export function readMarkedBlocks(text: string): MarkedBlock[] {
  const blocks: MarkedBlock[] = []
  const marks = listMarks(text, pattern)
  for (let n = 0; n < marks.length; n++) {
    const mark = marks[n] as AnswerMarkPlace
    const rows = codeMarks.filter(({ open }) => open === mark.text)
    const [row] = rows
    if (!row) continue
    const closes = rows.map(({ close }) => close)
    let at: number | null = n + 1
    while (at < marks.length && !closes.includes((marks[at] as AnswerMarkPlace).text)) at++
    if (at === marks.length) at = null
    const end = at === null ? text.length : (marks[at] as AnswerMarkPlace).start
    blocks.push({
      tag: row.tag,
      code: removeBlankEnds(text.slice(mark.end, end)),
      closed: at !== null || row.close === undefined,
    })
    if (at === null) break
    n = at
  }
  return blocks
}

/** Without the blank lines around it; the first line of code keeps its indent. */
function removeBlankEnds(code: string): string {
  const body = code.trimEnd()
  const first = body.length - body.trimStart().length
  const line = body.lastIndexOf('\n', first - 1) + 1
  // Behind a mark in the same line a blank is no indent.
  return line === 0 ? body.slice(first) : body.slice(line)
}

const alone = new Set(codeMarks.flatMap(({ open, close }) => (close === undefined ? [open] : [open, close])))

/** The text without the lines that are nothing but such a mark; those within a string or comment stay. */
export function removeMarkLines(text: string, reader: LineReader): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (!reader.inside && alone.has(line.trim())) continue
    lines.push(line)
    reader.read(line)
  }
  return lines.join('\n')
}
