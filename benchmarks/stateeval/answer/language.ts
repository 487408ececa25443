/** How code of a language is recognised. */
import type { Language } from '@stateeval/contracts'
import { mostParsed, parse } from '@stateeval/javascript'

/** What models write after a fence for a language. */
const tags: Readonly<Record<Language, readonly string[]>> = {
  javascript: [
    'javascript',
    'js',
    'node',
    'nodejs',
    'node.js',
    'mjs',
    'cjs',
    'jsx',
    'typescript',
    'ts',
    'tsx',
    'ecmascript',
    'javascript-react',
  ],
  python: ['python', 'py', 'python3', 'py3', 'python2', 'ipython'],
}
/** Tags that name no language. */
const neutral = ['', 'text', 'txt', 'plaintext', 'plain', 'code', 'script', 'tool_code', 'program', 'answer', 'solution']

/** Whether a fence says this language, says nothing of a language, or says another one. */
export function saidLanguage(tag: string, language: Language): 'this' | 'none' | 'other' {
  if (tags[language].includes(tag)) return 'this'
  return neutral.includes(tag) ? 'none' : 'other'
}

/** Whether more than blanks and comments is there. */
export function hasCode(code: string, language: Language): boolean {
  const comment = language === 'javascript' ? /^\s*(\/\/.*|\/\*.*\*\/\s*)?$/ : /^\s*(#.*)?$/
  return code.split('\n').some((line) => !comment.test(line))
}

const signs: Readonly<Record<Language, RegExp>> = {
  javascript: /\bRESULT\s*=|\bawait\b|\brequire\(|^\s*(import|const|let|var|async function|function)\s/m,
  python: /\bRESULT\s*=|^\s*(import|from|def)\s/m,
}
const foreign: Readonly<Record<Language, RegExp>> = {
  javascript: /^\s*(?:def \w+\(.*\)\s*(?:->.*)?:|from \w+ import |import \w+\s*$)/m,
  python: /^\s*(?:const|let|var)\s+\w+\s*=|\bawait axios\b|\brequire\(/m,
}
const isData = (code: string) => /^\s*[[{][\s\S]*[\]}]\s*$/.test(code)

/** Whether a text that names no language is code of this one, not data, output or another language. */
export const looksLikeCode = (code: string, language: Language) =>
  signs[language].test(code) && !isData(code) && !foreign[language].test(code)

export const setsResult = (code: string) => /\bRESULT\s*(?:=(?!=)|:|\[|\.)|\bglobalThis\.RESULT\b|['"]RESULT['"]\s*\]\s*=/.test(code)

/** Whether JavaScript parses, as a script or a module. Not said of what is long: it has to be told by other signs. */
export function parses(code: string): boolean {
  if (code.length > mostParsed) return false
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true })
    return true
  } catch {
    return false
  }
}
