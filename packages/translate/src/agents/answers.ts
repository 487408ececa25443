/** Parses the agents' answers. */
import { readText } from '@stateeval/answers'

/** The evaluator's decision (section III-E): valid, not sayable at all, or a diagnosis with suggestions. */
type Decision = { kind: 'ok' } | { kind: 'impossible'; because: string } | { kind: 'diagnosis'; says: string }

/** An answer that ends within its thoughts says nothing. */
const said = (answer: string) => (readText(answer) ?? '').trim()

/**
 * Marks around a word: markdown of emphasis, code, lists, quotes and headings, and the
 * ends of sentences.
 */
const before = /^[\s*_`"'“”‘’>#\-–—•.,:;!()[\]]+/u
const behind = /(?<![\s*_`"'“”‘’.,:;!()[\]])[\s*_`"'“”‘’.,:;!()[\]]+$/u

/**
 * Tells whether the answer gives a mark: on a line that is the mark alone, as the prompt asks. A sentence that
 * only names it ("is not <OK>") gives none, wherever it stands. <IMPOSSIBLE> at the beginning may have its
 * reason behind it on the line.
 */
const alone = (line: string, mark: string) => line.replace(before, '').replace(behind, '') === mark
const hasMark = (lines: readonly string[], mark: string) => lines.some((line) => alone(line, mark))
const withReason = /^[\s*_`"'>#\-]*<IMPOSSIBLE>[*_`"']*\s*(?:[:–—.(-]\s*)?([\p{L}\p{N}'’]+)/u
/** A word behind the mark that makes it part of a sentence: "<IMPOSSIBLE> would be too harsh". */
const goesOn =
  /^(?:is|isn['’]t|was|wasn['’]t|would|wouldn['’]t|does|doesn['’]t|can|can['’]t|cannot|could|may|might|should|seems|applies|or|nor|and)$/i

/** Tells whether the line is the mark with its reason behind it. */
function namesReason(line: string): boolean {
  const word = withReason.exec(line)?.[1]
  return word !== undefined && !goesOn.test(word)
}

export function decisionOf(answer: string): Decision {
  const text = said(answer)
  const lines = text.split('\n')
  const ok = hasMark(lines, '<OK>')
  const impossible = hasMark(lines, '<IMPOSSIBLE>') || namesReason(lines[0] ?? '')
  if (ok && !impossible) return { kind: 'ok' }
  if (impossible && !ok)
    return {
      kind: 'impossible',
      because: text.replaceAll('<IMPOSSIBLE>', '').trim() || 'no reason was given',
    }
  return { kind: 'diagnosis', says: text || 'no decision was given; read the requirements again' }
}

const longestHeading = 100
const wordsOf = (line: string) =>
  line
    .replace(/[\s#*:]+/g, ' ')
    .trim()
    .toLowerCase()

/**
 * The instruction in the generator's answer: without thoughts, a heading, and an enclosing fence or quotes.
 */
export function instructionOf(answer: string): string {
  let text = said(answer)
  const fenced = /^```[a-z]*\n([\s\S]*?)\n?```$/.exec(text)
  if (fenced) text = (fenced[1] as string).trim()
  const end = text.indexOf('\n')
  if (end >= 0 && end < longestHeading && /^(?:revised )?instruction$/.test(wordsOf(text.slice(0, end))))
    text = text.slice(end).trim()
  const match = /^"([^"]*)"$/.exec(text)
  return match ? (match[1] as string).trim() : text
}
