/** Texts of files that people wrote or that tools exported. */
import { readFile } from 'node:fs/promises'

/** The text without the byte order mark that some editors and spreadsheets write at its start. */
export const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

/** Reads a file as UTF-8 without a byte order mark; rejects like `readFile`. */
export const readText = async (file: string) => withoutMark(await readFile(file, 'utf8'))
