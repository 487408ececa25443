/** Removes what servers leave in a text besides the model's words (docs/answers.md, Leftovers). */
import { FenceLines, FenceTracker, type LineReader } from './fences.ts'
import { makeLazily } from './lazily.ts'
import { compareLanguageTag } from './language.ts'
import { buildAlternation, escapePattern, type AnswerMarkPlace, listMarks } from './marks.ts'
import { createLineReader } from './strings.ts'
import { tokenFamilies } from './tables/tokens.ts'

const tokens = tokenFamilies.flatMap(({ ends, begins = [] }) => [...ends, ...begins])
const longestFirst = [...new Set(tokens)].sort((a, b) => b.length - a.length)
const anyToken = buildAlternation(tokens)
const role = '(?:assistant|Assistant|ASSISTANT|model|final|user|system|ai|AI|bot)'
/** A token, or a role glued to a fence, where the tokens around the role were dropped. */
const pattern = new RegExp(
  `${anyToken}|(?<=^[ \\t>]{0,40}(?:${escapePattern('```')}|~~~))(?:assistant|user)(?=[ \\t]*$)`,
  'gm',
)
/** A token at the beginning; a pair of <s> and </s> in one line is struck-through HTML. */
const leading = new RegExp(`\\s*(?!<s>[^\\n]{0,300}</s>)(?:${anyToken})(?:[ \\t]*${role}(?![\\w]))?`, 'y')
const label =
  /\s*(?:(?:assistant|model)[ \t]*\n|(?:#{1,3} )?(?:GPT4 Correct )?(?:Assistant|ASSISTANT|Response):(?=[ \t]*\n|[ \t]*```))/y
const rolePattern = new RegExp(`^(?:${role})?$`)
/** No role and no blanks around it are longer. */
const longestGap = 64

/**
 * The text of one turn: without the tokens before and behind it, and without the turns with which a model
 * continues where its server does not stop. Tokens within a block or quotes belong to the text.
 */
export const removeLeftovers = (text: string): string =>
  removeTail(selectFirstTurn(removeHead(removeTail(text))))

/** The same for a text that may continue with thoughts: other turns stay. */
export const removeHeadAndTail = (text: string): string => removeHead(removeTail(text))

function removeHead(text: string): string {
  let at = 0
  for (const head of [leading, label]) {
    for (;;) {
      head.lastIndex = at
      const match = head.exec(text)
      if (!match || match[0] === '') break
      at += match[0].length
      if (head === label) break
    }
  }
  return at === 0 ? text : text.slice(at)
}

/** The token that a text without blanks at its end ends with; undefined if it ends with none. */
export const findLastToken = (trimmed: string) => longestFirst.find((one) => trimmed.endsWith(one))

/** The token behind which a text without a head continues with another turn; undefined if there is none. */
export const findTurnToken = (text: string) => endOfTurn(text)?.text

function removeTail(text: string): string {
  let rest = text
  for (;;) {
    const trimmed = rest.trimEnd()
    const token = findLastToken(trimmed)
    if (token === undefined) return rest
    const before = trimmed.slice(0, -token.length)
    // Removing a token that is alone in its line removes the line.
    rest = before.endsWith('\n') ? before.slice(0, -1) : before
  }
}

/** The text up to the first token that ends a turn or begins another one. */
function selectFirstTurn(text: string): string {
  const end = endOfTurn(text)
  return end === null ? text : cutAtMark(text, end)
}

function endOfTurn(text: string): AnswerMarkPlace | null {
  const marks = listMarks(text, pattern)
  if (marks.length === 0) return null
  const endsLine = isAtLineEnd(text, marks)
  const fences = new FenceTracker()
  const lines = makeLazily(() => new FenceLines(text))
  let reader: LineReader | null = null
  let unread = 0
  for (const [n, mark] of marks.entries()) {
    while (unread < mark.line) {
      const end = text.indexOf('\n', unread)
      const line = text.slice(unread, end < 0 ? text.length : end)
      const tag = fences.read(line)
      if (tag !== null) reader = createReader(tag)
      else if (fences.isOpen) reader?.read(line)
      unread = end < 0 ? text.length : end + 1
    }
    const before = text.slice(mark.line, mark.start)
    const isInside = fences.isOpen && !fences.closes(before)
    const isGluedRole = !mark.text.startsWith('<') && !tokens.includes(mark.text)
    if (isGluedRole ? isInside || !fences.isOpen : !endsLine[n]) continue
    if (
      isInside &&
      (reader?.inside || !isFollowedByTurn(text, marks, n) || lines().close(fences.run, mark.start))
    )
      continue
    // <s>text</s> is struck through.
    if (mark.text === '</s>' && before.includes('<s>')) continue
    return mark
  }
  return null
}

function cutAtMark(text: string, { start, isFirst, line }: AnswerMarkPlace): string {
  return isFirst && text.slice(line, start).trim() === ''
    ? text.slice(0, Math.max(0, line - 1))
    : text.slice(0, start)
}

/**
 * Tells for each mark whether the line ends behind it, with nothing but a role and further tokens between.
 */
function isAtLineEnd(text: string, marks: readonly AnswerMarkPlace[]): boolean[] {
  const ends: boolean[] = []
  for (let n = marks.length - 1; n >= 0; n--) {
    const { end } = marks[n] as AnswerMarkPlace
    const next = marks[n + 1]
    const to = Math.min(next?.start ?? text.length, end + longestGap)
    const gap = text.slice(end, to)
    const newline = gap.indexOf('\n')
    if (newline >= 0) ends[n] = rolePattern.test(gap.slice(0, newline).trim())
    else {
      const isEnd = to === text.length || (to === next?.start && ends[n + 1] === true)
      ends[n] = isEnd && rolePattern.test(gap.trim())
    }
  }
  return ends
}

/** Tells whether nothing, or the token of another turn, follows a mark and its neighbours. */
function isFollowedByTurn(text: string, marks: readonly AnswerMarkPlace[], n: number): boolean {
  const { end } = marks[n] as AnswerMarkPlace
  const next = marks[n + 1]
  const between = text.slice(end, Math.min(next?.start ?? text.length, end + longestGap))
  return next && next.start - end <= longestGap
    ? /^[\s\w]*$/.test(between) && rolePattern.test(between.trim())
    : between.trim() === '' && text.slice(end).trim() === ''
}

/** Untagged code is read as JavaScript, whose strings of several lines hide most. */
const createReader = (tag: string) =>
  createLineReader(compareLanguageTag(tag, 'python') === 'this' ? 'python' : 'javascript')
