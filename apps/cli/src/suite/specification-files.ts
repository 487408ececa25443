/**
 * A specification of several files as one document: relative references are followed within its folder, and
 * never over the network. What they name becomes a part of the document, `x-files`.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve, sep } from 'node:path'
import { isRecord } from '@stateeval/contracts'
import { parse } from 'yaml'
import { Failure } from '../command.ts'
import { readText, unreadable } from '../text-file.ts'

/** A reference to another file, not to a place in this one or to an address. */
const otherFile = /["']?\$ref["']?\s*:\s*["']?(?!["'#]|[a-z][a-z\d+.-]*:)[^\s"']/i
const isAddress = (reference: string) => /^([a-z][a-z\d+.-]*:|\/\/)/i.test(reference)
const maxFiles = 5000

/** Reads a specification, or the one that is in a folder. Throws a `Failure` that names what is missing. */
export async function readSpecification(path: string): Promise<{ name: string; text: string }> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const main = isFolder ? await mainFileIn(path) : basename(path)
  const folder = isFolder ? path : dirname(path)
  const text = await need(join(folder, main))
  const name = isFolder ? basename(resolve(path)) : main
  return { name, text: otherFile.test(text) ? JSON.stringify(await bundle(folder, main)) : text }
}

const need = (file: string) =>
  readText(file).catch(
    unreadable(`${file} cannot be read; it should contain an OpenAPI specification in YAML or JSON`),
  )

async function mainFileIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^(openapi|swagger)\b.*\.(ya?ml|json)$/i.test(name))
  if (names.length === 1) return names[0]!
  throw new Failure(
    `${folder} has ${names.length === 0 ? 'no file' : 'several files'} named openapi or swagger (.yaml, .yml or .json); name the specification itself: --spec ${join(folder, 'FILE')}`,
  )
}

/** The pointer to a file within the document. */
const pointerTo = (file: string) =>
  `#/x-files/${encodeURIComponent(file.replaceAll('~', '~0').replaceAll('/', '~1'))}`

async function bundle(folder: string, main: string): Promise<unknown> {
  const root = await realpath(folder)
  const files: Record<string, unknown> = {}
  /** Grows while it is gone through. */
  const names = new Set([main])
  const load = async (file: string) => {
    const path = join(root, file)
    const actual = await realpath(path).catch(() => path)
    if (actual !== root && !actual.startsWith(root + sep))
      throw new Failure(`${file} leads out of ${folder}; give the folder that has all files: --spec FOLDER`)
    const text = await need(path)
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
        `${file} refers to ${reference}, which is not in ${folder}; give the folder that has all files: --spec FOLDER`,
      )
    names.add(target)
    return (target === main ? '#' : pointerTo(target)) + place
  }
  for (const file of names) {
    if (names.size > maxFiles) throw new Failure(`${main} refers to more than ${maxFiles} files`)
    await load(file)
    follow(files[file], file)
  }
  const { [main]: document, ...others } = files
  return { ...(document as object), 'x-files': others }
}
