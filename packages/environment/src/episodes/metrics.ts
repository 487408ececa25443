/** Metrics of episodes: their steps, and how they end. */
import type { EpisodeTurn } from '@stateeval/contracts'
import type { ServicePlatform } from '@stateeval/service-kit'
import { Counter } from 'prom-client'

/** Counts a stored turn. */
export type EpisodeMetrics = (turn: EpisodeTurn) => void

export function createEpisodeMetrics({ registry }: ServicePlatform['metrics']): EpisodeMetrics {
  const steps = new Counter({
    name: 'stateeval_episode_steps_total',
    help: 'Steps of episodes, each counted once',
    registers: [registry],
  })
  const episodes = new Counter({
    name: 'stateeval_episodes_total',
    help: 'Finished episodes by their ending; not_scored does not concern the agent',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return ({ step, done, score }) => {
    if (step > 0) steps.inc()
    if (done) episodes.inc({ outcome: score ? (score.passed ? 'passed' : 'failed') : 'not_scored' })
  }
}
