import { defineCommand, Failure } from '../command.ts'
import { conclude } from '../suite/conclude.ts'
import { type GateCommand, gateOptions, gateRequest } from '../suite/gate.ts'
import { evaluation, talk } from '../suite/index.ts'
import { type BudgetCommand, budgetOf, budgetOptions } from '../suite/model-options.ts'

/**
 * Continues a cancelled or failed evaluation, watches a running one, or shows the report of one that
 * succeeded.
 */
export const resume = defineCommand<BudgetCommand & GateCommand>({
  name: 'resume <evaluation>',
  describe:
    'Continue an evaluation that was cancelled, failed or used up its budget, or watch one that is running',
  example:
    'npx stateeval resume ev_0123456789abcdef\nnpx stateeval resume ev_0123456789abcdef --budget-usd 5   # in total, including earlier costs',
  configure: (command) => gateOptions(budgetOptions(command)),
  run: async ({ options, args, terminal, signal }) =>
    talk(async () => {
      gateRequest(options)
      const params = { id: args[0]! }
      const client = evaluation()
      const resource = await client.getEvaluation({ params })
      const raised = budgetOf(options)
      const stopped = resource.status === 'cancelled' || resource.status === 'failed'
      if (raised.budget && !stopped)
        throw new Failure(
          `The evaluation ${resource.id} ${resource.status === 'succeeded' ? 'has succeeded' : 'is running'}; only the budget of a stopped one can be changed. ` +
            (resource.status === 'succeeded'
              ? `Its report: npx stateeval report ${resource.id}`
              : `Stop it with: npx stateeval cancel ${resource.id}`),
        )
      const going = stopped ? await client.resumeEvaluation({ params, body: raised }) : resource
      return conclude(going, { options, terminal, signal })
    }),
})
