/**
 * A specification of several files as one document: relative references are followed within its folder or
 * archive, and never over the network. What they name becomes a part of the document, `x-files`.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve, sep } from 'node:path'
import { isRecord } from '@stateeval/contracts'
import { parse } from 'yaml'
import { Failure } from '../command.ts'
import { readText, unreadable } from '../text-file.ts'
import { archivePattern, readArchive } from './specification-archive.ts'

/** A reference to another file, not to a place in this one or to an address. */
const otherFile = /["']?\$ref["']?\s*:\s*["']?(?!["'#]|[a-z][a-z\d+.-]*:)[^\s"']/i
const isAddress = (reference: string) => /^([a-z][a-z\d+.-]*:|\/\/)/i.test(reference)
const maxFiles = 5000

/** Source of a specification's files. */
interface FileSource {
  name: string
  /** Throws a `Failure` where a file is missing, or not within. */
  read: (file: string) => Promise<string>
}

/** Reads a specification, or that of a folder or an archive. Throws a `Failure` that names what is amiss. */
export async function readSpecification(path: string): Promise<{ name: string; text: string }> {
  if (archivePattern.test(path)) {
    const files = await readArchive(path)
    const main = mainFileAmong([...files.keys()], path)
    const source: FileSource = { name: path, read: async (file) => files.get(file) ?? missing(file, path) }
    return { name: basename(path).replace(archivePattern, ''), text: await oneDocument(source, main) }
  }
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const folder = isFolder ? path : dirname(path)
  const main = isFolder ? mainFileAmong(await readdir(folder), folder) : basename(path)
  const text = await oneDocument({ name: folder, read: readWithin(folder) }, main)
  return { name: isFolder ? basename(resolve(path)) : main, text }
}

const missing = (file: string, within: string): never => {
  throw new Failure(`${within} has no file ${file}; it should contain an OpenAPI specification`)
}
const readNeeded = (file: string) =>
  readText(file).catch(
    unreadable(`${file} cannot be read; it should contain an OpenAPI specification in YAML or JSON`),
  )

/** Files of a folder, and of no other by links. */
const readWithin = (folder: string) => async (file: string) => {
  const root = await realpath(folder).catch(() => folder)
  const path = join(root, file)
  const actual = await realpath(path).catch(() => path)
  if (actual !== root && !actual.startsWith(root + sep))
    throw new Failure(`${file} leads out of ${folder}; give the folder that has all files: --spec FOLDER`)
  return readNeeded(join(folder, file))
}

/** The one named openapi or swagger that is nearest to the top. */
function mainFileAmong(all: readonly string[], within: string): string {
  const found = all.filter((name) => /^(openapi|swagger)\b.*\.(ya?ml|json)$/i.test(posix.basename(name)))
  const depthOf = (name: string) => name.split('/').length
  const least = Math.min(...found.map(depthOf))
  const names = found.filter((name) => depthOf(name) === least)
  if (names.length === 1) return names[0]!
  throw new Failure(
    `${within} has ${names.length === 0 ? 'no file' : 'several files'} named openapi or swagger (.yaml, .yml or .json); name the specification itself: --spec ${archivePattern.test(within) ? 'FILE, of the unpacked archive' : join(within, 'FILE')}`,
  )
}

async function oneDocument(source: FileSource, main: string): Promise<string> {
  const text = await source.read(main)
  return otherFile.test(text) ? JSON.stringify(await bundleSpecification(source, main)) : text
}

/** The pointer to a file within the document. */
const formatPointer = (file: string) =>
  `#/x-files/${encodeURIComponent(file.replaceAll('~', '~0').replaceAll('/', '~1'))}`

async function bundleSpecification({ name, read }: FileSource, main: string): Promise<unknown> {
  const files: Record<string, unknown> = {}
  /** Grows while it is gone through. */
  const names = new Set([main])
  const load = async (file: string) => {
    const text = await read(file)
    files[file] = text.trimStart().startsWith('{')
      ? (JSON.parse(text) as unknown)
      : (parse(text, { merge: true, maxAliasCount: 10_000 }) as unknown)
  }
  /** Values that aliases share are visited once. */
  const seen = new Set<object>()
  const follow = (value: unknown, file: string) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (isRecord(value) && typeof value['$ref'] === 'string') value['$ref'] = within(value['$ref'], file)
    for (const member of Object.values(value)) follow(member, file)
  }
  const within = (reference: string, file: string): string => {
    if (isAddress(reference)) return reference
    const [path = '', place = ''] = reference.split('#', 2)
    const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), decodeURI(path)))
    if (target.startsWith('..'))
      throw new Failure(
        `${file} refers to ${reference}, which is not in ${name}; give the folder that has all files: --spec FOLDER`,
      )
    names.add(target)
    return (target === main ? '#' : formatPointer(target)) + place
  }
  for (const file of names) {
    if (names.size > maxFiles) throw new Failure(`${main} refers to more than ${maxFiles} files`)
    await load(file)
    follow(files[file], file)
  }
  const { [main]: document, ...others } = files
  return { ...(document as object), 'x-files': others }
}
