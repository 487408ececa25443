/** Parsing of code that may be broken: whole, or statement by statement as far as it goes. */
import { BoundedParser, parse } from '@stateeval/javascript'
import { type AnyNode, type Options, type Program, type Token, tokenizer } from 'acorn'

const options: Options = {
  ecmaVersion: 'latest',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: true,
}

/** A script where it can be one, else a module; null where it is neither. */
export function parseScript(text: string): Program | null {
  for (const sourceType of ['script', 'module'] as const)
    try {
      return parse(text, { ...options, sourceType })
    } catch {
      // Perhaps the other; else it is broken.
    }
  return null
}

/** Why a text is no JavaScript, and whether it only breaks off too early; null where it is some. */
export function findParseFault(text: string): { says: string; atEnd: boolean } | null {
  try {
    parse(text, { ...options, sourceType: 'module' })
    return null
  } catch (error) {
    const { message, raisedAt } = error as Error & { raisedAt?: number }
    return {
      says: message.replace(/ \(\d+:\d+\)$/, ''),
      atEnd: raisedAt !== undefined && raisedAt >= text.length,
    }
  }
}

/** How many complete statements are looked for in broken code. */
const maxStatements = 500

interface TextRange {
  start: number
  end: number
}

/** The statements that stand complete before the first that is broken, and where that one begins. */
export function readCompleteStatements(text: string): { statements: TextRange[]; end: number } {
  const statements: TextRange[] = []
  let end = 0
  while (statements.length < maxStatements) {
    const next = readStatement(text.slice(end), end === 0)
    if (!next) break
    statements.push({ start: end + next.start, end: end + next.end })
    end += next.end
  }
  return { statements, end }
}

/**
 * The first statement of a text: what acorn's own loop over a program's body does, once. The text begins with
 * it, since a parser that begins further on counts the lines before.
 */
function readStatement(text: string, allowHashBang: boolean): AnyNode | null {
  try {
    const parser = new BoundedParser({ ...options, allowHashBang, sourceType: 'module' }, text)
    parser.nextToken()
    return parser.type.label === 'eof'
      ? null
      : (parser.parseStatement(null, true, Object.create(null)) as AnyNode)
  } catch {
    return null
  }
}

/** Tokens as far as the text has any: strings and comments are distinguished from code. */
export function readJavascriptTokens(text: string, from: number): Token[] {
  const tokens: Token[] = []
  try {
    for (const token of tokenizer(text.slice(from), { ...options, sourceType: 'script' })) {
      tokens.push({ ...token, start: token.start + from, end: token.end + from })
    }
  } catch {
    // Text that is no JavaScript follows.
  }
  return tokens
}

/** Deeper code is as good as broken: nobody writes it. */
const deepest = 1_000

/**
 * Visits every node, with those around it, outermost first. `around` is one list that changes during the
 * walk: copy it to keep it. Throws a RangeError where the code is nested deeper than anybody writes it.
 */
export function visit(node: AnyNode, see: (node: AnyNode, around: readonly AnyNode[]) => void): void {
  const around: AnyNode[] = []
  const enter = (one: AnyNode) => {
    if (around.length > deepest) throw new RangeError(`the code is nested deeper than ${deepest} levels`)
    see(one, around)
    around.push(one)
    for (const value of Object.values(one) as unknown[])
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (
          typeof child === 'object' &&
          child !== null &&
          typeof (child as AnyNode).type === 'string' &&
          'start' in child
        )
          enter(child as AnyNode)
    around.pop()
  }
  enter(node)
}
