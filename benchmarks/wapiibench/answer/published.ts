/**
 * The call in a code file as the published evaluator cuts it out: by tokens in a fixed order, not by parsing.
 */
import { maxParsed, parse, TooDeep } from '@stateeval/javascript'
import type { ErrorVerdict } from '../judge/types.ts'

type CodeExtraction = { code: string } | { error: ErrorVerdict; says: string }

/** The first of these that occurs anywhere behind the start wins, not the nearest. */
const tokens: readonly { token: string; ending: string }[] = [
  { token: '.then', ending: ';\n' },
  { token: '.catch', ending: ';\n' },
  { token: '.finally', ending: ';\n' },
  { token: '});', ending: '});\n' },
  { token: '}\n);', ending: '}\n);\n' },
  { token: ');', ending: ');\n' },
  { token: ';', ending: ';\n' },
  { token: '\naxios.', ending: '' },
  { token: '```', ending: '' },
]
const start = 'axios.'

export function extractPublished(file: string): CodeExtraction {
  if (file.endsWith('TIMEOUT')) return { error: 'TIMEOUT', says: 'the answer ends with TIMEOUT' }
  if (file.endsWith('UNSATISFIABLE_CONSTRAINTS'))
    return { error: 'UNSATISFIABLE_CONSTRAINTS', says: 'the answer ends with UNSATISFIABLE_CONSTRAINTS' }
  const at = file.indexOf(start)
  if (at < 0) return { error: 'ABSENT_REQUEST', says: 'there is no `axios.` in the answer' }
  const from = at + start.length
  for (const { token, ending } of tokens) {
    const end = file.indexOf(token, from)
    if (end >= 0) return { code: file.slice(at, end) + ending }
  }
  return { error: 'INCOMPLETE_REQUEST', says: 'the call has no end in the answer' }
}

/** Builds the script that runs: what lay before the call is lost. */
export const buildPublishedProgram = (code: string) => `const axios = require('axios');\n${code}`

/**
 * Why a script would not start; null where it would. It has no await at top level and no return. Of long and
 * deep ones nothing is said here: they run, and the sandbox's own parser refuses what is no script.
 */
export function findSyntaxFault(program: string): string | null {
  if (program.length > maxParsed) return null
  try {
    parse(program, { ecmaVersion: 'latest', sourceType: 'script' })
    return null
  } catch (error) {
    if (error instanceof TooDeep) return null
    return error instanceof Error ? error.message : String(error)
  }
}
