/** Writes streams to files. */
import { rename, rm } from 'node:fs/promises'
import { type StreamLines, showBytes, showLines } from '../suite/counter.ts'
import { explainUnwritable, writePieces } from '../suite/output.ts'
import type { CommandTerminal } from '../terminal.ts'

/**
 * Writes a stream to a file, completely or not at all, and returns the number of bytes. A path that is not
 * a regular file is written to directly. The terminal shows the progress.
 * @param lines if they are known, the terminal shows the time left; otherwise only the size
 */
export async function writeStream(
  pieces: AsyncIterable<Uint8Array>,
  path: string,
  terminal: CommandTerminal,
  lines?: StreamLines,
): Promise<number> {
  const temporary = path.startsWith('/dev/') ? path : `${path}.${process.pid}.tmp`
  let bytes = 0
  async function* counted() {
    const shown = lines ? showLines('export', pieces, lines, terminal) : showBytes('export', pieces, terminal)
    for await (const piece of shown) {
      bytes += piece.length
      yield piece
    }
  }
  try {
    await writePieces(path, counted(), temporary)
    if (temporary !== path) await rename(temporary, path)
  } catch (error) {
    if (temporary !== path) await rm(temporary, { force: true })
    throw explainUnwritable(path, error)
  }
  return bytes
}
