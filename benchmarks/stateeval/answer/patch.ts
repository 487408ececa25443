/** A unified diff as an answer: models that correct themselves sometimes give only what changed. */

interface Hunk {
  before: string[]
  after: string[]
}

function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  let now: Hunk = { before: [], after: [] }
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

/** The code after the changes; null where a part of it is not found in the code. Blanks at the ends of lines don't matter. */
export function patched(code: string, diff: string): string | null {
  let lines = code.split('\n')
  for (const { before, after } of hunksOf(diff)) {
    const old = trimBlank(before)
    const at = lines.findIndex((_, n) => old.length > 0 && old.every((line, k) => lines[n + k]?.trimEnd() === line.trimEnd()))
    if (at < 0) return null
    lines = lines.toSpliced(at, old.length, ...trimBlank(after))
  }
  return lines.join('\n')
}

/** Without the blank lines around it. */
function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1)
}

/** The new side of a diff that stands alone: what it would make out of nothing. */
export const newSide = (diff: string) =>
  hunksOf(diff)
    .flatMap(({ after }) => after)
    .join('\n')
