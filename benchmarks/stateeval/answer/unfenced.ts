/**
 * Code without a fence: the whole answer where it parses, else from its first to its last line that can only
 * be code.
 */
import type { Language } from '@stateeval/contracts'
import { lineReader } from '@stateeval/program'
import { looksLikeCode, parses, setsResult, withoutLanguageLine } from './language.ts'

const starts: Readonly<Record<Language, RegExp>> = {
  javascript:
    /^\s*(?:['"]use strict['"]|import\s.*['"]|(?:const|let|var)\s+[\w{[$]|async function\b|function\s+\w|await\s|RESULT\s*=|\(async|;?\(function|\/\/|\/\*|(?:if|for|while)\s*\(|try\s*\{|require\()/,
  python:
    /^\s*(?:import\s+\w|from\s+\w+\s+import|def\s+\w|async def\s|RESULT\s*=|#|if\s.*:$|for\s.*:$|with\s.*:$|\w+\s*=\s*\S)/,
}
const ends: Readonly<Record<Language, RegExp>> = {
  javascript: /[;})\]]\s*(?:$|\/\/)|^\s*RESULT\s*=/,
  python: /[\])}\w'"]\s*$/,
}
const prose = /^[A-Z][a-z']+ .*[^;{})\]]$/

export function unfenced(text: string, language: Language): string | null {
  if (!looksLikeCode(text, language) || !setsResult(text)) return null
  // A tag around the code is no part of it: <code>, [PYTHON], <|python_tag|>, and the name of the language on
  // a line of its own.
  const bare = withoutLanguageLine(withoutTags(text)).code
  if (language === 'javascript' && parses(bare)) return bare.trim()
  const lines = bare.split('\n')
  const first = lines.findIndex((line) => starts[language].test(line))
  const last = lines.findLastIndex((line) => ends[language].test(line) && !prose.test(line))
  if (first < 0 || last < first) return null
  const code = lines.slice(first, last + 1).join('\n')
  return setsResult(code) ? code : null
}

const tagLine = /^\s*(?:<\|?[\w/]+\|?>|\[\/?[A-Z]+\])\s*$/
/** Tags on lines of their own go, with the empty lines around them; so do tags at the ends. */
function withoutTags(text: string): string {
  const lines: string[] = []
  let behindTag = false
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === ''
    if (isEmpty && behindTag) continue
    behindTag = !isEmpty && tagLine.test(line)
    if (!behindTag) lines.push(line)
    else {
      while (lines.at(-1)?.trim() === '') lines.pop()
      lines.push('')
    }
  }
  return lines.join('\n').replace(/^\s*<\|?\w+\|?>|<\/\w+>\s*$/g, '')
}

/**
 * An answer that is a program from its first line on, with fences inside its strings and comments only; null
 * for any other.
 */
export function unfencedWithFences(text: string, language: Language): string | null {
  const lines = withoutLanguageLine(text).code.split('\n')
  const first = lines.find((line) => line.trim() !== '')
  if (first === undefined || !starts[language].test(first) || !lines.some(hasFence)) return null
  const reader = lineReader(language)
  for (const line of lines) {
    const before = reader.inside
    reader.read(line)
    if (hasFence(line) && !before && !reader.inside) return null
  }
  return reader.inside ? null : unfenced(text, language)
}
const hasFence = (line: string) =>
  /^[ \t>]*(?:```|~~~)/.test(line) || /```[ \t]*[\w+#.-]*$/.test(line.trimEnd())
