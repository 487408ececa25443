import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { presentations } from '@stateeval/benchmarks/presentations'
import { type BenchmarkResource, folderLimit } from '@stateeval/contracts'
import type { PublishedFiles } from '@stateeval/program/presentation'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatPlural } from '../report/format.ts'
import { setText } from '../report/set.ts'
import { explainNoFolder } from '../suite/benchmark.ts'
import { save } from '../suite/download.ts'
import {
  checkReferences,
  formatReferenceCheck,
  type ReferenceCheck,
  refuseReferences,
} from '../suite/check-references.ts'
import { checkTarget } from '../suite/folder.ts'
import type { CommandTerminal } from '../terminal.ts'
import { listOwn, readOwn, walkOwn } from '../suite/own-file.ts'
import { createCounter } from '../suite/counter.ts'
import { connectUpload, runRequests } from '../suite/index.ts'
import { parseShare } from '../suite/options.ts'
import { removeByteOrderMark } from '../text-file.ts'
import { listDatasetNames, findDatasetPresentation } from '../suite/kinds.ts'

/** The most text that is sent: JSON escapes take the rest of what a body may have. */
const maxBytes = 0.9 * folderLimit

const packed = '.gz'

/** A file's name and text, unpacked where its name says that it is packed. */
function readPlainFile(path: string, content: Buffer): [path: string, text: string, bytes: number] {
  if (!path.endsWith(packed)) return [path, removeByteOrderMark(content.toString('utf8')), content.length]
  try {
    const plain = gunzipSync(content, { maxOutputLength: maxBytes })
    return [path.slice(0, -packed.length), removeByteOrderMark(plain.toString('utf8')), plain.length]
  } catch (error) {
    throw new Failure(
      `${path} can't be unpacked: ${(error as Error).message}. It should be a gzip file of at most ${Math.floor(maxBytes / 2 ** 20)} MiB of text.`,
    )
  }
}

/**
 * The data as texts by path, such as tasks/asana.json. They may also be in a subfolder with the benchmark's
 * name. The terminal shows how many files are read.
 */
export async function readDataset(
  benchmark: string,
  path: string,
  terminal: CommandTerminal,
): Promise<Record<string, string>> {
  const dataset = findDatasetPresentation(benchmark)?.dataset
  if (!dataset)
    throw new Failure(
      `there is no published data for ${benchmark}; available for: ${listDatasetNames().join(', ')}`,
    )
  // Data without folders may be one file.
  const isFile = 'depth' in dataset && (await stat(path).catch(() => null))?.isFile() === true
  const folder = isFile ? dirname(path) : path
  const get = 'depth' in dataset ? '' : `et the data with: scripts/datasets --download ${benchmark} ${folder}`
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw explainNoFolder(folder, error, get && ` G${get}`)
  })
  for (const root of 'depth' in dataset ? [folder] : [folder, join(folder, benchmark)]) {
    const files: Record<string, string> = {}
    let bytes = 0
    const paths = (isFile ? [basename(path)] : await listDatasetPaths(root, dataset)).filter((name) =>
      dataset.file.test(name),
    )
    const tell = createCounter('import', paths.length, terminal)
    for (const [at, one] of paths.entries()) {
      tell(at, 'files read')
      const [name, text, size] = readPlainFile(one, await readOwn(root, one))
      bytes += size
      if (bytes > maxBytes)
        throw new Failure(
          `${folder} has more than ${Math.floor(maxBytes / 2 ** 20)} MiB of data with ${one}. Import its parts separately.`,
        )
      files[name] = text
    }
    if (Object.keys(files).length > 0) return files
  }
  throw new Failure(
    'depth' in dataset
      ? `${path} has no files of ${benchmark}. Name the folder that contains its published cases, or one of their files.`
      : `${folder} has no folders ${dataset.folders.join(' and ')} of ${benchmark}; g${get}`,
  )
}

/** Lists all files, wanted or not. */
async function listDatasetPaths(root: string, dataset: PublishedFiles): Promise<string[]> {
  if ('depth' in dataset) return walkOwn(root, dataset.depth)
  const paths: string[] = []
  for (const part of dataset.folders)
    for (const name of await listOwn(root, part)) paths.push(`${part}/${name}`)
  return paths
}

/** Kinds whose import takes a further folder, with what it holds. */
const furtherFolders = presentations.flatMap(({ kind, dataset }) =>
  dataset?.packed ? [{ name: dataset.name ?? kind, ...dataset.packed }] : [],
)

/** Packs the other files of the options, the data, each folder as one file. */
async function packFolders(
  name: string,
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const one of furtherFolders) {
    const folder = options[one.option]
    if (typeof folder !== 'string') continue
    if (one.name !== name)
      throw new Failure(`--${one.option} is an option of ${one.name}, not of ${name}. Leave it out.`)
    await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      throw explainNoFolder(folder, error)
    })
    const texts: Record<string, string> = {}
    for (const file of await listOwn(folder, '.'))
      if (one.file.test(file)) texts[file] = (await readOwn(folder, file)).toString('utf8')
    if (Object.keys(texts).length === 0)
      throw new Failure(`${folder} has none of ${one.help}. Name the folder that contains them.`)
    files[one.as] = JSON.stringify(texts)
  }
  return files
}

/** The share of references that may fail: published data have a few mistakes, a wrong import has many. */
const allowedShare = 0.05

/** Says first how many references pass; 1 if too many fail. */
function concludeImport(
  imported: BenchmarkResource,
  check: ReferenceCheck | string | undefined,
  { out, allowed, terminal }: { out: string | undefined; allowed: number; terminal: CommandTerminal },
): ExitCode {
  const checked = typeof check === 'object' ? check : undefined
  const refusal = typeof check === 'string' ? check : check && refuseReferences(check, allowed)
  const next = `Next: npx stateeval evaluate --benchmark ${out ?? imported.id} --model NAME`
  terminal.result({ ...imported, ...(checked && { references: checked }) }, () =>
    [...(checked ? [formatReferenceCheck(checked)] : []), ...setText(imported), next].join('\n\n'),
  )
  if (!refusal) return 0
  terminal.notice(refusal)
  return 1
}

export const importData = defineCommand<{
  out?: string
  strict?: boolean
  check: boolean
  allowFailing: number
}>({
  name: 'import <benchmark> <path>',
  choices: listDatasetNames(),
  describe: `Import the published data of a benchmark: ${listDatasetNames().join(', ')}`,
  example: listDatasetNames()
    .map((name) => `npx stateeval import ${name} datasets/${name}`)
    .join('\n'),
  configure: (command) =>
    furtherFolders.reduce(
      (all, { name, option, help }) => all.option(`--${option} <folder>`, `for ${name}: ${help}`),
      command
        .option('--out <folder>', 'also write it to this benchmark folder')
        .option('--strict', 'refuse data with a warning instead of keeping and marking it')
        .option(
          '--allow-failing <share>',
          'exit with 1 if a larger share of the references fails here',
          parseShare,
          allowedShare,
        )
        .option('--no-check', 'do not run the references'),
    ),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const [name, folder] = args as [string, string]
      const { out, strict, check, allowFailing } = options
      if (out) await checkTarget(out)
      const files = {
        ...(await readDataset(name, folder, terminal)),
        ...(await packFolders(name, { ...options })),
      }
      terminal.step(formatPlural(Object.keys(files).length, 'file'))
      const imported = await connectUpload('import', terminal).importDataset({
        body: {
          kind: findDatasetPresentation(name)?.kind ?? name,
          files,
          ...(strict && { strict }),
        },
      })
      await save(imported, out, terminal)
      const references = check
        ? await checkReferences({ benchmark: imported.id, terminal, signal })
        : undefined
      return concludeImport(imported, references, { out, allowed: allowFailing, terminal })
    }),
})
