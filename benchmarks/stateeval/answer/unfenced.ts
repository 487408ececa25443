/** Code without a fence: the whole answer where it parses, else from its first to its last line that can only be code. */
import type { Language } from '@stateeval/contracts'
import { looksLikeCode, parses, setsResult } from './language.ts'

const starts: Readonly<Record<Language, RegExp>> = {
  javascript:
    /^\s*(?:['"]use strict['"]|import\s.*['"]|(?:const|let|var)\s+[\w{[$]|async function\b|function\s+\w|await\s|RESULT\s*=|\(async|;?\(function|\/\/|\/\*|(?:if|for|while)\s*\(|try\s*\{|require\()/,
  python: /^\s*(?:import\s+\w|from\s+\w+\s+import|def\s+\w|async def\s|RESULT\s*=|#|if\s.*:$|for\s.*:$|with\s.*:$|\w+\s*=\s*\S)/,
}
const ends: Readonly<Record<Language, RegExp>> = { javascript: /[;})\]]\s*(?:\/\/.*)?$|^\s*RESULT\s*=/, python: /[\])}\w'"]\s*$/ }
const prose = /^[A-Z][a-z']+ .*[^;{})\]]$/

export function unfenced(text: string, language: Language): string | null {
  if (!looksLikeCode(text, language) || !setsResult(text)) return null
  // A tag around the code is no part of it: <code>, [PYTHON], <|python_tag|>.
  const bare = text.replace(/^\s*(?:<\|?[\w/]+\|?>|\[\/?[A-Z]+\])\s*$/gm, '').replace(/^\s*<\|?\w+\|?>|<\/\w+>\s*$/g, '')
  if (language === 'javascript' && parses(bare)) return bare.trim()
  const lines = bare.split('\n')
  const first = lines.findIndex((line) => starts[language].test(line))
  const last = lines.findLastIndex((line) => ends[language].test(line) && !prose.test(line))
  if (first < 0 || last < first) return null
  const code = lines.slice(first, last + 1).join('\n')
  return setsResult(code) ? code : null
}
