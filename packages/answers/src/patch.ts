/** A unified diff as an answer: models that correct themselves sometimes give only what changed. */

interface DiffHunk {
  before: string[]
  after: string[]
}

function parseHunks(diff: string): DiffHunk[] {
  const hunks: DiffHunk[] = []
  let now: DiffHunk = { before: [], after: [] }
  const end = () => {
    if (now.before.length + now.after.length > 0) hunks.push(now)
    now = { before: [], after: [] }
  }
  for (const line of diff.split('\n')) {
    if (/^(?:---|\+\+\+|diff |index |@@)/.test(line)) end()
    else if (line.startsWith('-')) now.before.push(line.slice(1))
    else if (line.startsWith('+')) now.after.push(line.slice(1))
    else {
      const context = line.startsWith(' ') ? line.slice(1) : line
      now.before.push(context)
      now.after.push(context)
    }
  }
  end()
  return hunks
}

export const isDiff = (tag: string, code: string) =>
  (tag === 'diff' || tag === 'patch' || (tag === '' && /^@@ |^--- /m.test(code))) && /^[+-]/m.test(code)

/**
 * Limit of compared lines: each part of a diff is searched for in the whole code, and no correction takes so
 * many.
 */
const maxLooks = 2_000_000

/**
 * The code after the changes; null where a part of it is not found in the code. Blanks at the ends of lines
 * don't matter.
 */
export function applyPatch(code: string, diff: string): string | null {
  let lines = code.split('\n')
  let looks = 0
  for (const { before, after } of parseHunks(diff)) {
    const old = trimBlank(before)
    looks += lines.length + old.length
    if (looks > maxLooks) return null
    const at = findLines(old, lines)
    if (at < 0) return null
    lines = lines.slice(0, at).concat(trimBlank(after), lines.slice(at + old.length))
  }
  return lines.join('\n')
}

/**
 * Finds where lines first stand in others, by Knuth, Morris and Pratt: each line is looked at twice at most.
 */
function findLines(target: readonly string[], lines: readonly string[]): number {
  if (target.length === 0) return -1
  const pattern = target.map((line) => line.trimEnd())
  const back = new Int32Array(pattern.length)
  for (let at = 1, same = 0; at < pattern.length; at++) {
    while (same > 0 && pattern[at] !== pattern[same]) same = back[same - 1] as number
    if (pattern[at] === pattern[same]) same++
    back[at] = same
  }
  for (let at = 0, same = 0; at < lines.length; at++) {
    const line = (lines[at] as string).trimEnd()
    while (same > 0 && line !== pattern[same]) same = back[same - 1] as number
    if (line === pattern[same]) same++
    if (same === pattern.length) return at - same + 1
  }
  return -1
}

/** Without the blank lines around it. */
function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1)
}

/** The new side of a diff that stands alone: what it would make out of nothing. */
export const readNewSide = (diff: string) =>
  parseHunks(diff)
    .flatMap(({ after }) => after)
    .join('\n')
