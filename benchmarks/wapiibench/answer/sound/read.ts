/** What an answer's code means: a parser finds the call, wherever and however it is written. */
import { mostParsed } from '@stateeval/javascript'
import type { ErrorVerdict } from '../../judge/types.ts'
import { fromBroken } from './broken.ts'
import { parsed } from './syntax.ts'
import { asItIs, reduced } from './reduce.ts'

type SoundReading = { code: string } | { error: ErrorVerdict; says: string }

const fence = /^[ \t]*```[^\n`]*\n([\s\S]*?)(?:^[ \t]*```|(?![\s\S]))/gm

/** @param answer what the model said; it may go on behind the starter code, repeat it, or hold fenced blocks. */
export function readSoundly(answer: string, starter: string): SoundReading {
  if (answer.endsWith('TIMEOUT')) return { error: 'TIMEOUT', says: 'the answer ends with TIMEOUT' }
  if (answer.endsWith('UNSATISFIABLE_CONSTRAINTS'))
    return { error: 'UNSATISFIABLE_CONSTRAINTS', says: 'the answer ends with UNSATISFIABLE_CONSTRAINTS' }
  if (answer.length > mostParsed) return { error: 'EXECUTION_ERROR', says: `the answer is longer than ${mostParsed} characters` }
  const sources = sourcesOf(answer.replace(/\r\n?/g, '\n'), starter)
  for (const source of sources) {
    const program = safely(() => parsed(source))
    const code = program && safely(() => reduced(source, program))
    if (code) return { code }
  }
  let cut = false
  let fault: string | undefined
  for (const source of sources) {
    const found = safely(() => fromBroken(source))
    if (found === 'cut') cut = true
    else if (found && 'fault' in found) fault ??= found.fault
    else if (found) return found
  }
  if (fault !== undefined) return { error: 'EXECUTION_ERROR', says: `the call is no JavaScript: ${fault}` }
  if (!cut)
    for (const source of sources) {
      const program = safely(() => parsed(source))
      const code = program && asItIs(source, program)
      if (code) return { code }
    }
  return cut
    ? { error: 'INCOMPLETE_REQUEST', says: 'the answer ends within the call' }
    : { error: 'ABSENT_REQUEST', says: 'the answer has no call of axios' }
}

/** Where code may stand, the likeliest first. */
function sourcesOf(answer: string, starter: string): string[] {
  const repeated = answer.lastIndexOf(starter)
  const behind = repeated < 0 ? answer : answer.slice(repeated + starter.length)
  const blocks = [...answer.matchAll(fence)].map(([, code]) => code!)
  const untilFence = (text: string) => text.split(/^[ \t]*```/m)[0]!
  const line = starter.slice(starter.lastIndexOf('\n') + 1)
  const head = starter.slice(0, starter.length - line.length)
  return [
    // An answer that begins with a call or an export of its own doesn't continue ours.
    ...(/^\s*(axios\s*(\?\.|[.([])|(module\.)?exports\b)/.test(behind) ? [] : [starter + untilFence(behind)]),
    // A continuation inside a fence, with or without the line that it continues.
    ...blocks.flatMap((code) => (/\baxios\b/.test(code) ? [code] : [starter + code.trimStart()])),
    head + untilFence(behind),
    answer,
  ].filter((source, n, all) => all.indexOf(source) === n)
}

/** Deeply nested code counts as broken. */
function safely<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
