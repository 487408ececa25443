/**
 * Python as far as published programs use it: tokens with their places, and logical lines. One pass over the
 * text.
 */
export interface ProgramToken {
  kind: 'name' | 'number' | 'string' | 'sign'
  text: string
  /** Place in the program, and the first place after it. */
  from: number
  to: number
}
/** A statement, whatever lines it covers, without its comment. */
export interface LogicalLine {
  from: number
  to: number
  indent: string
  /** Number of its first line, from 1. */
  number: number
  tokens: ProgramToken[]
}

const blank = /[ \t\f]/
const nameStart = /[\p{L}_]/u
const namePart = /[\p{L}\p{N}_]/u
const opening = '([{'
const closing = ')]}'
const two = ['==', '!=', '<=', '>=', '->', '**', '//', '+=', '-=', '*=', '/=', ':=']

/** The logical lines of a program that has any tokens; comments and blank lines have none. */
export function readLogicalLines(program: string): LogicalLine[] {
  const lines: LogicalLine[] = []
  let [at, number, depth] = [0, 1, 0]
  let line: LogicalLine | null = null
  const end = () => {
    if (line && line.tokens.length > 0) lines.push({ ...line, to: line.tokens.at(-1)!.to })
    line = null
  }
  while (at < program.length) {
    const char = program[at]!
    if (char === '\n') {
      if (depth === 0) end()
      number++
      at++
    } else if (blank.test(char)) at++
    else if (char === '\\' && program[at + 1] === '\n') {
      number++
      at += 2
    } else if (char === '#') {
      while (at < program.length && program[at] !== '\n') at++
    } else {
      line ??= { from: at, to: at, indent: getIndent(program, at), number, tokens: [] }
      const token: ProgramToken = readToken(program, at)
      line.tokens.push(token)
      for (const inner of token.text) if (inner === '\n') number++
      if (token.kind === 'sign' && opening.includes(token.text)) depth++
      if (token.kind === 'sign' && closing.includes(token.text)) depth = Math.max(0, depth - 1)
      at = token.to
    }
  }
  end()
  return lines
}

function getIndent(program: string, at: number): string {
  const start = program.lastIndexOf('\n', at - 1) + 1
  return program.slice(start, at)
}

function readToken(program: string, at: number): ProgramToken {
  const char = program[at]!
  const quoteAt = quoteAfterPrefix(program, at)
  const token = (kind: ProgramToken['kind'], to: number): ProgramToken => ({
    kind,
    text: program.slice(at, to),
    from: at,
    to,
  })
  if (quoteAt !== null) return token('string', endOfString(program, quoteAt))
  let to = at + 1
  if (nameStart.test(char)) {
    while (to < program.length && namePart.test(program[to]!)) to++
    return token('name', to)
  }
  if (/[0-9]/.test(char) || (char === '.' && /[0-9]/.test(program[to] ?? ''))) {
    while (to < program.length && /[0-9a-zA-Z_.]/.test(program[to]!)) to++
    return token('number', to)
  }
  return token('sign', two.includes(program.slice(at, at + 2)) ? at + 2 : to)
}

/** Finds the quote of a string that begins here; null where none does. */
function quoteAfterPrefix(program: string, at: number): number | null {
  let place = at
  while (place - at < 3 && /[rbfuRBFU]/.test(program[place] ?? '')) place++
  return program[place] === '"' || program[place] === "'" ? place : null
}

function endOfString(program: string, quoteAt: number): number {
  const quote = program[quoteAt]!
  const triple = program.startsWith(quote.repeat(3), quoteAt)
  const mark = triple ? quote.repeat(3) : quote
  let at = quoteAt + mark.length
  while (at < program.length) {
    if (program[at] === '\\') at += 2
    else if (program.startsWith(mark, at)) return at + mark.length
    else if (!triple && program[at] === '\n') return at
    else at++
  }
  return program.length
}
