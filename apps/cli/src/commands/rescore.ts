import type { RescoreRequest } from '@stateeval/contracts'
import { defineCommand } from '../command.ts'
import { changesTable, verdictChanges } from '../report/changes.ts'
import { comparisonTable } from '../report/comparison.ts'
import { conclude } from '../suite/conclude.ts'
import { type GateCommand, gateOptions, gateRequest } from '../suite/gate.ts'
import { evaluation, talk } from '../suite/index.ts'
import { integer, limits, names } from '../suite/options.ts'

export const rescore = defineCommand<RescoreRequest & GateCommand>({
  name: 'rescore <evaluation>',
  describe:
    'Score the stored samples of an evaluation again, as a new evaluation, and compare both; it calls no model and runs no code',
  example: [
    'npx stateeval rescore ev_0123456789abcdef   # after an update of StateEval: with the new scorer',
    'npx stateeval rescore ev_0123456789abcdef --policy published',
  ].join('\n'),
  configure: (command) =>
    gateOptions(
      command
        .option('--policy <name>', 'the policy that decides the verdicts, for benchmarks with several')
        .option('--samples <n>', 'only the first answers of each case', integer(1, 1000))
        .option('--rounds <n>', 'with reflect: only the first rounds', integer(1, 8))
        .option('--limits <list>', 'limits of a dialogue, as turns=40,seconds=3600', limits)
        .option('--without <parts>', 'optional parts to leave out, such as judge:correctness', names),
    ),
  run: async ({ options, args, terminal, signal }) =>
    talk(async () => {
      gateRequest(options)
      const [original = ''] = args
      const client = evaluation()
      const { policy, samples, rounds, limits: dialogueLimits, without } = options
      const body = {
        ...(policy !== undefined && { policy }),
        ...(samples !== undefined && { samples }),
        ...(rounds !== undefined && { rounds }),
        ...(dialogueLimits && { limits: dialogueLimits }),
        ...(without && { without }),
      }
      const job = await client.rescoreEvaluation({ params: { id: original }, body })
      return conclude(job, { options, terminal, signal }, async ({ result }) => {
        const before = await client.getEvaluationReport({ params: { id: original } })
        const comparison = await client.createComparison({ body: { evaluations: [original, job.id] } })
        const changes = verdictChanges(before.result, result)
        return {
          members: { rescored: original, changes, comparison },
          text: (colors) =>
            [changesTable(changes, result.samples.length, colors), comparisonTable(comparison, colors)].join(
              '\n\n',
            ),
        }
      })
    }),
})
