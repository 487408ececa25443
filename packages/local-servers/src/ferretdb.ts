/**
 * Changes FerretDB before it is built: it reads and writes faster, a kill leaves no command half done, a
 * query ends with its client, and parts that the suite does not use are left out.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { cancellation } from './ferretdb/cancellation.ts'
import type { SourceChange } from './ferretdb/change.ts'
import { comparison } from './ferretdb/comparison.ts'
import { imports, leftOut, written } from './ferretdb/left-out.ts'
import { queries } from './ferretdb/queries.ts'
import { statements } from './ferretdb/statements.ts'
import { transactions } from './ferretdb/transactions.ts'
import { writes } from './ferretdb/writes.ts'

export const ferretdb = 'github.com/FerretDB/FerretDB'
export const changes: readonly SourceChange[] = [
  ...queries,
  ...writes,
  ...statements,
  ...transactions,
  ...cancellation,
  ...comparison,
  ...imports,
]
/** All changes as text: part of the key of a cached binary. */
export const changesText = JSON.stringify([changes, leftOut, written])

/**
 * Copies FerretDB's sources and changes them. Rejects where they are not those that the changes were made
 * for.
 */
export async function copyChangedFerretdb(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const file = relative(source, path)
    if (leftOut.includes(file) || file in written) continue
    // Go keeps its copy read-only, and ours has to go again: contents alone are copied.
    await mkdir(dirname(join(target, file)), { recursive: true })
    const fileChanges = changes.filter((change) => change.file === file)
    await writeFile(
      join(target, file),
      fileChanges.length ? changeText(await readFile(path, 'utf8'), fileChanges) : await readFile(path),
    )
  }
  for (const [file, text] of Object.entries(written)) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await writeFile(join(target, file), text)
  }
}

function changeText(text: string, fileChanges: readonly SourceChange[]): string {
  for (const { file, from, to } of fileChanges) {
    if (text.split(from).length !== 2)
      throw new Error(`${ferretdb}: ${file} is not the version that packages/local-servers modifies`)
    text = text.replace(from, () => to)
  }
  return text
}
