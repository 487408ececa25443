/** Limits the questions of all accounts together and counts their usage: the project's budget. */
import type { Usage } from '@stateeval/contracts'
import type { SpendingAccount } from './ledger.ts'

export interface SpendingMeter {
  /** Why nothing more may be asked, and what to do; null where it may. */
  over(account: Pick<SpendingAccount, 'by'>): Promise<string | null>
  /**
   * Counts one answer that was paid for; resolves once that is stored. `usd` is null where no prices are
   * known.
   */
  add(usage: Usage, usd: number | null): Promise<void>
}
