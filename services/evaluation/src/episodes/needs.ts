/**
 * Meets the needs of an episode other than the agent's: other services by their queues, models and live
 * APIs by the asker. The ids of jobs depend only on the step, so repetitions are recognised.
 */
import { ProblemError, sha256 } from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import type { Account, Asker, Question } from '@stateeval/models'
import type { Artifacts, MessageBus, ProjectQuota } from '@stateeval/service-kit'
import type { ItemAnswer } from '@stateeval/workflow'
import { sourcesOf } from '../asking/account.ts'
import { compareTexts } from '../asking/compare.ts'
import { unrecordedReason } from '../asking/ask-model.ts'
import { answerIn } from '../job-answer.ts'
import { subjectOf } from '../workflow.ts'
import type { StoredEpisode } from './stored.ts'

export interface NeedParts {
  bus: Pick<MessageBus, 'request'>
  artifacts: Artifacts
  quota: Pick<ProjectQuota, 'exhausted'>
  asker: Asker
  liveAsker: Asker
}

/** The episode that asks, and for whom. */
type Asking = Pick<StoredEpisode, 'id' | 'parties'>

/** The job of a need, named after its step and payload. */
export async function jobOf({ artifacts }: Pick<NeedParts, 'artifacts'>, step: string, need: unknown) {
  const payload = await artifacts.pack(need)
  return { id: `${step}#${sha256(payload.text).slice(0, 12)}`, payload }
}

/** `step` names the need: the same need of the same step has the same name. */
export async function meet(
  parts: NeedParts,
  episode: Asking,
  step: string,
  need: ItemNeed,
  signal: AbortSignal,
): Promise<ItemAnswer> {
  if (need.kind === 'ask') return ask(parts, episode, step, need.payload, signal, need.part)
  if (need.kind === 'compare') {
    const compared = await compareTexts(
      need.payload,
      (at, question) => asked(parts, episode, `${step}/${at}`, question, signal, 'similar'),
      signal,
    )
    if (compared.kind === 'compared') return { ok: true, value: compared.compared }
    return { ok: false, refused: compared.kind === 'unanswered' && compared.refused, reason: compared.reason }
  }
  if (need.kind === 'execute') {
    const reason = await parts.quota.exhausted(['cpuSeconds'])
    if (reason !== null) throw new ProblemError('budget-exhausted', reason)
  }
  const job = await jobOf(parts, step, need.payload)
  return answerIn(parts, await parts.bus.request(subjectOf[need.kind], job, signal))
}

/** Its answers are for this episode alone where the part asks anew. */
const accountOf = ({ id, parties = {} }: Asking, part = ''): Account => ({
  id,
  by: id,
  ...sourcesOf(parties[part] ?? {}),
})

async function asked(
  { asker, liveAsker }: NeedParts,
  episode: Asking,
  step: string,
  question: Question,
  signal: AbortSignal,
  part?: string,
) {
  const end = await (part?.startsWith('http:') ? liveAsker : asker).ask(
    accountOf(episode, part),
    step,
    question,
    signal,
  )
  // Stopped is no answer: the step is led again.
  if (signal.aborted) throw new ProblemError('unavailable', 'the service is stopping; send the step again')
  return end
}

async function ask(
  parts: NeedParts,
  episode: Asking,
  step: string,
  question: Question,
  signal: AbortSignal,
  part?: string,
): Promise<ItemAnswer> {
  const end = await asked(parts, episode, step, question, signal, part)
  if (end.kind === 'answered') return { ok: true, value: end.answer }
  const { refused, reason, unrecorded } = end
  return unrecorded
    ? { ok: false, refused, reason: unrecordedReason(question), unrecorded }
    : { ok: false, refused, reason }
}
