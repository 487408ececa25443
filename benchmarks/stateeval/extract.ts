/** Finds the code in what a model answered. */
import type { Language } from '@stateeval/contracts'
import { parse } from 'acorn'
import { type FencedBlock, fencedBlocks } from './fences.ts'

const tags: Readonly<Record<Language, readonly string[]>> = {
  javascript: ['javascript', 'js', 'node', 'nodejs', 'mjs', 'cjs', 'jsx', 'typescript', 'ts', 'ecmascript'],
  python: ['python', 'py', 'python3'],
}

/**
 * The code of an answer, or null where there is none. Thoughts are cut. Of several fenced blocks the last complete one
 * in the language (or, without one, with no language named) is the program; an unfinished block counts where none is
 * complete, so that it is judged as the broken code that it is. Without a fence the code is taken out of the prose.
 */
export function extract(answer: string, language: Language): string | null {
  const text = withoutThoughts(answer.replace(/\r\n?/g, '\n'))
  const blocks = fencedBlocks(text).filter(({ code }) => hasCode(code, language))
  if (blocks.length > 0)
    return (
      (
        lastOf(
          blocks.filter(({ closed }) => closed),
          language,
        ) ?? lastOf(blocks, language)
      )?.code ?? null
    )
  return text.includes('```') ? null : unfenced(text, language)
}

function lastOf(blocks: readonly FencedBlock[], language: Language): FencedBlock | undefined {
  return (
    blocks.findLast(({ tag }) => tags[language].includes(tag)) ??
    blocks.findLast(({ tag, code }) => tag === '' && looksLikeCode(code, language))
  )
}

/** Thinking stands before the answer: cut to its end, or altogether where it never ends. A tag inside code is code. */
function withoutThoughts(text: string): string {
  const end = /<\/think(?:ing)?>/.exec(text)
  if (!end) return /^\s*<think(?:ing)?>/.test(text) ? '' : text
  const before = text.slice(0, end.index)
  const insideFence = (before.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
  return insideFence && !/^\s*<think/.test(before) ? text : text.slice(end.index + end[0].length)
}

/** Whether more than blanks and comments is there. */
function hasCode(code: string, language: Language): boolean {
  const comment = language === 'javascript' ? /^\s*(\/\/.*)?$/ : /^\s*(#.*)?$/
  return code.split('\n').some((line) => !comment.test(line))
}

const signs: Readonly<Record<Language, RegExp>> = {
  javascript: /\bRESULT\b|\bawait\b|\brequire\(|^\s*(import|const|let|var|async function|function)\s/m,
  python: /\bRESULT\b|^\s*(import|from|def)\s/m,
}
const looksLikeCode = (code: string, language: Language) => signs[language].test(code) && !/^\s*[[{][\s\S]*[\]}]\s*$/.test(code)

const starts: Readonly<Record<Language, RegExp>> = {
  javascript:
    /^\s*(?:['"]use strict['"]|import\s.*['"]|(?:const|let|var)\s+[\w{[]|async function\b|function\s+\w|await\s|RESULT\s*=|\(async|\/\/|if\s*\(|try\s*\{)/,
  python: /^\s*(?:import\s+\w|from\s+\w+\s+import|def\s+\w|RESULT\s*=|#|if\s.*:$|\w+\s*=\s*\S)/,
}
const ends: Readonly<Record<Language, RegExp>> = { javascript: /[;})\]]\s*(?:\/\/.*)?$|^\s*RESULT\s*=/, python: /[\])}\w'"]\s*$/ }

/** Code without a fence: the whole answer where it parses, else from its first to its last line that can only be code. */
function unfenced(text: string, language: Language): string | null {
  if (!signs[language].test(text) || !/\bRESULT\b/.test(text)) return null
  if (language === 'javascript' && parses(text)) return text.trim()
  const lines = text.split('\n')
  const first = lines.findIndex((line) => starts[language].test(line))
  const last = lines.findLastIndex((line) => ends[language].test(line) && !/^[A-Z][a-z]+ .*[^;{})\]]$/.test(line))
  if (first < 0 || last < first) return null
  const code = lines.slice(first, last + 1).join('\n')
  return /\bRESULT\b/.test(code) ? code : null
}

function parses(code: string): boolean {
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowReturnOutsideFunction: true })
    return true
  } catch {
    return false
  }
}
