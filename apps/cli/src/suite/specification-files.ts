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

/**
 * References to files that are missing, broken or outside stay as they are: what needs them is skipped with
 * its place when the document is read.
 */
async function bundleSpecification({ read }: FileSource, main: string): Promise<unknown> {
  const parseFile = async (file: string): Promise<unknown> => {
    const text = await read(file)
    try {
      // Much faster than YAML, which may begin with a brace as well.
      if (text.trimStart().startsWith('{')) return JSON.parse(text)
    } catch {
      // It is YAML.
    }
    return parse(text, { merge: true, maxAliasCount: 10_000 })
  }
  /** By name; grows while it is gone through. null: there is no such file. */
  const files = new Map<string, { contents: unknown } | null>([[main, { contents: await parseFile(main) }]])
  const isHere = async (file: string): Promise<boolean> => {
    if (!files.has(file)) {
      if (files.size >= maxFiles) throw new Failure(`${main} refers to more than ${maxFiles} files`)
      files.set(
        file,
        await parseFile(file).then(
          (contents) => ({ contents }),
          () => null,
        ),
      )
    }
    return files.get(file) !== null
  }
  /** Values that aliases share are visited once. */
  const seen = new Set<object>()
  const follow = async (value: unknown, file: string): Promise<void> => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (isRecord(value) && typeof value['$ref'] === 'string')
      value['$ref'] = await within(value['$ref'], file)
    for (const member of Object.values(value)) if (typeof member === 'object') await follow(member, file)
  }
  const within = async (reference: string, file: string): Promise<string> => {
    if (isAddress(reference)) return reference
    const [path = '', place = ''] = reference.split('#', 2)
    const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), decodeURI(path)))
    if (target === main) return `#${place}`
    if (!target.startsWith('..') && (await isHere(target))) return formatPointer(target) + place
    return place === '' ? target : `${target}#${place}`
  }
  for (const [file, one] of files) if (one) await follow(one.contents, file)
  const others = [...files].flatMap(([file, one]) =>
    one && file !== main ? [[file, one.contents] as const] : [],
  )
  return { ...(files.get(main)!.contents as object), 'x-files': Object.fromEntries(others) }
}
