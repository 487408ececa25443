/** Files that scripts write: written, or with --check held against what they should be. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** The files that differ from their text. */
function drifted(files: Record<string, string>): string[] {
  return Object.entries(files)
    .filter(([path, text]) => read(path) !== text)
    .map(([path]) => relative(root, path))
}

/** Writes the files, or says which ones drifted and ends with 1. */
export function writeOrCheck(
  files: Record<string, string>,
  { check, remedy }: { check: boolean; remedy: string },
): void {
  const wrong = drifted(files)
  if (check) {
    for (const path of wrong)
      process.stderr.write(`${path} is not what it is generated from; run: ${remedy}\n`)
    process.exitCode = wrong.length > 0 ? 1 : 0
    return
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  process.stdout.write(`${wrong.length > 0 ? `written: ${wrong.join(', ')}` : 'nothing to write'}\n`)
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
