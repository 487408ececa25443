/** Benchmark folders on disk: manifest.json, cases.jsonl, README.md, artifacts/<sha256>. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  type BenchmarkFolder,
  computeContentId,
  type Manifest,
  manifestSchema,
  sha256,
} from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { explainUnwritable } from './output.ts'
import { listOwn, readOwn } from './own-file.ts'
import { removeByteOrderMark } from '../text-file.ts'

const read = async (folder: string, file: string): Promise<string> => {
  try {
    return (await readOwn(folder, file)).toString('utf8')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      `${join(folder, file)} cannot be read: ${folder} is not a benchmark folder; make one with: npx stateeval build --scenario session-service --out ${folder}`,
    )
  }
}

/** Reads a folder as the body of an import. The service checks every file against its hash. */
export async function readFolder(folder: string): Promise<BenchmarkFolder> {
  const text = removeByteOrderMark(await read(folder, 'manifest.json'))
  let manifest: Manifest
  try {
    manifest = JSON.parse(text) as Manifest
  } catch {
    throw new Failure(
      `${join(folder, 'manifest.json')} is not valid JSON: the file is damaged; export the benchmark again`,
    )
  }
  const { schema } = manifest as { schema?: unknown }
  if (typeof schema === 'number' && schema < manifestSchema)
    throw new Failure(
      `${join(folder, 'manifest.json')} has schema ${schema}, and this version reads schema ${manifestSchema}: build the benchmark again with the options and the seed in the manifest`,
    )
  const body: BenchmarkFolder = { manifest, cases: await read(folder, 'cases.jsonl') }
  if (manifest.files?.['README.md']) body.readme = await read(folder, 'README.md')
  const artifacts = await listOwn(folder, 'artifacts')
  if (artifacts.length > 0) {
    const entries = await Promise.all(
      artifacts.map(async (sha) => [sha, (await readOwn(folder, join('artifacts', sha))).toString('base64')]),
    )
    body.artifacts = Object.fromEntries(entries) as Record<string, string>
  }
  return body
}

/**
 * Checks every file of a folder against its manifest, and the manifest against its digest. Returns the
 * manifest.
 */
export async function checkFolder(folder: string): Promise<Manifest> {
  const { manifest } = await readFolder(folder)
  const { digest, ...rest } = manifest
  if (computeContentId(rest) !== digest)
    throw new Failure(
      `${join(folder, 'manifest.json')} was changed: its digest does not match its content`,
      1,
    )
  for (const [file, hash] of Object.entries(manifest.files)) {
    const bytes = (await readOwn(folder, file)).toString('latin1')
    // A dataset card stands above the set's own README.
    const own = file === 'README.md' ? bytes.replace(/^---\n[^]*?\n---\n/, '') : bytes
    if (![bytes, own].some((text) => sha256(Buffer.from(text, 'latin1')) === hash))
      throw new Failure(`${join(folder, file)} was changed: its hash does not match`, 1)
  }
  return manifest
}

/** `data` is what a dataset has besides. */
const ours = new Set(['manifest.json', 'cases.jsonl', 'README.md', 'artifacts', 'data'])

/**
 * Writes a folder completely or not at all: into a temporary one next to it, which is then renamed. An
 * older benchmark is replaced. A file, or a folder with any other content, is refused.
 */
export async function writeFolder(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const target = resolve(folder)
  await checkTarget(folder)
  const beside = (ending: string) => join(dirname(target), `.${basename(target)}.${process.pid}.${ending}`)
  const [temporary, former] = [beside('tmp'), beside('old')]
  await rm(temporary, { recursive: true, force: true })
  await rm(former, { recursive: true, force: true })
  try {
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(temporary, file)), { recursive: true })
      await writeFile(join(temporary, file), content)
    }
    // An older benchmark is removed last: whatever ends the command, one of the two is there.
    await rename(target, former).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(temporary, target)
  } catch (error) {
    await rename(former, target).catch(() => undefined)
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
    throw explainUnwritable(folder, error)
  }
  await rm(former, { recursive: true, force: true })
}

/** Throws a Failure if writing a benchmark to `folder` would remove something other than a benchmark. */
export async function checkTarget(folder: string): Promise<void> {
  const existing = await readdir(resolve(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[]
    throw new Failure(
      `${folder} can't be written as a folder (${error.code ?? error.message}): choose another --out`,
    )
  })
  if (existing.length > 0 && !existing.includes('manifest.json'))
    throw new Failure(`${folder} exists and is not a benchmark folder; choose another --out`)
  const others = existing.filter((name) => !ours.has(name))
  if (others.length > 0)
    throw new Failure(
      `${folder} also contains ${others.slice(0, 3).join(', ')}, which would be lost: move that, or choose another --out`,
    )
}
