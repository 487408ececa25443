import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatComparison } from '../report/comparison.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseSeed } from '../suite/options.ts'

export const compare = defineCommand<{ seed?: number | string }>({
  name: 'compare <evaluations...>',
  describe: 'Compare evaluations of one benchmark, with a significance test for each pair',
  example: 'npx stateeval compare ev_0123456789abcdef ev_fedcba9876543210',
  configure: (command) => command.option('--seed <seed>', 'seed of the bootstrap', parseSeed),
  run: async ({ options, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      if (args.length < 2)
        throw new Failure('Name two or more evaluations. List their ids: npx stateeval list evaluations')
      const body = { evaluations: args, ...(options.seed === undefined ? {} : { seed: options.seed }) }
      const comparison = await connectEvaluation().createComparison({ body })
      terminal.result(comparison, () => formatComparison(comparison, terminal.colors))
      return 0
    }),
})
