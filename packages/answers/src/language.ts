/**
 * How code of a language is recognised. Answers are long and odd: every pattern takes time that grows with
 * their length.
 */
import type { Language } from '@stateeval/contracts'
import { maxParsed, parse } from '@stateeval/javascript'

/** Tags that models write behind a fence, by language. */
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
const languageTags = new Set(Object.values(tags).flat())
/** Extensions of files, which some models name behind a fence. */
const extensions: Readonly<Record<Language, RegExp>> = {
  javascript: /\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/,
  python: /\.(?:py|pyw|ipynb)$/,
}
/** Tags that name no language. */
const neutral = [
  '',
  'text',
  'txt',
  'plaintext',
  'plain',
  'code',
  'script',
  'tool_code',
  'program',
  'answer',
  'solution',
]

/** Compares the tag of a fence with a language: it names this one, none, or another one. */
export function compareLanguageTag(tag: string, language: Language): 'this' | 'none' | 'other' {
  if (tags[language].includes(tag) || extensions[language].test(tag)) return 'this'
  return neutral.includes(tag) || tag.endsWith('.txt') ? 'none' : 'other'
}
/** Tells whether the word behind a fence names a language, or stands for none. */
export const isTag = (word: string) =>
  languageTags.has(word) ||
  neutral.includes(word) ||
  Object.values(extensions).some((extension) => extension.test(word))

/** Lines that chats show above code: the name of the language, and a button. */
const languageLines = new Map(
  [...languageTags].flatMap((tag) =>
    [tag, `${tag}:`, `**${tag}**`, `**${tag}:**`].map((line) => [line, tag]),
  ),
)
const buttons = new Set(['copy', 'copy code', 'copied!'])
const longestLine = 40

/** Code without the lines before it that name a language, and the first of these names. */
export function removeLanguageLines(code: string): { code: string; languageName: string | null } {
  let [rest, languageName]: [string, string | null] = [code, null]
  for (;;) {
    const first = readLine(rest, skipBlank(rest, 0))
    const name = languageLines.get(first.text)
    if (name === undefined) return { code: rest, languageName }
    languageName ??= name
    const next = readLine(rest, first.end)
    rest = rest.slice(buttons.has(next.text) ? next.end : first.end)
  }
}
const skipBlank = (text: string, from: number) => text.length - text.slice(from).trimStart().length
function readLine(text: string, from: number): { text: string; end: number } {
  const at = text.indexOf('\n', from)
  const end = at < 0 ? text.length : at
  const line = end - from > longestLine ? '' : text.slice(from, end)
  return { text: line.trim().toLowerCase(), end: Math.min(end + 1, text.length) }
}

/** Tells whether code has more than blanks and comments. */
export function hasCode(code: string, language: Language): boolean {
  const comment = language === 'javascript' ? /^\s*(\/\/.*|\/\*.*\*\/\s*)?$/ : /^\s*(#.*)?$/
  return code.split('\n').some((line) => !comment.test(line))
}

// Blanks before a sign are those of its own line: a pattern that began at each of many empty lines would take
// for ever.
const signs: Readonly<Record<Language, RegExp>> = {
  javascript:
    /\bRESULT\s*=|\bawait\b|\brequire\(|^[^\S\r\n\u2028\u2029]*(?:import|const|let|var|async function|function)\s/m,
  python: /\bRESULT\s*=|^[^\S\r\n\u2028\u2029]*(?:import|from|def)\s/m,
}
const foreign: Readonly<Record<Language, (code: string) => boolean>> = {
  javascript: (code) =>
    /^[^\S\r\n\u2028\u2029]*(?:from \w+ import |import \w+[^\S\r\n\u2028\u2029]*$)/m.test(code) ||
    hasPythonDefinition(code),
  python: (code) =>
    /^[^\S\r\n\u2028\u2029]*(?:const|let|var)\s+\w+\s*=|\bawait axios\b|\brequire\(/m.test(code),
}
/** `def name(…):` or `def name(…) -> …:` on a line. */
function hasPythonDefinition(code: string): boolean {
  for (const { index, 0: head } of code.matchAll(/^[^\S\r\n\u2028\u2029]*def \w+\(/gm)) {
    const from = index + head.length
    const end = code.indexOf('\n', from)
    const rest = code.slice(from, end < 0 ? code.length : end)
    const arrow = rest.search(/\)[^\S\n]*->/)
    if (/\)[^\S\n]*:/.test(rest) || (arrow >= 0 && rest.includes(':', arrow))) return true
  }
  return false
}
function isData(code: string): boolean {
  const text = code.trim()
  return text.length > 1 && /^[[{]/.test(text) && /[\]}]$/.test(text)
}

/** Tells whether a text that names no language is code of this one, not data, output or another language. */
export const isLikelyCode = (code: string, language: Language) =>
  signs[language].test(code) && !isData(code) && !foreign[language](code)

export const hasResult = (code: string) =>
  /\bRESULT\s*(?:=(?!=)|:|\[|\.)|\bglobalThis\.RESULT\b|['"]RESULT['"]\s*\]\s*=/.test(code)

/**
 * Tells whether a text behind the tag of a fence is the first line of the program, not the title of the
 * block.
 */
export const isProgramBeginning = (text: string, language: Language) => beginnings[language].test(text)
const beginnings: Readonly<Record<Language, RegExp>> = {
  javascript:
    /^(?:import|const|let|var|async|function|await)\s|^RESULT\s*=|^['"]use strict|^(?:axios|console|fetch|require)\s*[.(]/,
  python: /^(?:import|from|def)\s|^RESULT\s*=/,
}

/**
 * Tells whether text parses as JavaScript, as a script or a module. Long text is not parsed: other signs must
 * tell.
 */
export function isParsable(code: string): boolean {
  if (code.length > maxParsed) return false
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true })
    return true
  } catch {
    return false
  }
}
