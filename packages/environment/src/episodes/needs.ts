/**
 * Meets the needs of an episode other than the agent's: other services by their queues, models and live
 * APIs by the asker. The ids of jobs depend only on the step, so repetitions are recognised.
 */
import { ProblemError, sha256 } from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import type { ProjectArtifacts, MessageBus, ProjectQuota } from '@stateeval/service-kit'
import type { ItemAnswer } from '@stateeval/workflow'
import { readJobAnswer, subjectOf } from '@stateeval/jobs'
import type { StoredEpisode } from './stored.ts'

export interface NeedParts {
  bus: Pick<MessageBus, 'request'>
  artifacts: ProjectArtifacts
  quota: Pick<ProjectQuota, 'exhausted'>
  /** Asks a party of the episode: another model, or a live API. */
  askParty: PartyAsker
}

/** The episode that asks, with the parties to ask. */
export type AskingEpisode = Pick<StoredEpisode, 'id' | 'parties'>

/** `step` names the question: a repeated one gets the same answer. */
export type PartyAsker = (
  episode: AskingEpisode,
  step: string,
  need: Extract<ItemNeed, { kind: 'ask' | 'compare' }>,
  signal: AbortSignal,
) => Promise<ItemAnswer>

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
  if (need.kind === 'ask' || need.kind === 'compare') return parts.askParty(episode, step, need, signal)
  if (need.kind === 'execute') {
    const reason = await parts.quota.exhausted(['cpuSeconds'])
    if (reason !== null) throw new ProblemError('budget-exhausted', reason)
  }
  const job = await buildNeedJob(parts, step, need.payload)
  return readJobAnswer(parts, await parts.bus.request(subjectOf[need.kind], job, signal))
}
