/**
 * Meets the needs of an episode other than the agent's: other services by their queues, models and live
 * APIs by the asker. The ids of jobs depend only on the step, so repetitions are recognised.
 */
import { ProblemError, sha256 } from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import type { SpendingAccount, QuestionAsker, ModelQuestion } from '@stateeval/models'
import type { ProjectArtifacts, MessageBus, ProjectQuota } from '@stateeval/service-kit'
import type { ItemAnswer } from '@stateeval/workflow'
import { listAnswerSources } from '../asking/account.ts'
import { compareTexts } from '../asking/compare.ts'
import { explainUnrecorded } from '../asking/ask-model.ts'
import { readJobAnswer, subjectOf } from '@stateeval/jobs'
import type { StoredEpisode } from './stored.ts'

export interface NeedParts {
  bus: Pick<MessageBus, 'request'>
  artifacts: ProjectArtifacts
  quota: Pick<ProjectQuota, 'exhausted'>
  asker: QuestionAsker
  liveAsker: QuestionAsker
}

/** The episode that asks, with the parties to ask. */
type AskingEpisode = Pick<StoredEpisode, 'id' | 'parties'>

/** The job of a need, named after its step and payload. */
export async function buildNeedJob({ artifacts }: Pick<NeedParts, 'artifacts'>, step: string, need: unknown) {
  const payload = await artifacts.pack(need)
  return { id: `${step}#${sha256(payload.text).slice(0, 12)}`, payload }
}

/** `step` names the need: the same need of the same step has the same name. */
export async function meetNeed(
  parts: NeedParts,
  episode: AskingEpisode,
  step: string,
  need: ItemNeed,
  signal: AbortSignal,
): Promise<ItemAnswer> {
  if (need.kind === 'ask') return ask(parts, episode, step, need.payload, signal, need.part)
  if (need.kind === 'compare') {
    const compared = await compareTexts(
      need.payload,
      (at, question) => askParty(parts, episode, `${step}/${at}`, question, signal, 'similar'),
      signal,
    )
    if (compared.kind === 'compared') return { ok: true, value: compared.compared }
    return { ok: false, refused: compared.kind === 'unanswered' && compared.refused, reason: compared.reason }
  }
  if (need.kind === 'execute') {
    const reason = await parts.quota.exhausted(['cpuSeconds'])
    if (reason !== null) throw new ProblemError('budget-exhausted', reason)
  }
  const job = await buildNeedJob(parts, step, need.payload)
  return readJobAnswer(parts, await parts.bus.request(subjectOf[need.kind], job, signal))
}

/** Its answers are for this episode alone where the part asks anew. */
const buildEpisodeAccount = ({ id, parties = {} }: AskingEpisode, part = ''): SpendingAccount => ({
  id,
  by: id,
  ...listAnswerSources(parties[part] ?? {}),
})

async function askParty(
  { asker, liveAsker }: NeedParts,
  episode: AskingEpisode,
  step: string,
  question: ModelQuestion,
  signal: AbortSignal,
  part?: string,
) {
  const end = await (part?.startsWith('http:') ? liveAsker : asker).ask(
    buildEpisodeAccount(episode, part),
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
  episode: AskingEpisode,
  step: string,
  question: ModelQuestion,
  signal: AbortSignal,
  part?: string,
): Promise<ItemAnswer> {
  const end = await askParty(parts, episode, step, question, signal, part)
  if (end.kind === 'answered') return { ok: true, value: end.answer }
  const { kind: _kind, cause: _cause, ...silence } = end
  return { ok: false, ...silence, ...(end.unrecorded && { reason: explainUnrecorded(question) }) }
}
