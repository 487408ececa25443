/** The meaning of an answer's code: a parser finds the call, wherever and however it is written. */
import { readBlocks, removeLanguageLines } from '@stateeval/answers'
import { maxParsed } from '@stateeval/javascript'
import type { ErrorVerdict } from '../../judge/types.ts'
import { readBroken } from './broken.ts'
import { parseScript } from './syntax.ts'
import { readAsItIs, reduceProgram } from './reduce.ts'

type SoundReading = { code: string } | { error: ErrorVerdict; says: string }

/** More blocks are not read: each of them is parsed behind the starter code. */
const maxBlocks = 64

/** @param answer what the model said; it may continue the starter code, repeat it, or hold fenced blocks. */
export function readSoundly(answer: string, starter: string): SoundReading {
  if (answer.endsWith('TIMEOUT')) return { error: 'TIMEOUT', says: 'the answer ends with TIMEOUT' }
  if (answer.endsWith('UNSATISFIABLE_CONSTRAINTS'))
    return { error: 'UNSATISFIABLE_CONSTRAINTS', says: 'the answer ends with UNSATISFIABLE_CONSTRAINTS' }
  if (answer.length > maxParsed)
    return { error: 'EXECUTION_ERROR', says: `the answer is longer than ${maxParsed} characters` }
  const said = readBlocks(answer, 'javascript')
  if (said === null) return { error: 'INCOMPLETE_REQUEST', says: 'the answer ends within its thoughts' }
  const codes = said.blocks.slice(0, maxBlocks).map(({ code }) => code)
  const sources = listSources(said.text, codes, starter)
  for (const source of sources) {
    const program = runSafely(() => parseScript(source))
    const code = program && runSafely(() => reduceProgram(source, program))
    if (code) return { code }
  }
  let cut = false
  let fault: string | undefined
  for (const source of sources) {
    const reading = runSafely(() => readBroken(source))
    if (reading === 'cut') cut = true
    else if (reading && 'fault' in reading) fault ??= reading.fault
    else if (reading) return reading
  }
  if (fault !== undefined)
    return { error: 'EXECUTION_ERROR', says: `the call is not valid JavaScript: ${fault}` }
  if (!cut)
    for (const source of sources) {
      const program = runSafely(() => parseScript(source))
      const code = program && readAsItIs(source, program)
      if (code) return { code }
    }
  return cut
    ? { error: 'INCOMPLETE_REQUEST', says: 'the answer ends within the call' }
    : { error: 'ABSENT_REQUEST', says: 'the answer does not call axios' }
}

/** Lists places of code, the likeliest first. `blocks` is the code of the answer's blocks. */
function listSources(answer: string, blocks: readonly string[], starter: string): string[] {
  const starterAt = answer.lastIndexOf(starter)
  const behind = removeTagLine(starterAt < 0 ? answer : answer.slice(starterAt + starter.length))
  const untilFence = (text: string) => text.split(/^[ \t]*(?:```|~~~)/m)[0]!
  const line = starter.slice(starter.lastIndexOf('\n') + 1)
  const head = starter.slice(0, starter.length - line.length)
  const sources = [
    // An answer that begins with a call or its own export doesn't continue ours.
    ...(/^\s*(axios\s*(\?\.|[.([])|(module\.)?exports\b)/.test(behind) ? [] : [starter + untilFence(behind)]),
    // A continuation inside a fence, with or without the line that it continues.
    ...blocks.flatMap((code) => (/\baxios\b/.test(code) ? [code] : [starter + code.trimStart()])),
    head + untilFence(behind),
    removeTagLine(answer),
  ]
  return [...new Set(sources)]
}
const removeTagLine = (code: string) => removeLanguageLines(code).code

/** Deeply nested code counts as broken. */
function runSafely<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
