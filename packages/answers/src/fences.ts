/** The fenced blocks of a model's answer, read line by line in linear time. */
import { specialToken } from './marks.ts'

export interface FencedBlock {
  /** The first word behind the opening fence, in lower case. */
  tag: string
  /** All that stands behind the opening fence in its line; `rest` is that without the tag. */
  info: string
  rest: string
  code: string
  /** True if it has its closing fence: an answer that was cut off lacks it. */
  closed: boolean
  /** Both fences stand in one line: the code is what stands between them. */
  inline: boolean
}
export interface FencedAnswer {
  blocks: FencedBlock[]
  /** The lines around the blocks. */
  outside: string
}

/** Reads a program line by line, and tracks whether a line begins inside a string or comment. */
export interface LineReader {
  read(line: string): void
  /** True if the next line begins inside a string or comment. */
  readonly inside: boolean
}

interface CodeFence {
  /** Text before the fence in its line: blanks, `>` of a quotation, the mark of a list. */
  margin: string
  marked: boolean
  run: string
  info: string
}

/** Follows the lines of a text, and knows whether a fence is open. */
export class FenceTracker {
  #fence: CodeFence | null = null
  get isOpen() {
    return this.#fence !== null
  }
  /** The signs of the fence that is open; '' where none is. */
  get run(): string {
    return this.#fence?.run ?? ''
  }
  /** Tells whether a line ends the open block. */
  closes(line: string): boolean {
    const fence = this.#fence && findFence(line)
    return fence !== null && isClosing(fence, this.#fence as CodeFence)
  }
  /** The tag of the block that the line opens; null where it opens none. */
  read(line: string): string | null {
    if (this.#fence) {
      if (this.closes(line)) this.#fence = null
      return null
    }
    this.#fence = getTextBetweenFences(line) === null ? findOpening(line) : null
    return this.#fence && parseFenceInfo(this.#fence.info).tag
  }
  reset() {
    this.#fence = null
  }
}

const findOpening = (line: string) => findFence(line) ?? findFenceBehindText(line)

/** The lines of a text that are fences, for questions about what follows a place in a block. */
export class FenceLines {
  readonly #all: { start: number; run: string; isTagged: boolean }[] = []
  readonly #byRun = new Map<string, { start: number; isTagged: boolean }[]>()

  constructor(text: string) {
    let start = 0
    for (const line of text.split('\n')) {
      const fence = findFence(line)
      if (fence) this.#all.push({ start, run: fence.run, isTagged: !isBare(fence.info) })
      start += line.length + 1
    }
  }
  /**
   * Tells whether the fences behind a place close a block that is open there: the next one closes, and the
   * others pair up. Only fences as long as the opening one count.
   */
  close(run: string, at: number): boolean {
    const fences = this.#fencesLike(run)
    let [low, high] = [0, fences.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((fences[middle] as { start: number }).start > at) high = middle
      else low = middle + 1
    }
    return fences[low]?.isTagged === false && (fences.length - low) % 2 === 1
  }
  #fencesLike(run: string) {
    const known = this.#byRun.get(run)
    if (known) return known
    const fences = this.#all.filter((one) => one.run.startsWith(run))
    this.#byRun.set(run, fences)
    return fences
  }
}

interface OpenBlock {
  fence: CodeFence
  lines: string[]
  reader: LineReader | null
}

/**
 * The blocks between fences of backticks or tildes. A fence may also be opened at the end of a line of
 * text.
 * @param readerFor if it returns a reader for a tag, a fence inside a string or comment of that block does
 * not close it.
 */
export function readFencedBlocks(
  text: string,
  readerFor: (tag: string) => LineReader | null = () => null,
): FencedAnswer {
  const blocks: FencedBlock[] = []
  const outside: string[] = []
  let open: OpenBlock | null = null
  for (const line of text.split('\n')) {
    if (open) {
      const { lines, reader, fence: opening }: OpenBlock = open
      const fence = findFence(line)
      if (fence && isClosing(fence, opening) && !reader?.inside) {
        blocks.push(buildBlock(opening, lines, true))
        open = null
      } else {
        const code = removeMargin(line, opening.margin)
        lines.push(code)
        reader?.read(code)
      }
      continue
    }
    const between = getTextBetweenFences(line)
    const opening = between === null ? findOpening(line) : null
    if (between !== null) blocks.push({ ...parseFenceInfo(between), code: '', closed: true, inline: true })
    else if (opening)
      open = { fence: opening, lines: [], reader: readerFor(parseFenceInfo(opening.info).tag) }
    else outside.push(line)
  }
  if (open) blocks.push(endBlock(open, outside))
  return { blocks, outside: outside.join('\n') }
}

const buildBlock = ({ info }: CodeFence, lines: readonly string[], closed: boolean): FencedBlock => ({
  ...parseFenceInfo(info),
  code: lines.join('\n'),
  closed,
  inline: false,
})

/** A block that no line closes: some models put the closing fence at the end of the last line of code. */
function endBlock({ fence, lines }: OpenBlock, outside: string[]): FencedBlock {
  const at = lines.findIndex((line) => line.trimEnd().endsWith(fence.run))
  if (at < 0) return buildBlock(fence, lines, false)
  const last = (lines[at] as string).trimEnd().slice(0, -fence.run.length)
  outside.push(lines.slice(at + 1).join('\n'))
  return buildBlock(fence, lines.slice(0, at).concat(last), true)
}

/** Tells whether nothing is behind a fence, or special tokens of a family that the table lacks. */
const isBare = (info: string) => bare.test(info.trim())
const bare = new RegExp(`^(?:${specialToken})*$`)

/**
 * Tells whether a fence may end a block: as long as the opening one, with nothing behind it, and no item of a
 * list.
 */
const isClosing = ({ run, info, marked }: CodeFence, opening: CodeFence) =>
  run.startsWith(opening.run) && !marked && isBare(info)

const quotes = /[ \t>]*/y
const listMark = /(?:[-*+]|\d{1,9}[.)])[ \t]+/y
const run = /`{3,}|~{3,}/y

/** The fence that a line begins with, behind quotation marks and the mark of a list. */
function findFence(line: string): CodeFence | null {
  if (!line.includes('```') && !line.includes('~~~')) return null
  const margin = findMatch(quotes, line, 0)
  const mark = findMatch(listMark, line, margin.length)
  const start = margin.length + mark.length
  const fence = findMatch(run, line, start)
  const info = line.slice(start + fence.length)
  return fence === '' || info.includes('`')
    ? null
    : { margin: margin + mark, marked: mark !== '', run: fence, info }
}
function findMatch(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/**
 * ``Answer: ```javascript``: a line of text, and a fence with at most one word behind it. Text has no signs
 * of code.
 */
function findFenceBehindText(line: string): CodeFence | null {
  const end = line.lastIndexOf('```') + 3
  if (end < 3) return null
  let start = end - 3
  while (line[start - 1] === '`') start--
  const before = line.slice(0, start)
  const info = line.slice(end)
  if (before.includes('```') || /[=;{}\\]/.test(before) || !/^[\w+#.-]*$/.test(info.trim())) return null
  return { margin: '', marked: false, run: line.slice(start, end), info }
}

/**
 * Gets the text between two fences of one line, with a blank in it; null where the line is something else.
 */
function getTextBetweenFences(line: string): string | null {
  if (!line.includes('```')) return null
  const trimmedLine = line.trim()
  if (trimmedLine.length < 7 || !trimmedLine.startsWith('```') || !trimmedLine.endsWith('```')) return null
  const between = trimmedLine.slice(3, -3).trim()
  return /[ \t]/.test(between) && !between.startsWith('`') && !between.endsWith('`') ? between : null
}

/** In a list a block is indented with its fence, in a quotation each line is marked. */
function removeMargin(line: string, margin: string): string {
  const marks = margin.split('>').length - 1
  if (marks === 0) {
    const width = margin.length
    return line.slice(0, width).trim() === '' ? line.slice(width) : line
  }
  let at = 0
  for (let n = 0; n < marks; n++) {
    const next = at + findMatch(blanks, line, at).length
    if (line[next] !== '>') break
    at = next + (line[next + 1] === ' ' ? 2 : 1)
  }
  return line.slice(at)
}
const blanks = /[ \t]*/y

const file = /^(?:[\w.@-]{1,80}[\\/]){0,20}[\w.@-]{1,80}\.\w{1,8}(?=$|[\s:,;}])/
const word = /^(?:language-|lang=)?([\w+#.-]*)/

/**
 * `js`, `{.js .numbers}`, `language-js`, `js title="…"`, `src/app.js`: the name of the language or of the
 * file, and what stands behind it.
 */
function parseFenceInfo(text: string): Pick<FencedBlock, 'tag' | 'info' | 'rest'> {
  const info = text.trim()
  const from = /^[{.\s]*/.exec(info)?.[0].length ?? 0
  const bare = info.slice(from)
  const named = file.exec(bare)?.[0]
  const match = word.exec(bare)
  const tag = named ?? match?.[1] ?? ''
  const length = named?.length ?? match?.[0].length ?? 0
  return { tag: tag.toLowerCase(), info, rest: bare.slice(length).trim() }
}
