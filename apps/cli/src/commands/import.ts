import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { plural } from '../report/format.ts'
import { setText } from '../report/set.ts'
import { noFolder } from '../suite/benchmark.ts'
import { save } from '../suite/download.ts'
import { checkTarget } from '../suite/folder.ts'
import { listOwn, readOwn } from '../suite/own-file.ts'
import { evaluation, talk } from '../suite/index.ts'
import { kindsWith, presentationOf } from '../suite/kinds.ts'

/** The data as texts by path, such as tasks/asana.json; also where the folder has them below the benchmark's name. */
export async function readDataset(benchmark: string, folder: string): Promise<Record<string, string>> {
  const wanted = presentationOf(benchmark)?.dataset
  if (!wanted)
    throw new Failure(
      `there is no published data for ${benchmark}; there is for: ${kindsWith('dataset').join(', ')}`,
    )
  await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw noFolder(folder, error, ` Get the data with: scripts/datasets --download ${benchmark} ${folder}`)
  })
  for (const root of [folder, join(folder, benchmark)]) {
    const files: Record<string, string> = {}
    for (const part of wanted.folders)
      for (const name of await listOwn(root, part))
        if (wanted.file.test(name))
          files[`${part}/${name}`] = (await readOwn(root, join(part, name))).toString('utf8')
    if (Object.keys(files).length > 0) return files
  }
  throw new Failure(
    `${folder} has no folders ${wanted.folders.join(' and ')} of ${benchmark}; get the data with: scripts/datasets --download ${benchmark} ${folder}`,
  )
}

const [exampleKind] = kindsWith('dataset')

export const importData = defineCommand<{ out?: string }>({
  name: 'import <benchmark> <folder>',
  describe: `Import the published data of a benchmark: ${kindsWith('dataset').join(', ')}`,
  example: `npx stateeval import ${exampleKind} datasets/${exampleKind}`,
  configure: (command) => command.option('--out <folder>', 'write it there as a benchmark folder, too'),
  run: async ({ options: { out }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const [kind, folder] = args as [string, string]
      if (out) await checkTarget(out)
      const files = await readDataset(kind, folder)
      terminal.step(plural(Object.keys(files).length, 'file'))
      const imported = await evaluation().importDataset({ body: { kind, files } })
      await save(imported, out)
      const next = `Next: npx stateeval evaluate --benchmark ${out ?? imported.id} --model reference`
      terminal.result(imported, () => [...setText(imported), next].join('\n\n'))
      return 0
    }),
})
