/** The consequence of an unanswered question: only the question ends, or its owner ends with a remedy. */
import { sha256 } from '@stateeval/contracts'
import {
  type SpendingAccount,
  type AnsweredQuestion,
  type QuestionAsker,
  isOfQuestion,
  type ModelQuestion,
  type RefusalKind,
  type UnansweredQuestion,
  parseLiveRequest,
  formatLiveRequest,
} from '@stateeval/models'
import { hasOpinionStage, isEnded, type JobOwner, type OwnerStore } from '@stateeval/jobs'
import { buildAccount, type UsageBooks, wasAnswered } from './account.ts'

/**
 * `stop` ends the owner (failed, or cancelled at a user's request); `unanswered` ends only this question.
 * `ended`: the owner ended before its turn.
 */
export type AskedFor =
  | { kind: 'answered'; answer: AnsweredQuestion }
  | { kind: 'ended'; reason: string }
  | ({ kind: 'unanswered' } & Omit<UnansweredQuestion, 'key'>)
  | { kind: 'stop'; status: 'failed' | 'cancelled'; reason: string }

export interface AskContext extends UsageBooks {
  asker: QuestionAsker
  liveAsker: QuestionAsker
  owners: Pick<OwnerStore, 'recent' | 'get'>
}

/** `part`: the recipient of the question, if it is neither the model under test nor the building model. */
export async function askModel(
  context: AskContext,
  owner: JobOwner,
  step: string,
  question: ModelQuestion,
  signal: AbortSignal,
  part?: string,
): Promise<AskedFor> {
  const live = part?.startsWith('http:') === true
  const asker = live ? context.liveAsker : context.asker
  const account = {
    ...buildAccount(context, owner, part),
    async hasEnded() {
      const hasEnded = (one: JobOwner | null) => one === null || isEnded(one)
      // Another replica may have resumed it a moment ago.
      return hasEnded(await context.owners.recent(owner.id)) && hasEnded(await context.owners.get(owner.id))
    },
  }
  const end = await asker.ask(account, step, question, signal)
  if (end.kind === 'answered') return end
  const { cause, ...ofQuestion } = end
  const { reason } = end
  if (cause === 'ended') return { kind: 'ended', reason }
  if (cause === 'unrecorded' && end.unrecorded)
    return {
      ...ofQuestion,
      reason: explainUnrecorded(question),
    }
  const failure = (says: string) => ({ kind: 'stop', status: 'failed', reason: says }) as const
  const { name, settings } = question.model
  const isParty = part !== undefined && !live
  // Nothing depends on an opinion, so nothing stops for want of it.
  if (cause === 'recorded' || cause === 'stopped' || hasOpinionStage(owner)) return ofQuestion
  if (cause === 'held') return { kind: 'stop', status: 'cancelled', reason }
  if (cause === 'unrecorded')
    return failure(
      `the recording has no answer to a question of this ${owner.entity === 'evaluation' ? 'evaluation' : 'build'} (${step}): it was recorded with a different set, different options or a different version`,
    )
  if (cause === 'failed')
    // A set must not depend on an endpoint's luck: no program is dropped for a fault of its.
    return 'agents' in owner && owner.agents
      ? failure(`${reason}; ${resolveCurrentModel(owner, name, 'unreachable', false)}`)
      : ofQuestion
  // The live client itself refuses requests, such as for their length.
  if (live && cause === 'request') return ofQuestion
  if (isParty && (await checkRefusingParty(asker, account, step, question, signal))) return ofQuestion
  if (isOfQuestion(cause) && (await isAlone(context, owner, step, settings.timeoutMs, signal)))
    return ofQuestion
  if (signal.aborted) return { kind: 'unanswered', refused: false, reason: 'stopped' }
  if (live)
    return failure(
      `${reason}; correct STATEEVAL_LIVE_APIS_FILE of the service, then resume the evaluation: POST /v1/evaluations/${owner.id}/resume`,
    )
  return failure(`${reason}; ${resolveCurrentModel(owner, name, cause, await wasAnswered(context, owner))}`)
}

/** The reason if no recorded response answers a request to a live API. */
export const explainUnrecorded = ({ messages }: ModelQuestion): string =>
  `${formatLiveRequest(parseLiveRequest(messages[0]!.content))} is not recorded`

/**
 * Tells whether a party that refuses a question takes one without a candidate's words: a firewall in front of
 * it may answer as it would for a wrong key. The step makes the question a new one, because a stored answer
 * shows nothing.
 */
async function checkRefusingParty(
  asker: QuestionAsker,
  account: SpendingAccount,
  step: string,
  { model }: ModelQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  const messages = [
    { role: 'user' as const, content: `Say yes. This is the check ${sha256(step).slice(0, 12)}.` },
  ]
  const end = await asker.ask(account, `${step}/known`, { model, messages }, signal)
  return end.kind === 'answered'
}

/** So many questions that are not taken, and none that is: it is the model or its settings. */
const tellingRefusals = 3
const usualPatienceMs = 120_000
/**
 * Answers to other replicas appear only in the store: the first look is after this time, the next ones less
 * and less often.
 */
const firstLookMs = 1_000
const longestLookMs = 15_000

/**
 * Tells whether a question that was not taken is one of a few. A refusal comes faster than an answer, so the
 * first one shows nothing about the others: it waits for those in progress, until one is answered or a few
 * more are refused.
 */
async function isAlone(
  context: AskContext,
  owner: JobOwner,
  step: string,
  patienceMs = usualPatienceMs,
  signal: AbortSignal,
): Promise<boolean> {
  const { ledger } = context
  const enough = Math.min(tellingRefusals, owner.stages[owner.stage]?.total ?? 0)
  ledger.refuse(owner, step)
  const until = performance.now() + patienceMs
  for (let lookMs = firstLookMs; !signal.aborted; lookMs = Math.min(longestLookMs, lookMs * 2)) {
    if (await wasAnswered(context, owner)) return true
    const look = Math.min(lookMs, until - performance.now())
    if (ledger.refused(owner) >= enough || look <= 0) return false
    await ledger.change(owner, look, signal)
  }
  return false
}

/** Refusals that other settings of the model would end: they are corrected there, not at the endpoint. */
const inSettings: ReadonlySet<RefusalKind> = new Set([
  'model',
  'host',
  'key',
  'request',
  'context',
  'moderation',
])

/**
 * Explains how to continue. An evaluation continues with its model's current settings, unless these would
 * give other answers than it already has: see `resolveCurrentResponders` (routes/resume-evaluation.ts).
 */
function resolveCurrentModel(owner: JobOwner, model: string, kind: RefusalKind, answered: boolean): string {
  if (owner.entity === 'benchmark')
    return inSettings.has(kind)
      ? `correct the model (PUT /v1/models/${model}), then build again; earlier answers are reused`
      : 'then build again; earlier answers are reused'
  const resume = `resume the evaluation: POST /v1/evaluations/${owner.id}/resume`
  if (!inSettings.has(kind)) return `then ${resume}`
  if (!answered) return `correct the model (PUT /v1/models/${model}), then ${resume}`
  return kind === 'key'
    ? `correct the key or its name (PUT /v1/models/${model}), then ${resume}`
    : `${resume} when the endpoint accepts such requests again. To use another endpoint or model id, start a new evaluation, because this one already has answers`
}
