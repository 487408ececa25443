import { defineCommand, type ExitCode } from '../command.ts'
import { findFolders } from '../local/folders.ts'
import { setText } from '../report/set.ts'
import { resolveBenchmarkId } from '../suite/benchmark.ts'
import { save } from '../suite/download.ts'
import { checkTarget } from '../suite/folder.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { watch } from '../suite/watch.ts'

export const show = defineCommand<{ out?: string }>({
  name: 'show <benchmark>',
  describe: 'Show a benchmark: its build and its statistics; shows progress during a build',
  example: 'npx stateeval show bm_0123456789abcdef\nnpx stateeval show bm_0123456789abcdef --out benchmark/',
  configure: (command) => command.option('--out <folder>', 'write it to this benchmark folder'),
  run: async ({ options: { out }, args, terminal, signal }) =>
    runRequests(async (): Promise<ExitCode> => {
      if (out) await checkTarget(out)
      const client = connectEvaluation()
      const params = { id: await resolveBenchmarkId(args[0]!, terminal, '<benchmark>') }
      const get = () => client.getBenchmark({ params })
      const benchmark = await watch(
        { title: 'build', first: await get(), get, later: `npx stateeval show ${params.id}` },
        terminal,
        signal,
      )
      await save(benchmark, out, terminal)
      const digest = benchmark.manifest?.digest ?? ''
      const folders = (await findFolders([digest])).get(digest) ?? []
      const where = folders.length > 0 ? [`Folder: ${folders.join(', ')}`] : []
      terminal.result({ ...benchmark, folders }, () =>
        [
          ...setText(benchmark),
          ...where,
          `Next: npx stateeval evaluate --benchmark ${benchmark.id} --model reference`,
        ].join('\n\n'),
      )
      return 0
    }),
})
