/**
 * The files of an archive with a specification, by their names in it. They are read in memory: no name of an
 * archive becomes a path of this machine.
 */
import { readFile, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { unpackTar } from 'modern-tar'
import { Failure } from '../command.ts'
import { unreadable } from '../text-file.ts'

export const archivePattern = /\.(zip|tar|tgz|tar\.gz)$/i
const isPart = (name: string) => /\.(ya?ml|json)$/i.test(name)

/** Limit of the archive, and of all its files together. */
const maxBytes = 64 * 1024 * 1024
const maxFiles = 5000

interface ArchivedFile {
  name: string
  bytes: Uint8Array
}

/**
 * Only YAML and JSON are kept. Throws a `Failure` for an archive that is broken, too large, or names files
 * outside.
 */
export async function readArchive(path: string): Promise<Map<string, string>> {
  const refuse = (says: string): never => {
    throw new Failure(`${path} ${says}; unpack it, and give the folder: --spec FOLDER`)
  }
  const cannotRead = unreadable(`${path} cannot be read; it should be an archive of an OpenAPI specification`)
  const { size } = await stat(path).catch(cannotRead)
  if (size > maxBytes) refuse(`has more than ${maxBytes} bytes`)
  const bytes = await readFile(path).catch(cannotRead)
  const files = new Map<string, string>()
  let left = maxBytes
  /** Tells whether a file is kept, and checks that there is room for it. */
  const admit = (name: string, length: number): boolean => {
    if (!isPart(name)) return false
    const normal = posix.normalize(name)
    if (posix.isAbsolute(name) || normal.startsWith('..') || name.includes('\\'))
      refuse(`has a file that leads out of it: ${name}`)
    left -= length
    if (left < 0) refuse(`has more than ${maxBytes} bytes of YAML and JSON`)
    if (files.size >= maxFiles) refuse(`has more than ${maxFiles} files`)
    files.set(normal, '')
    return true
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const found = /\.zip$/i.test(path)
      ? Object.entries(
          unzipSync(bytes, { filter: ({ name, originalSize }) => admit(name, originalSize) }),
        ).map(([name, content]): ArchivedFile => ({ name, bytes: content }))
      : await readTarFiles(
          isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: 4 * maxBytes }) : bytes,
          admit,
        )
    for (const file of found) files.set(posix.normalize(file.name), decoder.decode(file.bytes))
  } catch (error) {
    if (error instanceof Failure) throw error
    refuse(`is broken: ${(error as Error).message}`)
  }
  return files
}

const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b

/** The regular files of a tar archive. */
async function readTarFiles(
  bytes: Uint8Array,
  admit: (name: string, length: number) => boolean,
): Promise<ArchivedFile[]> {
  const entries = await unpackTar(bytes, {
    strict: true,
    filter: ({ type, name, size }) => type === 'file' && admit(name, size),
  })
  return entries.map(({ header: { name }, data = new Uint8Array() }) => ({ name, bytes: data }))
}
