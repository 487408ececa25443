/** What questions to models count against: the budget of the project that asks. */
import type { BudgetPart, Usage } from '@stateeval/contracts'
import type { Quota } from './quota.ts'

const ofModels: readonly BudgetPart[] = ['promptTokens', 'completionTokens', 'usd']

/** @param remedy what to do once the budget is larger, for whoever asks */
export const modelMeter = (
  quota: Pick<Quota, 'exhausted' | 'usedForGood'>,
  remedy: (by: string) => string,
) => ({
  async over({ by }: { by: string }): Promise<string | null> {
    const reason = await quota.exhausted(ofModels)
    return reason === null ? null : `stopped: ${reason}; then ${remedy(by)}`
  },
  add: ({ requests, promptTokens, completionTokens }: Usage, usd: number | null) =>
    quota.usedForGood({ modelRequests: requests, promptTokens, completionTokens, usd: usd ?? 0 }),
})
