/**
 * Instructions as tokens. A constant is one token, for any content, so no text inside a constant can be
 * read as a part of the sentence around it.
 */
import type { JsonValue } from '@stateeval/contracts'

export type TextToken =
  | { kind: 'word'; text: string }
  /** Something in backticks. */
  | { kind: 'name'; text: string }
  | { kind: 'literal'; value: JsonValue }
  | { kind: 'mark'; text: string }
  /** The end of a sentence: a full stop, a colon before a line break, or the end of a list item. */
  | { kind: 'end' }

const blank = /\s*/y
/** The number or dash of a list item. Constants hold no raw line breaks, so this is never a part of one. */
const bullet = /(?:\d+\.|-)[ \t]+/y
const name = /`([^`\n]*)`/y
const string = /"(?:[^"\\\n]|\\.)*"/y
const ordinal = /\d+(?:st|nd|rd|th)\b/y
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /[A-Za-z]+(?:-[A-Za-z]+)*|'s\b/y
const constants: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null }

/** The start and end of a token in its text. */
type TokenPlace = readonly [from: number, to: number]

/** The tokens of a text; null if it is malformed: an open quote, an open backtick. */
export const tokenizeText = (text: string): TextToken[] | null => tokenizePlaced(text)?.tokens ?? null

/** The same, with the position of each token. */
export function tokenizePlaced(text: string): { tokens: TextToken[]; places: TokenPlace[] } | null {
  const tokens: TextToken[] = []
  const places: TokenPlace[] = []
  let at = 0
  // Brackets around something that is no constant hold constants and references only, never such brackets.
  let open = false
  let inItem = false
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match
  }
  for (;;) {
    const start = at
    take(blank)
    if (start === 0 || at >= text.length || text.slice(start, at).includes('\n')) {
      if (inItem && tokens.at(-1)?.kind !== 'end') {
        tokens.push({ kind: 'end' })
        places.push([start, start])
      }
      inItem = take(bullet) !== null
    }
    if (at >= text.length) return { tokens, places }
    const begun = at
    const char = text[at] as string
    if (char === '`') {
      const match = take(name)
      if (!match) return null
      tokens.push({ kind: 'name', text: match[1] as string })
    } else if (char === '"') {
      const value = parseJson(take(string)?.[0])
      if (value === undefined) return null
      tokens.push({ kind: 'literal', value })
    } else if (char === '{' || char === '[') {
      const end = findClosing(text, at)
      const value = end === null ? undefined : parseJson(text.slice(at, end))
      if (value === undefined) {
        if (open) return null
        open = true
        tokens.push({ kind: 'mark', text: char })
        at++
      } else {
        tokens.push({ kind: 'literal', value })
        at = end as number
      }
    } else {
      const nth = take(ordinal)
      const digits = nth ? null : take(number)
      const letters = (nth ?? digits) ? null : take(word)
      if (nth) tokens.push({ kind: 'word', text: nth[0] })
      else if (digits) tokens.push({ kind: 'literal', value: Number(digits[0]) })
      else if (letters) tokens.push(toWordToken(letters[0]))
      else {
        at++
        tokens.push(
          char === '.' || (char === ':' && /^(?:\n|$)/.test(text.slice(at, at + 1)))
            ? { kind: 'end' }
            : { kind: 'mark', text: char },
        )
      }
    }
    places.push([begun, at])
  }
}

/** Case says nothing at the start of a sentence, so words are lower case, but for RESULT, which is a name. */
function toWordToken(text: string): TextToken {
  if (Object.hasOwn(constants, text)) return { kind: 'literal', value: constants[text] as JsonValue }
  return { kind: 'word', text: text === 'RESULT' ? text : text.toLowerCase() }
}

function parseJson(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
  } catch {
    return undefined
  }
}

/** The index after the bracket that closes the one at `from`, passing over quoted text. */
function findClosing(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      string.lastIndex = at
      if (!string.test(text)) return null
      at = string.lastIndex - 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return null
}
