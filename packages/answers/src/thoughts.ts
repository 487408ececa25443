/** Removes thoughts: a model's thinking is no part of its answer (docs/answers.md, Thoughts). */
import { FenceLines, FenceTracker } from './fences.ts'
import { makeLazily } from './lazily.ts'
import { buildAlternation, escapePattern, type AnswerMarkPlace, listMarks } from './marks.ts'
import { leadingThoughts, thoughtSpellings } from './tables/thoughts.ts'

const openings = thoughtSpellings.flatMap(({ open }) => open)
const closings = new Set(thoughtSpellings.flatMap(({ close }) => close.map((one) => one.toLowerCase())))
const withAttributes = (open: string) => open.split('…').map(escapePattern).join('[^>\\n]{0,300}')
/** A message of gpt-oss that is no answer: a thought, a remark before a call, or a call. */
const channel =
  '(?:<\\|channel\\|>|(?<![^]))(?:analysis|commentary)[^<\\n]{0,200}(?:<\\|constrain\\|>\\w{0,40})?<\\|message\\|>'
/** Marks that end a message of gpt-oss: the last two begin the next one. */
const channelEnds = ['<|end|>', '<|return|>', '<|call|>', '<|start|>', '<|channel|>']
const pattern = new RegExp(
  `${channel}|${buildAlternation([...openings.filter((one) => !one.includes('…')), ...closings, ...channelEnds])}|${openings
    .filter((one) => one.includes('…'))
    .map(withAttributes)
    .join('|')}`,
  'gi',
)

type ThoughtMarkKind = 'open' | 'close' | 'channel' | 'channel end'
function classifyThoughtMark({ text }: AnswerMarkPlace): ThoughtMarkKind {
  const lower = text.toLowerCase()
  if (closings.has(lower)) return 'close'
  if (lower.endsWith('<|message|>')) return 'channel'
  return channelEnds.includes(lower) ? 'channel end' : 'open'
}

const isRemark = ({ text }: AnswerMarkPlace) => /^(?:<\|channel\|>)?commentary(?![^<]*to=)/i.test(text)

export interface SpokenText {
  text: string
  /** True if the text ends within a thought, so that what stands before it may be no answer. */
  endsInThought: boolean
  /** The first mark of a thought that was cut, as a text; absent if there was none. */
  mark?: string
}

/** A text without its thoughts. A mark within a fenced block, inline code or quotes is none. */
export function removeThoughts(text: string): SpokenText {
  const said = removeLeadingThought(text)
  if (said.endsInThought) return said
  const spoken = removeMarkedThoughts(said.text)
  return said.mark === undefined ? spoken : { ...spoken, mark: said.mark }
}

const openingTag = new RegExp(`^\\s{0,100}(?:${openings.map(withAttributes).join('|')})`, 'i')
export const isBeginningWithThought = (text: string) => openingTag.test(text)

function removeLeadingThought(text: string): SpokenText {
  const start = text.length - text.trimStart().length
  for (const { begins, ends, isCertain } of leadingThoughts) {
    const beginning = begins.exec(text.slice(start, start + 100))
    if (!beginning) continue
    const end = ends
      .flatMap((one) => {
        const at = text.indexOf(one, start)
        return at < 0 ? [] : [at + one.length]
      })
      .sort((a, b) => a - b)[0]
    const mark = beginning[0].trim()
    if (end !== undefined) return { text: text.slice(end), endsInThought: false, mark }
    if (isCertain) return { text: '', endsInThought: true, mark }
  }
  return { text, endsInThought: false }
}

function removeMarkedThoughts(text: string): SpokenText {
  const marks = listMarks(text, pattern)
  if (marks.length === 0) return { text, endsInThought: false }
  const kinds = marks.map(classifyThoughtMark)
  const ends = findThoughtEnds(marks, kinds)
  const fences = new FenceTracker()
  const kept: string[] = []
  /** The kept text begins here; later lines are not read yet. */
  let from = 0
  let unread = 0
  let hasThought = false
  let first: string | undefined
  let openedInFence = -1
  const readTo = (line: number) => {
    while (unread < line) {
      const end = text.indexOf('\n', unread)
      const wasOpen = fences.isOpen
      fences.read(text.slice(unread, end < 0 ? text.length : end))
      if (!wasOpen) openedInFence = -1
      unread = end < 0 ? text.length : end + 1
    }
  }
  const goOnAt = (at: number) => {
    from = unread = at
  }
  const atFences = makeLazily(() => new FenceLines(text))
  const hasFinal = makeLazily(() =>
    /(?:<\|channel\|>|^)final[^<\n]{0,200}(?:<\|constrain\|>\w{0,40})?<\|message\|>/.test(text),
  )
  for (let n = 0; n < marks.length; n++) {
    const mark = marks[n] as AnswerMarkPlace
    if (mark.start < from) continue
    readTo(mark.line)
    const kind = kinds[n]
    if (kind === 'open' || kind === 'channel') {
      if (fences.isOpen) {
        openedInFence = mark.start
        continue
      }
      // A remark before a call is the answer of a model that says nothing else.
      if (isRemark(mark) && !hasFinal()) continue
      const end = ends[n]
      if (end === undefined)
        return { text: kept.join('') + text.slice(from, mark.start), endsInThought: true, mark: mark.text }
      kept.push(text.slice(from, mark.start))
      goOnAt(end)
      hasThought = true
      first ??= mark.text
    } else if (kind === 'close') {
      if (fences.isOpen && (openedInFence >= 0 || !isThoughtEndInFence(text, mark, fences.run, atFences())))
        continue
      if (findNextSign(text, mark.end) !== '') {
        // All before it is a thought, whose beginning stood in the prompt.
        kept.length = 0
        goOnAt(mark.end)
        fences.reset()
        first ??= mark.text
      } else if (hasThought) {
        kept.push(text.slice(from, mark.start))
        goOnAt(mark.end)
      } else return { text: '', endsInThought: true, mark: mark.text }
    }
  }
  const spoken = { text: kept.join('') + text.slice(from), endsInThought: false }
  return first === undefined ? spoken : { ...spoken, mark: first }
}

/** Finds where the thought ends that each mark opens: behind its end, or at what begins the next message. */
function findThoughtEnds(
  marks: readonly AnswerMarkPlace[],
  kinds: readonly ThoughtMarkKind[],
): (number | undefined)[] {
  const ends: (number | undefined)[] = []
  const open: number[] = []
  let openChannel: number | null = null
  /** The next end of any kind, for thoughts that lack their own. */
  let nextEnd: number | undefined
  for (const [n, mark] of marks.entries()) {
    const kind = kinds[n]
    if (kind === 'open') open.push(n)
    else if (kind === 'close') {
      const opening = open.pop()
      if (opening !== undefined) ends[opening] = mark.end
    } else {
      const isNext = kind === 'channel' || /^<\|(?:start|channel)\|>$/i.test(mark.text)
      if (openChannel !== null) ends[openChannel] = isNext ? mark.start : mark.end
      openChannel = kind === 'channel' ? n : null
    }
  }
  for (let n = marks.length - 1; n >= 0; n--) {
    if (kinds[n] === 'close') nextEnd = (marks[n] as AnswerMarkPlace).end
    else if (kinds[n] === 'open') ends[n] ??= nextEnd
  }
  return ends
}

/**
 * Tells whether a mark inside a block ends a thought in which a fence was opened and left open: it is alone
 * in its line, and the fences behind it do not close the block.
 */
const isThoughtEndInFence = (text: string, mark: AnswerMarkPlace, run: string, fences: FenceLines): boolean =>
  mark.isFirst && findNextSign(text, mark.end) !== 'line' && !fences.close(run, mark.start)

/** Finds where the text continues: in the same line, below it, or nowhere (''). */
function findNextSign(text: string, from: number): 'line' | 'below' | '' {
  const sign = /\S/g
  sign.lastIndex = from
  const next = sign.exec(text)
  if (!next) return ''
  return text.slice(from, next.index).includes('\n') ? 'below' : 'line'
}
