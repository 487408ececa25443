/**
 * The published Python functions of version 2, where a user has them: files packed as one JSON object by path
 * (`import nestful DIR --functions DIR`). They run in the jail only.
 */
import { readWhole } from '../python/read.ts'
import { isDict, type PyValue } from '../python/value.ts'
import { rejectFile } from './entries.ts'

export const functionsFile = 'functions.json'
/** The file of the basic functions, which has precedence over the others. */
const basicFile = /(^|\/)basic_functions\.py$/
const definition = /^(?:async )?def ([A-Za-z_]\w*)\s*\(/gm

interface PackedFunctions {
  /** Sources of these functions: by function, those that there are. */
  of(names: readonly string[]): Record<string, string>
}

/** null where there are none. Throws a problem where they are no texts. */
export function unpackFunctions(text: string | undefined): PackedFunctions | null {
  if (text === undefined) return null
  let files: PyValue = null
  try {
    files = readWhole(text)
  } catch (error) {
    rejectFile(functionsFile, `is not valid JSON: ${(error as Error).message}`)
  }
  if (!isDict(files)) return rejectFile(functionsFile, 'is not an object of sources by path')
  const sources = new Map<string, string>()
  const entries = [...files].sort(
    ([a], [b]) => Number(basicFile.test(String(b))) - Number(basicFile.test(String(a))),
  )
  for (const [path, source] of entries) {
    if (typeof source !== 'string') return rejectFile(functionsFile, `${String(path)} is not a string`)
    for (const [, name] of source.matchAll(definition)) if (!sources.has(name!)) sources.set(name!, source)
  }
  return {
    of: (names) =>
      Object.fromEntries(names.flatMap((name) => (sources.has(name) ? [[name, sources.get(name)!]] : []))),
  }
}
