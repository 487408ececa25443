/**
 * The usage of each account, as far as this process knows. It guards budgets and is not a record: it may be
 * lost, and requests in flight are not included.
 */
import type { Usage } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { addUsage, noUsage } from '../cost.ts'

/** A recording, or an earlier account that asked again. */
export type ResponseSource = { recording: string } | { by: string }

/** The account for which questions are asked. */
export interface SpendingAccount {
  id: string
  /** Stored with each answer: who asked first. */
  by: string
  /** Takes every answer from this recording. */
  recording?: string
  /** Takes every answer from the first of these that has one. Nobody is asked what none of them answers. */
  responses?: readonly ResponseSource[]
  /** Asks every question again, including those already answered. */
  fresh?: boolean
  /**
   * Nothing depends on its answers: the first refusal that concerns every question closes it, so that nobody
   * else tries.
   */
  optional?: boolean
  /** Tells whether the asking job has ended and needs no answer any more. Absent where that is not known. */
  hasEnded?(): Promise<boolean>
  /** The usage of its ended questions, on all replicas. Absent where only this process asks. */
  ended?(): Promise<Usage>
  /** Why nothing more may be asked after `usage`; null where it may. */
  over?(usage: Usage): Promise<string | null>
}
type AccountName = Pick<SpendingAccount, 'id'>

interface AccountBalance {
  /** Usage of questions that had ended at the first look, and of those asked here since; null before. */
  usage: Usage | null
  /** Questions that were answered, also from what was kept. */
  answers: number
  /** Why no further question is asked. */
  closedReason?: string
  /** Steps whose question the endpoint did not take. */
  refusals: Set<string>
}

export interface SpendingLedger {
  /** Reads the account's usage: the larger of here and all replicas. */
  usageOf(account: Pick<SpendingAccount, 'id' | 'ended'>): Promise<Usage>
  /** A question was answered for this much: nothing where the answer was kept. */
  add(account: Pick<SpendingAccount, 'id' | 'ended' | 'over'>, usage: Usage): Promise<void>
  /** Tokens of a reply that answered nothing. */
  spend(account: Pick<SpendingAccount, 'id' | 'ended' | 'over'>, usage: Usage): Promise<void>
  /** How many questions were answered here. */
  answers(account: AccountName): number
  close(account: AccountName, reason: string): void
  closed(account: AccountName): string | null
  /** Notes that a step's question was not taken. */
  refuse(account: AccountName, step: string): void
  /** Counts the steps whose question was not taken. */
  refused(account: AccountName): number
  /**
   * Waits for the account's next answer or refusal here, at most so many milliseconds, or until the signal.
   */
  change(account: AccountName, ms: number, signal: AbortSignal): Promise<void>
  /** Forgets refusals: the account may take questions again. */
  forget(account: AccountName): void
}

const maxAccounts = 1000

export function createLedger(): SpendingLedger {
  const balances = new LRUCache<string, AccountBalance>({ max: maxAccounts })
  const waiting = new Map<() => void, string>()
  const of = ({ id }: AccountName): AccountBalance => {
    const balance = balances.get(id) ?? { usage: null, answers: 0, refusals: new Set() }
    balances.set(id, balance)
    return balance
  }
  const changed = ({ id }: AccountName) => {
    for (const [wake, account] of [...waiting]) if (account === id) wake()
  }
  const usageOf: SpendingLedger['usageOf'] = async (account) => {
    const endedUsage = (await account.ended?.()) ?? noUsage
    const usage = (of(account).usage ??= endedUsage)
    const here = usage.promptTokens + usage.completionTokens
    return here >= endedUsage.promptTokens + endedUsage.completionTokens &&
      usage.requests >= endedUsage.requests
      ? usage
      : endedUsage
  }
  return {
    usageOf,
    async add(account, usage) {
      // Only a budget needs to know at once what had ended before.
      if (account.over) await usageOf(account)
      const balance = of(account)
      balance.usage = addUsage(balance.usage ?? noUsage, usage)
      balance.answers++
      changed(account)
    },
    async spend(account, usage) {
      if (account.over) await usageOf(account)
      const balance = of(account)
      balance.usage = addUsage(balance.usage ?? noUsage, { ...usage, requests: 0 })
    },
    answers: (account) => of(account).answers,
    close(account, reason) {
      of(account).closedReason = reason
    },
    closed: (account) => of(account).closedReason ?? null,
    refuse(account, step) {
      of(account).refusals.add(step)
      changed(account)
    },
    refused: (account) => of(account).refusals.size,
    change: ({ id }, ms, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.set(wake, id)
        signal.addEventListener('abort', wake, { once: true })
        if (signal.aborted) wake()
      }),
    forget: ({ id }) => void balances.delete(id),
  }
}
