/** Texts of files that people wrote or that tools exported. */
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { Failure } from './command.ts'

/** The text without the byte order mark that some editors and spreadsheets write at its start. */
export const removeByteOrderMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/**
 * Reads a file as UTF-8 without a byte order mark; rejects like `readFile`, and with a `Failure` if the file
 * has another encoding, whose letters would silently become replacement characters.
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file)
  if (!isUtf8(bytes)) throw new Failure(`${file} is not UTF-8 text. Save it as UTF-8.`)
  return removeByteOrderMark(bytes.toString('utf8'))
}

/** A handler of what `readText` rejects with: its own reason, or this message if the file cannot be read. */
export const unreadable =
  (message: string) =>
  (error: unknown): never => {
    throw error instanceof Failure ? error : new Failure(message)
  }
