/**
 * Lines of text in an encrypted file: compressed by gzip, encrypted by age (https://age-encryption.org) with
 * a passphrase, so that `age --decrypt FILE | gunzip` reads it, too. A changed or truncated file is refused.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { splitLines } from '../lines.ts'

/** Why a file cannot be read; the message says what to do. */
export class SealedFileError extends Error {}

/** Writes lines to a new file. */
export async function writeSealed(
  path: string,
  lines: AsyncIterable<string>,
  passphrase: string,
): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  const sealed = await encrypter.encrypt(bytesOf(through(Readable.from(lines), createGzip())))
  await pipeline(
    Readable.fromWeb(sealed as ReadableStream<Uint8Array>),
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  )
}

/**
 * Lines of a file, each without its end.
 * @throws SealedFileError where it is not of this passphrase, or was changed
 */
export async function* readSealed(path: string, passphrase: string): AsyncGenerator<string> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const compressed = await decrypter.decrypt(bytesOf(createReadStream(path)))
    const text = through(Readable.fromWeb(compressed as ReadableStream<Uint8Array>), createGunzip())
    text.setEncoding('utf8')
    const rest = yield* splitLines(text)
    if (rest !== '') throw new Error('it ends within a line')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw new SealedFileError(
      `${path} cannot be read (${(error as Error).message}): it is not of this passphrase, or was changed`,
    )
  }
}

/** As `pipe`, and an error passes, too. */
const through = (source: Readable, transform: Transform): Transform => {
  source.on('error', (error) => transform.destroy(error))
  return source.pipe(transform)
}
const bytesOf = (stream: Readable) =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>
