/** Python interpreters that may be on this machine, in the order of examination. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'

export interface InterpreterCandidate {
  path: string
  /** Source of the path. */
  source: 'STATEEVAL_PYTHON' | 'PATH' | 'default'
}

const usualPlaces = ['/usr/bin/python3', '/usr/local/bin/python3']

/**
 * The interpreter in STATEEVAL_PYTHON, then every `python3` on PATH, then the usual places, without
 * duplicates.
 */
export function listPythonCandidates(
  setting: string | undefined,
  search: string,
  usual: readonly string[] = usualPlaces,
): InterpreterCandidate[] {
  const folders = search.split(':').filter((folder) => isAbsolute(folder))
  const chosenPaths = setting
    ? [
        setting.includes('/')
          ? setting
          : (folders.map((folder) => join(folder, setting)).find(isExisting) ?? setting),
      ]
    : []
  const candidates = new Map<string, InterpreterCandidate>()
  const add = (path: string, source: InterpreterCandidate['source']) => {
    const key = resolvePlace(path)
    if (!candidates.has(key)) candidates.set(key, { path, source })
  }
  chosenPaths.forEach((path) => add(path, 'STATEEVAL_PYTHON'))
  folders
    .map((folder) => join(folder, 'python3'))
    .filter(isExisting)
    .forEach((path) => add(path, 'PATH'))
  usual.filter(isExisting).forEach((path) => add(path, 'default'))
  return [...candidates.values()]
}

/**
 * The same for `/bin/python3` and `/usr/bin/python3` where one folder links to the other. An environment’s
 * link to its base stays.
 */
function resolvePlace(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path
  }
}

function isExisting(path: string): boolean {
  try {
    realpathSync(path)
    return true
  } catch {
    return false
  }
}
