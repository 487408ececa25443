import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { evaluation, talk } from '../suite/index.ts'
import { names } from '../suite/options.ts'

interface Options {
  add?: string[]
  remove?: string[]
}

export const tag = defineCommand<Options>({
  name: 'tag <evaluation>',
  describe: 'Add tags to an evaluation, remove them, or show them',
  example:
    'npx stateeval tag ev_0123456789abcdef --add nightly,team:search --remove draft\nnpx stateeval list evaluations --tag nightly',
  configure: (command) =>
    command
      .option('--add <tags>', 'tags to add, separated by commas', names)
      .option('--remove <tags>', 'tags to remove, separated by commas', names),
  run: async ({ options: { add, remove }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const id = args[0]!
      if (!id.startsWith('ev_')) throw new Failure(`${id} is not an evaluation. Give an id: ev_….`)
      const params = { id }
      const changed =
        add || remove
          ? await evaluation().changeEvaluationTags({
              params,
              body: { ...(add && { add }), ...(remove && { remove }) },
            })
          : await evaluation().getEvaluation({ params })
      const { tags = [] } = changed
      terminal.result(changed, () =>
        tags.length === 0 ? `The evaluation ${id} has no tags.` : `The evaluation ${id}: ${tags.join(', ')}`,
      )
      return 0
    }),
})
