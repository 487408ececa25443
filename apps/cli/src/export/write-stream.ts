/** Writes streams to files. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Failure } from '../command.ts'
import { type Lines, showingBytes, showingLines } from '../suite/counter.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Writes a stream to a file, completely or not at all, and returns the number of bytes. A path that is not
 * a regular file is written to directly. The terminal shows the progress.
 * @param lines if they are known, the terminal shows the time left; otherwise only the size
 */
export async function writeStream(
  pieces: AsyncIterable<Uint8Array>,
  path: string,
  terminal: Terminal,
  lines?: Lines,
): Promise<number> {
  const temporary = path.startsWith('/dev/') ? path : `${path}.${process.pid}.tmp`
  const out = createWriteStream(temporary)
  let bytes = 0
  try {
    await once(out, 'open')
    const shown = lines
      ? showingLines('export', pieces, lines, terminal)
      : showingBytes('export', pieces, terminal)
    for await (const piece of shown) {
      bytes += piece.length
      if (!out.write(piece)) await once(out, 'drain')
    }
    out.end()
    await once(out, 'finish')
    if (temporary !== path) await rename(temporary, path)
  } catch (error) {
    out.destroy()
    if (temporary !== path) await rm(temporary, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new Failure(`${path} can't be written (${code}): choose another --out`)
  }
  return bytes
}
