import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchmarkResource } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { download } from '../suite/download.ts'
import { checkTarget, writeFolder } from '../suite/folder.ts'
import { evaluation, talk } from '../suite/index.ts'
import { table } from '../terminal.ts'

/** Which files of a folder belong to a benchmark's published data. */
const published: Readonly<Record<string, { folders: readonly string[]; file: RegExp }>> = {
  wapiibench: { folders: ['tasks', 'specs'], file: /\.(json|ya?ml)$/ },
}

/** The data as texts by path, such as tasks/asana.json; also where the folder has them below the benchmark's name. */
export async function readDataset(benchmark: string, folder: string): Promise<Record<string, string>> {
  const wanted = published[benchmark]
  if (!wanted) throw new Failure(`there is no published data for ${benchmark}; there is for: ${Object.keys(published).join(', ')}`)
  for (const root of [folder, join(folder, benchmark)]) {
    const files: Record<string, string> = {}
    for (const part of wanted.folders)
      for (const name of (await readdir(join(root, part)).catch(() => [] as string[])).sort())
        if (wanted.file.test(name)) files[`${part}/${name}`] = await readFile(join(root, part, name), 'utf8')
    if (Object.keys(files).length > 0) return files
  }
  throw new Failure(
    `${folder} has no folders ${wanted.folders.join(' and ')} of ${benchmark}; get the data with: scripts/datasets --download ${benchmark} ${folder}`,
  )
}

function describe({ id, manifest, warnings = [] }: BenchmarkResource, out?: string): string {
  const parts = manifest?.statistics ?? []
  return [
    `Benchmark ${id}: ${manifest?.counts.kept} tasks.`,
    table(
      ['part', 'tasks', 'endpoints'],
      parts.map(({ scenario, cases, apis }) => [scenario, cases, apis]),
    ),
    ...(warnings.length > 0 ? [['Taken as it is, although odd:', ...warnings.map((warning) => `  ${warning}`)].join('\n')] : []),
    `Next: npx stateeval evaluate --benchmark ${out ?? id} --model reference`,
  ].join('\n\n')
}

export const importData = defineCommand<{ out?: string }>({
  name: 'import <benchmark> <folder>',
  describe: 'Import the published data of a benchmark: wapiibench',
  example: 'npx stateeval import wapiibench datasets/wapiibench',
  configure: (command) => command.option('--out <folder>', 'write it there as a benchmark folder, too'),
  run: async ({ options: { out }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const [benchmark, folder] = args as [string, string]
      if (out) await checkTarget(out)
      const files = await readDataset(benchmark, folder)
      terminal.step(`${Object.keys(files).length} files`)
      const imported = await evaluation().importDataset({ body: { benchmark, files } })
      if (out && imported.manifest) await writeFolder(out, await download(imported.id, imported.manifest))
      terminal.result(imported, () => describe(imported, out))
      return 0
    }),
})
