import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { folderLimit } from '@stateeval/contracts'
import type { PublishedFiles } from '@stateeval/program/presentation'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { plural } from '../report/format.ts'
import { setText } from '../report/set.ts'
import { noFolder } from '../suite/benchmark.ts'
import { save } from '../suite/download.ts'
import { checkTarget } from '../suite/folder.ts'
import { listOwn, readOwn, walkOwn } from '../suite/own-file.ts'
import { evaluation, talk } from '../suite/index.ts'
import { datasetNames, presentationOfDataset } from '../suite/kinds.ts'

/** The most text that is sent: JSON escapes take the rest of what a body may have. */
const mostBytes = 0.9 * folderLimit

/** The data as texts by path, such as tasks/asana.json; also where the folder has them below the benchmark's name. */
export async function readDataset(benchmark: string, folder: string): Promise<Record<string, string>> {
  const wanted = presentationOfDataset(benchmark)?.dataset
  if (!wanted)
    throw new Failure(
      `there is no published data for ${benchmark}; there is for: ${datasetNames().join(', ')}`,
    )
  const get = 'depth' in wanted ? '' : `et the data with: scripts/datasets --download ${benchmark} ${folder}`
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw noFolder(folder, error, get && ` G${get}`)
  })
  for (const root of 'depth' in wanted ? [folder] : [folder, join(folder, benchmark)]) {
    const files: Record<string, string> = {}
    let bytes = 0
    for (const path of (await pathsIn(root, wanted)).filter((one) => wanted.file.test(one))) {
      const content = await readOwn(root, path)
      bytes += content.length
      if (bytes > mostBytes)
        throw new Failure(
          `${folder} has more than ${Math.floor(mostBytes / 2 ** 20)} MiB of data with ${path}. Import its parts by themselves.`,
        )
      files[path] = content.toString('utf8')
    }
    if (Object.keys(files).length > 0) return files
  }
  throw new Failure(
    'depth' in wanted
      ? `${folder} has no files of ${benchmark}. Name the folder that holds its published cases.`
      : `${folder} has no folders ${wanted.folders.join(' and ')} of ${benchmark}; g${get}`,
  )
}

/** What there is, wanted or not. */
async function pathsIn(root: string, wanted: PublishedFiles): Promise<string[]> {
  if ('depth' in wanted) return walkOwn(root, wanted.depth)
  const paths: string[] = []
  for (const part of wanted.folders)
    for (const name of await listOwn(root, part)) paths.push(`${part}/${name}`)
  return paths
}

export const importData = defineCommand<{ out?: string }>({
  name: 'import <benchmark> <folder>',
  describe: `Import the published data of a benchmark: ${datasetNames().join(', ')}`,
  example: datasetNames()
    .map((name) => `npx stateeval import ${name} datasets/${name}`)
    .join('\n'),
  configure: (command) => command.option('--out <folder>', 'write it there as a benchmark folder, too'),
  run: async ({ options: { out }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const [name, folder] = args as [string, string]
      if (out) await checkTarget(out)
      const files = await readDataset(name, folder)
      terminal.step(plural(Object.keys(files).length, 'file'))
      const imported = await evaluation().importDataset({
        body: { kind: presentationOfDataset(name)?.kind ?? name, files },
      })
      await save(imported, out)
      const next = `Next: npx stateeval evaluate --benchmark ${out ?? imported.id} --model reference`
      terminal.result(imported, () => [...setText(imported), next].join('\n\n'))
      return 0
    }),
})
