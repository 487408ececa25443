/** Drives episodes at a concurrency, and takes the time of each step. */
import type { AgentReply, EpisodeTurn } from '@stateeval/contracts'

/** An episode that is driven. */
export interface Stepper {
  first(): Promise<EpisodeTurn>
  step(step: number, reply: AgentReply): Promise<EpisodeTurn>
}
export interface Driven {
  steps: number
  seconds: number
  rewards: (number | null)[]
  /** Milliseconds of each step, in ascending order. */
  times: number[]
}

export async function drive(
  count: number,
  concurrency: number,
  open: (n: number) => { episode: Stepper; replies: readonly AgentReply[] },
): Promise<Driven> {
  const times: number[] = []
  const rewards: (number | null)[] = []
  let next = 0
  const began = performance.now()
  const worker = async () => {
    for (let n = next++; n < count; n = next++) {
      const { episode, replies } = open(n)
      let turn = await episode.first()
      for (const [at, reply] of replies.entries()) {
        if (turn.done) break
        const from = performance.now()
        turn = await episode.step(at + 1, reply)
        times.push(performance.now() - from)
      }
      rewards.push(turn.reward ?? null)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - began) / 1000
  return { steps: times.length, seconds, rewards, times: times.sort((a, b) => a - b) }
}

export const quantile = ({ times }: Driven, part: number) =>
  times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
