/** Code without a fence (docs/answers.md, Code without a fence). */
import type { Language } from '@stateeval/contracts'
import { isLikelyCode, isParsable, hasResult, removeLanguageLines } from './language.ts'
import { removeMarkLines } from './marked.ts'
import { createLineReader } from './strings.ts'

const starts: Readonly<Record<Language, RegExp>> = {
  javascript:
    /^\s*(?:['"]use strict['"]|import\s.*['"]|(?:const|let|var)\s+[\w{[$]|async function\b|function\s+\w|await\s|RESULT\s*=|\(async|;?\(function|\/\/|\/\*|(?:if|for|while)\s*\(|try\s*\{|require\()/,
  python:
    /^\s*(?:import\s+\w|from\s+\w+\s+import|def\s+\w|async def\s|RESULT\s*=|#|if\s.*:$|for\s.*:$|with\s.*:$|\w+\s*=\s*\S)/,
}
const ends: Readonly<Record<Language, RegExp>> = {
  javascript: /[;})\]]\s*(?:$|\/\/)|^\s*RESULT\s*=/,
  python: /[\])}\w'"`]\s*$/,
}
const prose = /^[A-Z][a-z']+ .*[^;{})\]]$/

/**
 * The whole text where it is JavaScript, else its lines from the first that begins like code to the last that
 * ends like code and unlike prose. Null where that sets no RESULT. Marks such as <code> on separate lines are
 * left out, except within strings.
 */
export function readUnfenced(text: string, language: Language): string | null {
  if (!isLikelyCode(text, language) || !hasResult(text)) return null
  const bare = removeLanguageLines(text).code
  if (language === 'javascript' && isParsable(bare)) return bare.trim()
  const unmarked = removeMarkLines(bare, createLineReader(language))
  if (language === 'javascript' && isParsable(unmarked)) return unmarked.trim()
  const lines = unmarked.split('\n')
  const first = lines.findIndex((line) => starts[language].test(line))
  const last = lines.findLastIndex((line) => ends[language].test(line) && !prose.test(line))
  if (first < 0 || last < first) return null
  const code = lines.slice(first, last + 1).join('\n')
  return hasResult(code) ? code : null
}

/**
 * An answer that is a program from its first line on, with fences inside its strings and comments only; null
 * for any other.
 */
export function readUnfencedWithFences(text: string, language: Language): string | null {
  const lines = removeLanguageLines(text).code.split('\n')
  const first = lines.find((line) => line.trim() !== '')
  if (first === undefined || !starts[language].test(first) || !lines.some(hasFence)) return null
  const reader = createLineReader(language)
  for (const line of lines) {
    const before = reader.inside
    reader.read(line)
    if (hasFence(line) && !before && !reader.inside) return null
  }
  return reader.inside ? null : readUnfenced(text, language)
}
const hasFence = (line: string) =>
  /^[ \t>]*(?:```|~~~)/.test(line) || /```[ \t]*[\w+#.-]*$/.test(line.trimEnd())
