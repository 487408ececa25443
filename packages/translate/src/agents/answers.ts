/** Parses the agents' answers. */
import { readText } from '@stateeval/answers'

/** The evaluator's decision (section III-E): valid, not sayable at all, or a diagnosis with suggestions. */
type EvaluatorDecision =
  | { kind: 'ok' }
  | { kind: 'impossible'; because: string }
  | { kind: 'diagnosis'; says: string }

/** An answer that ends within its thoughts says nothing. */
const readSaid = (answer: string) => (readText(answer) ?? '').trim()

/**
 * Marks around a word: markdown of emphasis, code, lists, quotes and headings, and the
 * ends of sentences.
 */
const before = /^[\s*_`"'“”‘’>#\-–—•.,:;!()[\]]+/u
const behind = /(?<![\s*_`"'“”‘’.,:;!()[\]])[\s*_`"'“”‘’.,:;!()[\]]+$/u

/**
 * Tells whether the answer gives a mark: it has a line with the mark alone, as the prompt asks. A sentence
 * that only names it ("is not <OK>") gives none, wherever it stands. <IMPOSSIBLE> at the beginning may have
 * its reason behind it on the line.
 */
const isMarkLine = (line: string, mark: string) => line.replace(before, '').replace(behind, '') === mark
const hasMark = (lines: readonly string[], mark: string) => lines.some((line) => isMarkLine(line, mark))
const withReason = /^[\s*_`"'>#\-]*<IMPOSSIBLE>[*_`"']*\s*(?:[:–—.(-]\s*)?([\p{L}\p{N}'’]+)/u
/** A word behind the mark that makes it part of a sentence: "<IMPOSSIBLE> would be too harsh". */
const goesOn =
  /^(?:is|isn['’]t|was|wasn['’]t|would|wouldn['’]t|does|doesn['’]t|can|can['’]t|cannot|could|may|might|should|seems|applies|or|nor|and)$/i

/** Tells whether the line is the mark with its reason behind it. */
function hasReason(line: string): boolean {
  const word = withReason.exec(line)?.[1]
  return word !== undefined && !goesOn.test(word)
}

export function readDecision(answer: string): EvaluatorDecision {
  const text = readSaid(answer)
  const lines = text.split('\n')
  const ok = hasMark(lines, '<OK>')
  const impossible = hasMark(lines, '<IMPOSSIBLE>') || hasReason(lines[0] ?? '')
  if (ok && !impossible) return { kind: 'ok' }
  if (impossible && !ok)
    return {
      kind: 'impossible',
      because: text.replaceAll('<IMPOSSIBLE>', '').trim() || 'no reason was given',
    }
  return { kind: 'diagnosis', says: text || 'no decision was given; read the requirements again' }
}

const longestHeading = 100
const splitLineWords = (line: string) =>
  line
    .replace(/[\s#*:]+/g, ' ')
    .trim()
    .toLowerCase()

/**
 * The instruction in the generator's answer: without thoughts, a heading, and an enclosing fence or quotes.
 */
export function extractInstruction(answer: string): string {
  let text = readSaid(answer)
  const fenced = /^```[a-z]*\n([\s\S]*?)\n?```$/.exec(text)
  if (fenced) text = (fenced[1] as string).trim()
  const end = text.indexOf('\n')
  if (
    end >= 0 &&
    end < longestHeading &&
    /^(?:revised )?instruction$/.test(splitLineWords(text.slice(0, end)))
  )
    text = text.slice(end).trim()
  const match = /^"([^"]*)"$/.exec(text)
  return match ? (match[1] as string).trim() : text
}
