/** Counts questions to models against the budget of the asking project. */
import type { BudgetPart, Usage } from '@stateeval/contracts'
import type { ProjectQuota } from './quota.ts'

const ofModels: readonly BudgetPart[] = ['promptTokens', 'completionTokens', 'usd']

/** @param remedy what the caller should do once the budget is larger */
export const createModelMeter = (
  quota: Pick<ProjectQuota, 'exhausted' | 'usedForGood'>,
  remedy: (by: string) => string,
) => ({
  async over({ by }: { by: string }): Promise<string | null> {
    const reason = await quota.exhausted(ofModels)
    return reason === null ? null : `stopped: ${reason}; then ${remedy(by)}`
  },
  add: ({ requests, promptTokens, completionTokens }: Usage, usd: number | null) =>
    quota.usedForGood({ modelRequests: requests, promptTokens, completionTokens, usd: usd ?? 0 }),
})
