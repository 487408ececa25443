import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseNames } from '../suite/options.ts'

interface TagOptions {
  add?: string[]
  remove?: string[]
}

export const tag = defineCommand<TagOptions>({
  name: 'tag <evaluation>',
  describe: 'Add tags to an evaluation, remove them, or show them',
  example:
    'npx stateeval tag ev_0123456789abcdef --add nightly,team:search --remove draft\nnpx stateeval list evaluations --tag nightly',
  configure: (command) =>
    command
      .option('--add <tags>', 'tags to add, separated by commas', parseNames)
      .option('--remove <tags>', 'tags to remove, separated by commas', parseNames),
  run: async ({ options: { add, remove }, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const id = args[0]!
      if (!id.startsWith('ev_')) throw new Failure(`${id} is not an evaluation. Give an id: ev_….`)
      const params = { id }
      const changed =
        add || remove
          ? await connectEvaluation().changeEvaluationTags({
              params,
              body: { ...(add && { add }), ...(remove && { remove }) },
            })
          : await connectEvaluation().getEvaluation({ params })
      const { tags = [] } = changed
      terminal.result(changed, () =>
        tags.length === 0 ? `The evaluation ${id} has no tags.` : `The evaluation ${id}: ${tags.join(', ')}`,
      )
      return 0
    }),
})
