/** The files of a set in its manifest's list, to be written as a folder. */
import { createHash } from 'node:crypto'
import type { BenchmarkResource, Manifest } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { noteFolder } from '../local/folders.ts'
import type { CommandTerminal } from '../terminal.ts'
import { createCounter } from './counter.ts'
import { writeFolder } from './folder.ts'
import { connectEvaluation } from './index.ts'

/** Writes a set as a folder if one was requested. */
export async function save(
  { id, manifest }: BenchmarkResource,
  out: string | undefined,
  terminal: CommandTerminal,
): Promise<void> {
  if (out === undefined || !manifest) return
  await writeFolder(out, await downloadFolder(id, manifest, terminal))
  await noteFolder(manifest.digest, out)
}

/**
 * Throws a Failure if a file's bytes do not match the manifest. The terminal shows how many files have
 * arrived.
 */
export async function downloadFolder(
  id: string,
  manifest: Manifest,
  terminal: CommandTerminal,
): Promise<Record<string, string | Uint8Array>> {
  const client = connectEvaluation()
  const total = 1 + Object.keys(manifest.files).length
  const tell = createCounter('download', total, terminal)
  const files: Record<string, string | Uint8Array> = {}
  for (const file of ['manifest.json', 'cases.jsonl', 'README.md'] as const)
    if (file === 'manifest.json' || manifest.files[file]) {
      tell(Object.keys(files).length, file)
      files[file] = await client.getBenchmarkFile({ params: { id, file } })
    }
  for (const path of Object.keys(manifest.files).filter((name) => name.startsWith('artifacts/'))) {
    tell(Object.keys(files).length, 'files')
    files[path] = await client.getBenchmarkArtifact({
      params: { id, sha256: path.slice('artifacts/'.length) },
    })
  }
  checkFiles(id, manifest, files)
  return files
}

/** Throws a Failure that names a file whose bytes do not match the manifest. */
export function checkFiles(
  id: string,
  manifest: Pick<Manifest, 'files'>,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  const torn = Object.entries(manifest.files).find(
    ([name, hash]) =>
      files[name] !== undefined && createHash('sha256').update(files[name]).digest('hex') !== hash,
  )
  if (torn)
    throw new Failure(
      `${torn[0]} of the benchmark ${id} does not match its manifest, so no folder was written: the stored file was changed; import the folder again, or build the benchmark again`,
    )
}
