import { defineCommand, Failure } from '../command.ts'
import { conclude, type GateCommand, gateOptions } from '../suite/conclude.ts'
import { evaluation, talk } from '../suite/index.ts'
import { type BudgetCommand, budgetOf, budgetOptions } from '../suite/model-options.ts'

/** Goes on with what was cancelled or failed; what runs is watched, what has succeeded is shown. */
export const resume = defineCommand<BudgetCommand & GateCommand>({
  name: 'resume <evaluation>',
  describe: 'Go on with an evaluation that was cancelled, failed or used up its budget, or watch one that runs',
  example:
    'npx stateeval resume ev_0123456789abcdef\nnpx stateeval resume ev_0123456789abcdef --budget-usd 5   # of all that it costs, also before',
  configure: (command) => gateOptions(budgetOptions(command)),
  run: async ({ options, args, terminal, signal }) =>
    talk(async () => {
      const params = { id: args[0]! }
      const client = evaluation()
      const found = await client.getEvaluation({ params })
      const raised = budgetOf(options)
      const stopped = found.status === 'cancelled' || found.status === 'failed'
      if (raised.budget && !stopped)
        throw new Failure(
          `evaluation ${found.id} ${found.status === 'succeeded' ? 'has succeeded' : 'runs'}: the budget of one that has stopped can be set`,
        )
      const going = stopped ? await client.resumeEvaluation({ params, body: raised }) : found
      return conclude(going, { options, terminal, signal })
    }),
})
