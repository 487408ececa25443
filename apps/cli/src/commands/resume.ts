import { defineCommand, Failure } from '../command.ts'
import { concludeEvaluation } from '../suite/conclude.ts'
import { type GateCommand, addGateOptions, buildGateRequest } from '../suite/gate.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { type BudgetCommand, readBudget, addBudgetOptions } from '../suite/model-options.ts'

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
  configure: (command) => addGateOptions(addBudgetOptions(command)),
  run: async ({ options, args, terminal, signal }) =>
    runRequests(async () => {
      buildGateRequest(options)
      const params = { id: args[0]! }
      const client = connectEvaluation()
      const resource = await client.getEvaluation({ params })
      const raised = readBudget(options)
      const stopped = resource.status === 'cancelled' || resource.status === 'failed'
      if (raised.budget && !stopped)
        throw new Failure(
          `The evaluation ${resource.id} ${resource.status === 'succeeded' ? 'has succeeded' : 'is running'}; only the budget of a stopped one can be changed. ` +
            (resource.status === 'succeeded'
              ? `Its report: npx stateeval report ${resource.id}`
              : `Stop it with: npx stateeval cancel ${resource.id}`),
        )
      const going = stopped ? await client.resumeEvaluation({ params, body: raised }) : resource
      return concludeEvaluation(going, { options, terminal, signal })
    }),
})
