/** Writes files that an option names. Errors of the disk become failures that name the option. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../command.ts'

/** An error of the disk as a Failure; any other error unchanged. */
export function explainUnwritable(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined || code === undefined
    ? error
    : new Failure(`${path} can't be written (${code}): choose another --out`)
}

/**
 * Writes pieces to a file as they come. Rejects with what the pieces throw, or with a Failure.
 * @param to where they are written first, if not to the file itself
 */
export async function writePieces(
  path: string,
  pieces: AsyncIterable<Uint8Array | string>,
  to = path,
): Promise<void> {
  try {
    await pipeline(pieces, createWriteStream(to))
  } catch (error) {
    throw explainUnwritable(path, error)
  }
}

export async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: unknown) => {
    throw explainUnwritable(path, error)
  })
}

export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw explainUnwritable(path, error)
  })
}
