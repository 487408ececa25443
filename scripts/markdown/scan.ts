/**
 * Reads a Markdown file as far as checks of links, prose and snippets need it: fenced blocks, headings with
 * their anchors, links, and the text of paragraphs, list items and table cells.
 */

export interface Fence {
  /** The first word of the info string; empty where there is none. */
  language: string
  text: string
  line: number
  /** The note `<!-- not run: reason -->` above the block. */
  notRun: string | null
  /** The note `<!-- run with: name -->`: Python tools of `scripts/<name>` that it needs. */
  runWith: string | null
  /** The note `<!-- serves: text -->`: it runs until it is stopped, and prints the text when it is ready. */
  serves: string | null
}
export interface Heading {
  level: number
  text: string
  anchor: string
  line: number
}
export interface Link {
  target: string
  line: number
}
export interface Prose {
  kind: 'paragraph' | 'item' | 'cell' | 'heading' | 'quote'
  text: string
  line: number
}
export interface Page {
  lines: readonly string[]
  fences: Fence[]
  headings: Heading[]
  links: Link[]
  prose: Prose[]
}

type Notes = Pick<Fence, 'notRun' | 'runWith' | 'serves'>
const noNotes: Readonly<Notes> = { notRun: null, runWith: null, serves: null }
const noteNames: Readonly<Record<string, keyof Notes>> = {
  'not run': 'notRun',
  'run with': 'runWith',
  serves: 'serves',
}

const fenceStart = /^ {0,3}(```|~~~)([^`~]*)$/
const itemStart = /^(\s*)(?:[-*+]|\d+[.)])\s+/

export function scan(markdown: string): Page {
  const lines = markdown.split('\n')
  const page: Page = { lines, fences: [], headings: [], links: [], prose: [] }
  const anchors = new Map<string, number>()
  let open: Prose | null = null
  let notes = { ...noNotes }
  let comment = false
  const close = () => {
    if (open) page.prose.push(open)
    open = null
  }
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index]!
    const line = index + 1
    if (comment || text.startsWith('<!--')) {
      comment = !text.includes('-->')
      close()
      const [, name, value] = /^<!-- (not run|run with|serves): (.+) -->$/.exec(text) ?? []
      if (name !== undefined) notes[noteNames[name]!] = value!
      continue
    }
    const fence = fenceStart.exec(text)
    if (fence) {
      close()
      const end = lines.findIndex((other, at) => at > index && other.trim() === fence[1])
      const last = end < 0 ? lines.length : end
      const language = fence[2]!.split(/[\s{]/)[0]!
      page.fences.push({ language, text: lines.slice(index + 1, last).join('\n'), line, ...notes })
      notes = { ...noNotes }
      index = last
      continue
    }
    page.links.push(...linksIn(text).map((target) => ({ target, line })))
    const heading = /^(#{1,6}) (.+)$/.exec(text)
    if (heading) {
      close()
      const title = heading[2]!.trim()
      const slug = anchorOf(title)
      const seen = anchors.get(slug) ?? 0
      anchors.set(slug, seen + 1)
      page.headings.push({
        level: heading[1]!.length,
        text: title,
        anchor: seen ? `${slug}-${seen}` : slug,
        line,
      })
      page.prose.push({ kind: 'heading', text: title, line })
    } else if (text.startsWith('|')) {
      close()
      if (!/^[|\s:-]+$/.test(text))
        page.prose.push(...cellsOf(text).map((cell): Prose => ({ kind: 'cell', text: cell.trim(), line })))
    } else if (text.trim() === '') close()
    else if (itemStart.test(text)) {
      close()
      open = { kind: 'item', text: text.replace(itemStart, ''), line }
    } else if (open) open.text += ` ${text.trim()}`
    else open = { kind: text.startsWith('>') ? 'quote' : 'paragraph', text: text.trim(), line }
  }
  close()
  return page
}

/** The cells of a row; a bar in code or behind a backslash separates none. */
const cellsOf = (row: string): string[] =>
  replaceCode(row.replaceAll('\\|', '\u0000'), (code) => code.replaceAll('|', '\u0000'))
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split('|')
    .map((cell) => cell.replaceAll('\u0000', '|'))

const linksIn = (line: string): string[] =>
  [...withoutCode(line).matchAll(/\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)/g)].map(([, target]) => target!)

/** The text with each span of code replaced; what opens without an end is text. */
export function replaceCode(text: string, replacement: (code: string) => string): string {
  let out = ''
  for (let at = 0; at < text.length;) {
    const start = text.indexOf('`', at)
    if (start < 0) return out + text.slice(at)
    let marks = 1
    while (text[start + marks] === '`') marks++
    let end = text.indexOf('`'.repeat(marks), start + marks)
    while (end >= 0 && text[end + marks] === '`') end = text.indexOf('`'.repeat(marks), end + marks + 1)
    const after = end < 0 ? start + marks : end + marks
    const found = text.slice(start, after)
    out += text.slice(at, start) + (end < 0 ? found : replacement(found))
    at = after
  }
  return out
}

/** The line with code replaced by as many spaces. */
export const withoutCode = (line: string): string => replaceCode(line, (code) => ' '.repeat(code.length))

/** The anchor that GitHub and our site give a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
