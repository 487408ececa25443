/** The entries of a published file, as Python would read them: numbers keep their form, keys their order. */
import { ProblemError } from '@stateeval/contracts'
import { readWhole } from '../python/read.ts'
import { type Dict, isDict, type Py } from '../python/value.ts'

export function wrong(file: string, says: string): never {
  throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
}

/**
 * A list of objects: a JSON list, or a JSON object on each line. Throws a problem that names the entry at
 * fault.
 */
export function entriesIn(text: string, file: string): Dict[] {
  const entries = file.endsWith('.jsonl') ? lines(text, file) : list(text, file)
  entries.forEach((entry, n) => {
    if (!isDict(entry)) wrong(file, `entry ${n} is not an object`)
  })
  return entries as Dict[]
}

function list(text: string, file: string): Py[] {
  let value: Py = null
  try {
    value = readWhole(text)
  } catch (error) {
    wrong(file, `is not valid JSON: ${(error as Error).message}`)
  }
  return Array.isArray(value) && value.length > 0 ? value : wrong(file, 'is not a list of entries')
}

const lines = (text: string, file: string): Py[] =>
  text.split('\n').flatMap((line, n) => {
    if (line.trim() === '') return []
    try {
      return [readWhole(line)]
    } catch (error) {
      return wrong(file, `line ${n + 1} is not valid JSON: ${(error as Error).message}`)
    }
  })
