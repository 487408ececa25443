/**
 * Lines of text in an encrypted file: compressed by gzip, encrypted by age (https://age-encryption.org) with
 * a passphrase, so that `age --decrypt FILE | gunzip` reads it, too. A changed or truncated file is refused.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { splitLines } from '../lines.ts'

/** Why a file cannot be read; the message says what to do. */
export class SealedFileError extends Error {}

/** How the name of a file ends until it is complete: one that was cut short never looks like a backup. */
export const partialEnd = '.partial'

/** Writes lines to a new file, which exists once all of them are on the disk. */
export async function writeSealed(
  path: string,
  lines: AsyncIterable<string>,
  passphrase: string,
): Promise<void> {
  if (existsSync(path)) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST', syscall: 'open' })
  const partial = path + partialEnd
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  const sealed = await encrypter.encrypt(readBytes(pipeThrough(Readable.from(lines), createGzip())))
  try {
    await pipeline(
      Readable.fromWeb(sealed as ReadableStream<Uint8Array>),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    )
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Lines of a file, each without its end.
 * @throws SealedFileError where it is not of this passphrase, or was changed
 */
export async function* readSealed(path: string, passphrase: string): AsyncGenerator<string> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const compressed = await decrypter.decrypt(readBytes(createReadStream(path)))
    const text = pipeThrough(Readable.fromWeb(compressed as ReadableStream<Uint8Array>), createGunzip())
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

/** Pipes like `pipe`, but also passes on errors. */
const pipeThrough = (source: Readable, transform: Transform): Transform => {
  source.on('error', (error) => transform.destroy(error))
  return source.pipe(transform)
}
const readBytes = (stream: Readable) =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>
