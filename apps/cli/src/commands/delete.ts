import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseDigest } from '../world/store.ts'

interface DeleteOptions {
  yes?: boolean
}

export const remove = defineCommand<DeleteOptions>({
  name: 'delete <id>',
  describe: 'Delete an evaluation or a benchmark with all its data, or a world model',
  example:
    'npx stateeval delete ev_0123456789abcdef --yes\nnpx stateeval delete bm_0123456789abcdef --yes\nnpx stateeval delete sha256:DIGEST --yes',
  configure: (command) => command.option('--yes', 'confirm the permanent deletion'),
  run: async ({ options: { yes }, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const id = args[0]!
      const isWorld = /^(world@)?sha256:/.test(id)
      if (!isWorld && !/^(ev|bm)_/.test(id))
        throw new Failure(
          `${id} is not an evaluation, a benchmark or a world model. Give an id: ev_…, bm_… or sha256:….`,
        )
      if (!yes)
        throw new Failure(`This deletes ${id} permanently. To confirm, repeat the command with --yes.`)
      const params = { id }
      if (isWorld) await connectEvaluation().deleteWorldModel({ params: { digest: parseDigest(id) } })
      else if (id.startsWith('bm_')) await connectEvaluation().deleteBenchmark({ params })
      else await connectEvaluation().deleteEvaluation({ params })
      terminal.result({ id, status: 'deleted' }, () => `${id} is deleted.`)
      return 0
    }),
})
