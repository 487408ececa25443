/**
 * Asks a model once. An answer is stored before it is used, under the hash of its question, so neither a
 * crash nor a second caller pays for it twice.
 */
import type { Usage } from '@stateeval/contracts'
import type { AnswerStore, KeptAnswer } from '../answers.ts'
import type { ModelClient } from '../client.ts'
import { computeCostUsd, noUsage } from '../cost.ts'
import type { SpendingMeter } from './meter.ts'
import type { RefusalKind, SettledReply } from '../request.ts'
import { prefixed } from '../wire/completion.ts'
import { readStored } from '../wire/reply.ts'
import { readerVersion } from '../wire/stored-reply.ts'
import type { SpendingAccount, SpendingLedger, ResponseSource } from './ledger.ts'
import {
  type QuestionOutcome,
  type SilenceCause,
  type ModelQuestion,
  computeQuestionKey,
} from './question.ts'

/**
 * Marks of questions that were sent out, by step and attempt: those without an answer are requests that a
 * kill cut short.
 */
interface SentMarks {
  /** False where there is one already. */
  put(id: string, mark: true): Promise<boolean>
  remove(id: string): Promise<void>
}
interface AskerParts {
  modelClient: Pick<ModelClient, 'ask'>
  answers: AnswerStore
  ledger: SpendingLedger
  /** Absent where nobody but the account limits what is asked. */
  meter?: SpendingMeter
  /** Absent where nobody counts repeated requests. */
  asks?: SentMarks
}
export interface QuestionAsker {
  /**
   * `step` names the question for its account. Never rejects for a fault of the endpoint's: how it ended is a
   * value.
   */
  ask: (
    account: SpendingAccount,
    step: string,
    question: ModelQuestion,
    signal: AbortSignal,
  ) => Promise<QuestionOutcome>
}

/** Tells whether the cause of a refusal lies in one question. */
export const isOfQuestion = (kind: SilenceCause): boolean =>
  kind === 'context' || kind === 'moderation' || kind === 'request'

const createUnanswered = (cause: SilenceCause, reason: string): QuestionOutcome => ({
  kind: 'unanswered',
  cause,
  refused: cause !== 'failed' && cause !== 'stopped' && cause !== 'ended',
  ...((cause === 'context' || cause === 'moderation') && { refusal: cause }),
  reason,
})

/** Formats the key of an account's answers. */
const formatStoreKey = (
  { by, recording, fresh }: Pick<SpendingAccount, 'by' | 'recording' | 'fresh'>,
  key: string,
) => (recording ? `${recording}/${key}` : fresh ? `${key}~${by}` : key)
const getStoreKey = (source: ResponseSource, key: string) =>
  formatStoreKey('recording' in source ? { by: '', ...source } : { ...source, fresh: true }, key)

export function createAsker({ modelClient, answers, ledger, meter, asks }: AskerParts): QuestionAsker {
  /** Questions that this process is asking: an equal question waits for the answer. */
  const underWay = new Map<string, Promise<unknown>>()

  /** Marks an attempt before it is made, and gives its number. */
  async function begin(step: string): Promise<number> {
    let attempt = 1
    while (asks && !(await asks.put(`${step}#${attempt}`, true))) attempt++
    return attempt
  }

  async function send(
    account: SpendingAccount,
    step: string,
    { key, storeKey }: { key: string; storeKey: string },
    question: ModelQuestion,
    signal: AbortSignal,
  ): Promise<QuestionOutcome> {
    const { model, sample, attempt: _again, ...request } = question
    let attempt = 0
    let hasEnded = false
    // When its turn has come: what waits behind a model's limit is neither paid for nor lost.
    const before = async () => {
      hasEnded = (await account.hasEnded?.()) === true
      if (hasEnded) return 'it is not needed any more'
      const why = ledger.closed(account) ?? (await overBudget(account)) ?? (await overMeter(account))
      if (why === null && attempt === 0) attempt = await begin(step)
      return why
    }
    let paidAnswer: KeptAnswer | null = null
    // Before its turn ends: a budget or a refusal is known to whom comes next.
    const settle = async (ending: SettledReply) => {
      if (ending.status === 'refused') return noteRefusal(account, ending)
      const { status: _status, ...answer } = ending
      const ownAnswer = { ...answer, key, by: account.by, step, repeated: attempt - 1 }
      const storedAnswer = await answers.put(storeKey, ownAnswer)
      await ledger.add(account, ownAnswer.usage)
      await meter?.add(ownAnswer.usage, computeCostUsd(ownAnswer.usage, model.settings.prices))
      // Somebody else may have been faster; it was paid for here all the same.
      paidAnswer = {
        ...storedAnswer,
        by: ownAnswer.by,
        step,
        usage: ownAnswer.usage,
        retries: ownAnswer.retries,
        repeated: ownAnswer.repeated,
      }
    }
    const spent = async (usage: Usage) => {
      await ledger.spend(account, usage)
      await meter?.add(usage, computeCostUsd(usage, model.settings.prices))
    }
    const reply = await modelClient.ask(
      model,
      { ...request, before, settle, spent, ...(sample !== undefined && { isScored: true }) },
      signal,
    )
    if (paidAnswer) return createAnswered(paidAnswer, storeKey, account, step)
    if (reply.status === 'done') throw new Error(`the answer to ${step} was not kept`)
    // Handed back: whether the endpoint was asked is not known, so the mark stays.
    if (signal.aborted) return createUnanswered('stopped', 'stopped')
    if (attempt > 0) await asks?.remove(`${step}#${attempt}`)
    if (hasEnded) return createUnanswered('ended', 'it is not needed any more')
    if (reply.status === 'failed') return createUnanswered('failed', reply.reason)
    noteRefusal(account, reply)
    return createUnanswered(reply.kind, reply.reason)
  }

  const overBudget = async (account: SpendingAccount) =>
    account.over ? account.over(await ledger.usageOf(account)) : null

  const overMeter = async (account: SpendingAccount) => (meter ? meter.over(account) : null)

  function noteRefusal(
    account: SpendingAccount,
    { kind, reason }: { kind: RefusalKind; reason: string },
  ): void {
    if (account.optional && !isOfQuestion(kind)) ledger.close(account, reason)
  }

  /**
   * Recalls what is known without asking, by the id of its answer; gives the id of the coming answer where
   * the model has to be asked.
   */
  async function recall(
    account: SpendingAccount,
    storeKey: string,
    step: string,
    question: ModelQuestion,
  ): Promise<{ storeKey: string; asked: QuestionOutcome | null }> {
    const found = await readNow(storeKey, await answers.get(storeKey), question)
    const { storedAnswer } = found
    if (storedAnswer?.unanswered)
      return { ...found, asked: { kind: 'unanswered', cause: 'recorded', ...storedAnswer.unanswered } }
    if (storedAnswer) {
      await ledger.add(account, noUsage)
      return { ...found, asked: createAnswered(storedAnswer, found.storeKey, account, step) }
    }
    if (account.recording)
      return {
        ...found,
        asked: createUnanswered('unrecorded', 'the recording has no answer to this question'),
      }
    const closedReason = ledger.closed(account)
    return { ...found, asked: closedReason === null ? null : createUnanswered('held', closedReason) }
  }

  /**
   * A stored answer as this version reads its reply. What another version has read stays as it is, for the
   * evaluations that used it; the new reading is stored beside it. Null where nothing is stored, or where the
   * reply is no answer to this reader.
   */
  async function readNow(
    storeKey: string,
    storedAnswer: KeptAnswer | null,
    question: ModelQuestion,
  ): Promise<{ storeKey: string; storedAnswer: KeptAnswer | null }> {
    const { reply } = storedAnswer ?? {}
    if (!storedAnswer || !reply || reply.reader === readerVersion) return { storeKey, storedAnswer }
    const newKey = `${storeKey}~r${readerVersion}`
    const earlier = await answers.get(newKey)
    if (earlier) return { storeKey: newKey, storedAnswer: earlier }
    const { model, ...request } = question
    const plain = await readStored(reply, request)
    if (plain === null) return { storeKey: newKey, storedAnswer: null }
    const answer = reply.form === 'completions' ? prefixed(plain, model.settings) : plain
    const { toolCalls: _calls, vendor: _vendor, ...paid } = storedAnswer
    // It was booked as it was read then.
    const { usage } = storedAnswer
    return { storeKey: newKey, storedAnswer: await answers.put(newKey, { ...paid, ...answer, usage }) }
  }

  /**
   * Recalls a recorded response. Asks no model: a question that had no answer then may have one in another
   * source.
   */
  async function recallResponse(
    account: SpendingAccount,
    sources: readonly ResponseSource[],
    key: string,
    step: string,
  ): Promise<QuestionOutcome> {
    for (const source of sources) {
      const storeKey = getStoreKey(source, key)
      const response = await answers.get(storeKey)
      if (!response || response.unanswered) continue
      await ledger.add(account, noUsage)
      return createAnswered(response, storeKey, account, step)
    }
    return {
      kind: 'unanswered',
      cause: 'unrecorded',
      refused: true,
      reason: 'no recorded response answers this question',
      unrecorded: true,
    }
  }

  return {
    async ask(account, step, question, signal) {
      const key = computeQuestionKey(question)
      if (account.responses) return recallResponse(account, account.responses, key, step)
      const storeKey = formatStoreKey(account, key)
      for (let other = underWay.get(storeKey); other; other = underWay.get(storeKey)) await other
      // Entered at once, so that nobody comes between the look and the question.
      const pendingAnswer = recall(account, storeKey, step, question).then(
        (found) => found.asked ?? send(account, step, { key, storeKey: found.storeKey }, question, signal),
      )
      const end = pendingAnswer.catch(() => undefined)
      underWay.set(storeKey, end)
      try {
        return await pendingAnswer
      } finally {
        underWay.delete(storeKey)
      }
    },
  }
}

function createAnswered(
  { text, toolCalls, vendor, finish, facts, usage, retries, ms, repeated = 0, by, step: payer }: KeptAnswer,
  storeKey: string,
  account: SpendingAccount,
  step: string,
): QuestionOutcome {
  const fromCache = by !== account.by
  // Several items of one account may share a question: only the step that paid reports its cost.
  const isPaidElsewhere = fromCache || (payer !== undefined && payer !== step)
  const cost = isPaidElsewhere ? { usage: noUsage, retries: 0, repeated: 0 } : { usage, retries, repeated }
  return {
    kind: 'answered',
    answer: {
      text,
      ...(toolCalls && { toolCalls }),
      ...(vendor && { vendor }),
      ...(facts && { facts }),
      ...cost,
      reported: usage,
      ...(ms !== undefined && { ms }),
      storeKey,
      kept: fromCache,
      finish,
    },
  }
}
