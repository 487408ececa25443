/** The text that a model meant as its answer, whatever the answer is: code, calls, JSON or prose. */
import { findLastToken, findTurnToken, removeHeadAndTail, removeLeftovers } from './leftovers.ts'
import { specialToken } from './marks.ts'
import { type SpokenText, removeThoughts } from './thoughts.ts'

/** An answer without thoughts and leftovers; null where it says nothing besides thoughts without an end. */
export function readText(answer: string): string | null {
  const { text, endsInThought } = readSpoken(answer)
  return endsInThought && text.trim() === '' ? null : text
}

/** The same, and whether the answer ends within a thought. */
export function readSpoken(answer: string): SpokenText {
  // A thought may hold what else ends a turn, so turns are separated behind it.
  const spoken = removeThoughts(removeHeadAndTail(withPlainLineEnds(answer)))
  return { ...spoken, text: removeLeftovers(spoken.text) }
}

/** Parts of an answer besides the model's words. */
export interface AnswerMarks {
  /** The special token that a server left in it. */
  leftover: string | null
  /** The first mark of a thought in it. */
  thought: string | null
  /** True if the thought has no end. */
  endsInThought: boolean
}

/** The marks that readers cut from an answer, and a special token at its end that they do not know. */
export function listAnswerMarks(answer: string): AnswerMarks {
  const plain = withPlainLineEnds(answer)
  const { text, mark = null, endsInThought } = removeThoughts(removeHeadAndTail(plain))
  return {
    leftover:
      findLastToken(plain.trimEnd()) ??
      findTurnToken(text) ??
      lastSpecialToken.exec(text.trimEnd().slice(-longestToken))?.[0] ??
      null,
    thought: mark,
    endsInThought,
  }
}

const longestToken = 64
/** A token that ends a call belongs to the call. */
const lastSpecialToken = new RegExp(`(?!..[^|｜]*(?:tool|action))${specialToken}$`, 'i')

/** A text whose lines all end in the manner of Windows, or of old Macs, as one whose lines end in \n. */
function withPlainLineEnds(text: string): string {
  const bare = text.replace(/^\uFEFF/, '')
  if (!bare.includes('\r')) return bare
  if (!bare.includes('\n')) return bare.replaceAll('\r', '\n')
  return /(?<!\r)\n|\r(?!\n)/.test(bare) ? bare : bare.replaceAll('\r\n', '\n')
}
