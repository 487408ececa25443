/**
 * The tokens of a Python expression, as Python's tokenizer cuts them: one pass, linear in the text. Newlines
 * end the expression outside brackets and are blanks within them. What is no token throws an UnreadableError,
 * as it is a SyntaxError in Python.
 */
import { createUnreadable } from './read.ts'

export interface PyToken {
  type: 'name' | 'keyword' | 'number' | 'string' | 'operator' | 'newline' | 'end'
  /** The source text; names are in the normal form that Python compares them in (NFKC). */
  text: string
  at: number
}

/** Python refuses brackets nested deeper. */
const maxBrackets = 200

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in
   is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)
const name = /[\p{XID_Start}_]\p{XID_Continue}*/uy
const prefix = /(?:[uU]|[bB][rR]?|[rR][bBfF]?|[fF][rR]?)?(?=["'])/y
const operator = /\*\*|\/\/|<<|>>|<=|>=|==|!=|:=|\.\.\.|[-+*/%@&|^~<>()[\]{},:.=]/y
const based = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y
const decimal = /(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?[jJ]?/y
/** The only words that may follow a number without a blank. */
const afterNumber = /and|else|for|if|in|is|or|not/y
const wordLike = /[\w\u0080-\uffff]/

export function readPyTokens(source: string): PyToken[] {
  // Python sees one kind of line end.
  const text = source.replaceAll(/\r\n?/g, '\n')
  const fail = (says: string): never => createUnreadable(says, at)
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  const tokens: PyToken[] = []
  let at = 0
  let open = 0
  let isIndented = false
  const push = (type: PyToken['type'], end: number) => {
    if (tokens.length === 0 && isIndented) fail('an unexpected indent')
    tokens.push({ type, text: text.slice(at, end), at })
    at = end
  }

  /** Blanks, comments, newlines and continued lines. */
  function skip(char: string): boolean {
    if (char === ' ' || char === '\t') isIndented = true
    else if (char === '\f') isIndented = false
    else if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
      isIndented = false
      return true
    } else if (char === '\\') {
      if (text[at + 1] !== '\n' || at + 2 >= text.length) fail('a backslash outside a text')
      at++
    } else if (char === '\n') {
      isIndented = false
      if (open === 0 && tokens.length > 0 && tokens.at(-1)!.type !== 'newline') {
        push('newline', at + 1)
        return true
      }
    } else return false
    at++
    return true
  }

  if (text.includes('\0') || !text.isWellFormed()) fail('a character that Python does not take')
  while (at < text.length) {
    const char = text[at]!
    if (skip(char)) continue
    const start = match(prefix)
    if (start !== undefined) {
      const end = endOfString(text, at + start.length)
      push('string', end < 0 ? fail('a text without an end') : end)
    } else if (/\d/.test(char) || (char === '.' && /\d/.test(text[at + 1] ?? ''))) number()
    else word()
  }
  if (isIndented && tokens.at(-1)?.type === 'newline') fail('an unexpected indent')
  tokens.push({ type: 'end', text: '', at })
  return tokens

  function number() {
    const literal = /[xXoObB]/.test(text[at + 1] ?? '') && text[at] === '0' ? match(based) : match(decimal)
    if (literal === undefined) return fail('a broken number')
    if (/^0[\d_]+$/.test(literal) && /[1-9]/.test(literal)) fail('a number with a leading zero')
    push('number', at + literal.length)
    if (wordLike.test(text[at] ?? '') && match(afterNumber) === undefined) fail('a broken number')
  }
  function word() {
    const identifier = match(name)
    if (identifier !== undefined) {
      push(keywords.has(identifier) ? 'keyword' : 'name', at + identifier.length)
      tokens.at(-1)!.text = identifier.normalize('NFKC')
      return
    }
    const sign = match(operator) ?? fail('no Python')
    if ('([{'.includes(sign) && ++open > maxBrackets) fail('nested too deep')
    if (')]}'.includes(sign) && --open < 0) fail('a bracket that nothing opened')
    push('operator', at + sign.length)
  }
}

/** The place after the closing quotes; -1 where there are none. */
function endOfString(text: string, at: number): number {
  const quote = text[at]!
  const isTriple = text.startsWith(quote.repeat(3), at)
  const close = isTriple ? quote.repeat(3) : quote
  for (let place = at + close.length; place < text.length; place++) {
    if (text[place] === '\\') place++
    else if (text[place] === '\n' && !isTriple) return -1
    else if (text.startsWith(close, place)) return place + close.length
  }
  return -1
}
