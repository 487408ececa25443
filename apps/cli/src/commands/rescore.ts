import type { RescoreRequest } from '@stateeval/contracts'
import { defineCommand } from '../command.ts'
import { formatChanges, listVerdictChanges } from '../report/changes.ts'
import { formatComparison } from '../report/comparison.ts'
import { concludeEvaluation } from '../suite/conclude.ts'
import { type GateCommand, addGateOptions, buildGateRequest } from '../suite/gate.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { parseInteger, parseLimits, parseNames } from '../suite/options.ts'

export const rescore = defineCommand<RescoreRequest & GateCommand>({
  name: 'rescore <evaluation>',
  describe:
    'Score the stored samples of an evaluation again, as a new evaluation, and compare both; it calls no model and runs no code',
  example: [
    'npx stateeval rescore ev_0123456789abcdef   # after an update of StateEval: with the new scorer',
    'npx stateeval rescore ev_0123456789abcdef --policy published',
  ].join('\n'),
  configure: (command) =>
    addGateOptions(
      command
        .option('--policy <name>', 'the policy that decides the verdicts, for benchmarks with several')
        .option('--samples <n>', 'only the first answers of each case', parseInteger(1, 1000))
        .option('--rounds <n>', 'with reflect: only the first rounds', parseInteger(1, 8))
        .option('--limits <list>', 'limits of a dialogue, as turns=40,seconds=3600', parseLimits)
        .option('--without <parts>', 'optional parts to leave out, such as judge:correctness', parseNames),
    ),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async () => {
      buildGateRequest(options)
      const [original = ''] = args
      const client = connectEvaluation()
      const { policy, samples, rounds, limits: dialogueLimits, without } = options
      const body = {
        ...(policy !== undefined && { policy }),
        ...(samples !== undefined && { samples }),
        ...(rounds !== undefined && { rounds }),
        ...(dialogueLimits && { limits: dialogueLimits }),
        ...(without && { without }),
      }
      const job = await client.rescoreEvaluation({ params: { id: original }, body })
      return concludeEvaluation(job, { options, terminal, signal }, async ({ result }) => {
        const before = await client.getEvaluationReport({ params: { id: original } })
        const comparison = await client.createComparison({ body: { evaluations: [original, job.id] } })
        const changes = listVerdictChanges(before.result, result)
        return {
          members: { rescored: original, changes, comparison },
          text: (colors) =>
            [
              formatChanges(changes, result.samples.length, colors),
              formatComparison(comparison, colors),
            ].join('\n\n'),
        }
      })
    }),
})
