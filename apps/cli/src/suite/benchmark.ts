/** A benchmark as commands name it: its id, or a folder that contains it. */
import { stat } from 'node:fs/promises'
import { Failure } from '../command.ts'
import { noteFolder } from '../local/folders.ts'
import { readFolder } from './folder.ts'
import type { CommandTerminal } from '../terminal.ts'
import { connectUpload } from './index.ts'

const isId = (text: string) => /^bm_[0-9a-z_]+$/.test(text)

/**
 * The id of a benchmark: the given one, or that of the imported folder. The terminal shows the import's
 * progress.
 * @param named the option or argument that names the benchmark
 */
export async function resolveBenchmarkId(
  idOrFolder: string,
  terminal: CommandTerminal,
  named = '--benchmark',
): Promise<string> {
  if (idOrFolder === '')
    throw new Failure(
      `${named} is empty. Give an id or a folder; list the ids with: npx stateeval list benchmarks`,
    )
  const entry = await stat(idOrFolder).catch((error: NodeJS.ErrnoException) => {
    if (isId(idOrFolder)) return null
    throw explainNoFolder(
      idOrFolder,
      error,
      ' Ids of benchmarks begin with bm_: npx stateeval list benchmarks',
    )
  })
  if (entry === null) return idOrFolder
  if (!entry.isDirectory())
    throw new Failure(`${idOrFolder} is a file; --benchmark takes the folder that contains it, or an id.`)
  const body = await readFolder(idOrFolder)
  const { id } = await connectUpload('import', terminal).importBenchmark({ body })
  await noteFolder(body.manifest.digest, idOrFolder)
  return id
}

/** Why a folder cannot be read: usually it does not exist. */
export const explainNoFolder = (folder: string, { code, message }: NodeJS.ErrnoException, hint = '') =>
  new Failure(
    code === 'ENOENT'
      ? `No such folder: ${folder}.${hint}`
      : `${folder} cannot be read (${code ?? message}).${hint}`,
  )
