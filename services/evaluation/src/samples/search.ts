/** Searches the texts of samples for words and a regular expression, in time linear in the texts. */
import { ProblemError } from '@stateeval/contracts'
import { RE2JS, RE2JSException } from 're2js'
import { type TextColumn, textColumns, type ColumnTexts, unpackTexts } from './text.ts'

/** The search terms: each word, case-insensitive, and the pattern. */
export interface TextSearch {
  words: readonly string[]
  pattern?: string
  in?: TextColumn
}

/** A search in the texts of one chunk. */
export interface SearchTask {
  search: TextSearch
  texts: Uint8Array
  /** The rows of the chunk to search, each with its place among the cases. */
  rows: readonly number[]
  cases: readonly number[]
  /** When it ends, in milliseconds of the epoch. */
  deadline: number
}

/** A pattern in RE2's syntax: without look-around and back-references, which cannot run in linear time. */
export function compileRe2(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.MULTILINE)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new ProblemError(
      'validation-failed',
      `pattern is not a regular expression in RE2's syntax: ${error.message.slice(0, 200)}; correct it, or use search for plain words`,
      'pattern',
    )
  }
}

/** The rows whose texts contain all search terms; null after a timeout. */
export function findRows(task: SearchTask): number[] | null {
  const { search, rows, cases, deadline } = task
  const texts = unpackTexts(task.texts)
  const tests = createTests(search)
  const names = search.in === undefined ? textColumns : [search.in]
  const inInstructions = tests.map((test) => memoiseTest((n) => test(texts.instruction[n] ?? '')))
  const found: number[] = []
  for (const [at, row] of rows.entries()) {
    if (Date.now() > deadline) return null
    const holds = (test: (text: string) => boolean, n: number) =>
      names.some((name) =>
        name === 'instruction' ? inInstructions[n]!(cases[at]!) : test(getRowText(texts, name, row)),
      )
    if (tests.every(holds)) found.push(row)
  }
  return found
}

const getRowText = (texts: ColumnTexts, name: TextColumn, row: number) => texts[name][row] ?? ''

function createTests({ words, pattern }: TextSearch): ((text: string) => boolean)[] {
  const tests = words.map((word) => {
    const small = word.toLowerCase()
    return (text: string) => text.toLowerCase().includes(small)
  })
  if (pattern === undefined) return tests
  const expression = compileRe2(pattern)
  return [...tests, (text) => expression.test(text)]
}

function memoiseTest(test: (n: number) => boolean): (n: number) => boolean {
  const known = new Map<number, boolean>()
  return (n) => {
    const before = known.get(n)
    if (before !== undefined) return before
    const result = test(n)
    known.set(n, result)
    return result
  }
}
