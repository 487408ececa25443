/**
 * One step of an episode, with the flows, jobs and questions of a sample of an evaluation, to the next
 * state that waits for the agent. A repeated step uses the same jobs.
 */
import type { AgentReply, EpisodeTurn } from '@stateeval/contracts'
import type { SampleOutcome, SampleState } from '@stateeval/flows'
import { pauseUnlessAborted } from '@stateeval/service-kit'
import { formatStepId } from '@stateeval/workflow'
import { sampleItem } from '@stateeval/jobs'
import { meetNeed, type NeedParts } from './needs.ts'
import {
  buildAgentAnswer,
  buildLastTurn,
  openTurn,
  loadSampleContext,
  type SampleSources,
  isWaitingForAgent,
} from './sample.ts'
import type { StoredEpisode } from './stored.ts'

/** The state that waited for the agent, and the agent's reply. */
export interface WaitingSample {
  state: SampleState
  reply: AgentReply
}
/** The result of a step; without a state, the episode is done. */
export interface EpisodeStepResult {
  turn: EpisodeTurn
  state?: SampleState
  /** True if a world was open during the step. */
  usedWorld: boolean
}

/** `before`: null at the beginning. Rejects with 'unavailable' when the signal is aborted. */
export async function leadEpisodeStep(
  parts: SampleSources & NeedParts,
  episode: StoredEpisode,
  step: number,
  before: WaitingSample | null,
  signal: AbortSignal,
): Promise<EpisodeStepResult> {
  const sample = await loadSampleContext(parts, episode)
  const flow = sampleItem(parts, sample)
  let next = before
    ? await flow.resume(before.state, { ok: true, value: buildAgentAnswer(episode.id, step, before.reply) })
    : await flow.start()
  let usedWorld = false
  for (let rev = 0; ; rev++) {
    if ('done' in next)
      return { turn: buildLastTurn(episode.id, step, next.done as SampleOutcome), usedWorld }
    const state = next.state as SampleState
    if (isWaitingForAgent(state))
      return { turn: await openTurn(parts, sample, step, state), state, usedWorld }
    if (next.afterMs) await pauseUnlessAborted(next.afterMs, signal)
    const need = await flow.need(state)
    usedWorld ||= need.kind === 'session'
    const name = formatStepId({ item: { workflow: episode.id, stage: 'steps', index: step }, rev })
    next = await flow.resume(state, await meetNeed(parts, episode, name, need, signal))
  }
}
