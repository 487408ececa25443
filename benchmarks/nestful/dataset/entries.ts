/** The entries of a published file, as Python would read them: numbers keep their form, keys their order. */
import { ProblemError } from '@stateeval/contracts'
import { readWhole } from '../python/read.ts'
import { type PyDict, isDict, type PyValue } from '../python/value.ts'

export function rejectFile(file: string, says: string): never {
  throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
}

/**
 * A list of objects: a JSON list, or a JSON object on each line. Throws a problem that names the entry at
 * fault.
 */
export function parseEntries(text: string, file: string): PyDict[] {
  const entries = file.endsWith('.jsonl') ? parseEntryLines(text, file) : list(text, file)
  entries.forEach((entry, n) => {
    if (!isDict(entry)) rejectFile(file, `entry ${n} is not an object`)
  })
  return entries as PyDict[]
}

function list(text: string, file: string): PyValue[] {
  let value: PyValue = null
  try {
    value = readWhole(text)
  } catch (error) {
    rejectFile(file, `is not valid JSON: ${(error as Error).message}`)
  }
  return Array.isArray(value) && value.length > 0 ? value : rejectFile(file, 'is not a list of entries')
}

const parseEntryLines = (text: string, file: string): PyValue[] =>
  text.split('\n').flatMap((line, n) => {
    if (line.trim() === '') return []
    try {
      return [readWhole(line)]
    } catch (error) {
      return rejectFile(file, `line ${n + 1} is not valid JSON: ${(error as Error).message}`)
    }
  })
