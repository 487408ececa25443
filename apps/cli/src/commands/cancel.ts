import { defineCommand, type ExitCode } from '../command.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'

export const cancel = defineCommand({
  name: 'cancel <id>',
  describe: 'Stop an evaluation, which can be resumed, or a build',
  example: 'npx stateeval cancel ev_0123456789abcdef\nnpx stateeval cancel bm_0123456789abcdef',
  run: async ({ args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const id = args[0]!
      const params = { id }
      const build = id.startsWith('bm_')
      const job = build
        ? await connectEvaluation().cancelBenchmark({ params })
        : await connectEvaluation().cancelEvaluation({ params })
      const { status, progress } = job
      const more =
        !build && status === 'cancelled'
          ? ` What is done is kept; continue with: npx stateeval resume ${id}`
          : ''
      terminal.result(
        job,
        () =>
          `${build ? 'build' : 'evaluation'} ${id}: ${status}, ${progress.done} of ${progress.total} done.${more}`,
      )
      return 0
    }),
})
