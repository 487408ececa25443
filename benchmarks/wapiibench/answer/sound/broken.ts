/** The first complete call in code that doesn't parse: unfinished, or with something else behind it. */
import { type Token, type Program } from 'acorn'
import { methods } from './calls.ts'
import { readCompleteStatements, findParseFault, parseScript, readJavascriptTokens } from './syntax.ts'
import { reduceProgram } from './reduce.ts'

/**
 * Code before a call that takes its value: `const response = await`. The search covers the few characters
 * before it.
 */
const beforeCall = /(?:(?:const|let|var)\s+[\w$]+\s*=\s*)?(?:return\s+)?(?:await\s+)?$/
const nearCall = 200

const openers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }

/**
 * `cut`: a call begins, but the text ends within it. `fault`: why a call is no JavaScript. Null: there is no
 * call.
 */
type BrokenCode = { code: string } | { fault: string } | 'cut' | null
export function readBroken(text: string): BrokenCode {
  const { statements, end } = readCompleteStatements(text)
  const whole = text.slice(0, end)
  const before = parseScript(whole)
  const early = before && hasCall(before, whole)
  if (early) return { code: early }
  const match = findCall(readJavascriptTokens(text, end))
  if (!match) return null
  const ends = match.end === undefined ? describeCallEnding(text, match) : null
  if (ends) return ends
  const call = text.slice(match.start, match.end)
  const prelude = statements.map((node) => text.slice(node.start, node.end)).join('\n')
  // Code within the unfinished block that the call is in may define what it uses.
  const within = text.slice(match.block ?? end, match.start)
  const inner = within.slice(0, -nearCall) + within.slice(-nearCall).replace(beforeCall, ';')
  for (const candidate of [`${prelude}\n${inner}\n${call};\n`, `${prelude}\n${call};\n`, `${call};\n`]) {
    const program = parseScript(candidate)
    const code = program && reduceProgram(candidate, program)
    if (code) return { code }
  }
  return describeCallEnding(text, match)
}

/**
 * How a call that doesn’t parse ends: before its end, or in a fault. A word behind `axios.` that is no method
 * is prose.
 */
function describeCallEnding(text: string, { start, method }: OpenedCall): 'cut' | { fault: string } | null {
  const fault = findParseFault(text.slice(start).trimEnd())
  if (fault === null) return null
  if (fault.atEnd) return 'cut'
  return method === '' || methods.has(method) || method === 'create' ? { fault: fault.says } : null
}

const hasCall = (program: Program, text: string): string | null => {
  const code = reduceProgram(text, program)
  return code !== null && /\baxios\s*(\?\.|[.([])/.test(code) ? code : null
}

/** Without an end where its brackets don't close. `block`: behind the last open brace. */
interface OpenedCall {
  start: number
  method: string
  end?: number
  block?: number
}

/**
 * Finds where `axios(…)`, `axios.method(…)` or `axios['method'](…)` stands; where there is only an instance
 * made, that.
 */
function findCall(tokens: readonly Token[]): OpenedCall | null {
  const open: number[] = []
  let instance: OpenedCall | null = null
  for (const [n, token] of tokens.entries()) {
    const { label } = token.type
    if (label === '{' || label === '${') open.push(token.end)
    if (label === '}') open.pop()
    if (label !== 'name' || (token as { value?: unknown }).value !== 'axios') continue
    const dotted = tokens[n + 1]?.type.label === '.'
    const isBracketed =
      tokens[n + 1]?.type.label === '[' &&
      tokens[n + 2]?.type.label === 'string' &&
      tokens[n + 3]?.type.label === ']'
    const method =
      dotted || isBracketed ? String((tokens[n + 2] as { value?: unknown } | undefined)?.value) : ''
    const at = n + (dotted ? 3 : isBracketed ? 4 : 1)
    if (tokens[at]?.type.label !== '(') {
      if (dotted && tokens.length <= at) return { start: token.start, method }
      continue
    }
    if (method === 'create') {
      instance ??= { start: token.start, method }
      continue
    }
    const end = findClosingToken(tokens, at)
    const block = open.at(-1)
    return {
      start: token.start,
      method,
      ...(end !== undefined && { end }),
      ...(block !== undefined && { block }),
    }
  }
  return instance
}

function findClosingToken(tokens: readonly Token[], from: number): number | undefined {
  const expected: string[] = []
  for (const token of tokens.slice(from)) {
    const { label } = token.type
    if (openers[label]) expected.push(openers[label])
    else if (label === expected.at(-1)) {
      expected.pop()
      if (expected.length === 0) return token.end
    } else if ([')', ']', '}'].includes(label)) return undefined
  }
  return undefined
}
