import { Option } from 'commander'
import { defineCommand, type ExitCode } from '../command.ts'
import { partialText } from '../report/format.ts'
import { formats } from '../report/index.ts'
import { evaluation, talk } from '../suite/index.ts'

export const report = defineCommand<{ format: string }>({
  name: 'report <evaluation>',
  describe: 'Show the report of an evaluation; partial while it runs or after a cancellation',
  example: 'npx stateeval report ev_0123456789abcdef --format junit > report.xml',
  configure: (command) =>
    command.addOption(
      new Option('--format <format>', 'output format').choices(Object.keys(formats)).default('table'),
    ),
  run: async ({ options: { format }, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const resource = await evaluation().getEvaluationReport({ params: { id: args[0]! } })
      const { partial } = resource.result
      // Not every format has a place for it.
      if (partial && format !== 'table') terminal.notice(`Partial report: ${partialText(partial)}.`)
      terminal.result(resource, () => formats[format]!(resource, terminal.colors).replace(/\n$/, ''))
      return 0
    }),
})
