/** How far the lanes of a stage have come, read from what is stored; positions are remembered, as lanes never go back. */
import type { EvaluationContext } from '../context.ts'
import type { Owner } from '../owners/owner.ts'
import { noTally, plus, stageOf, type Tally } from './complete.ts'
import { itemId } from './item.ts'

export interface LanePlace {
  lane: number
  /** Items done in this lane. */
  done: number
  /** The first that is not; null where the lane is through. */
  waiting: number | null
}

/** Counts on from what is known: by doubling, then by halving, so a replica that has just started is quick too. */
async function frontier(exists: (n: number) => Promise<boolean>, known: number, most: number): Promise<number> {
  let low = known
  let step = 1
  while (low < most && (await exists(Math.min(most, low + step) - 1))) {
    low = Math.min(most, low + step)
    step *= 2
  }
  let high = Math.min(most, low + step) - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await exists(middle)) low = middle + 1
    else high = middle
  }
  return low
}

export async function lanesOf(context: EvaluationContext, owner: Owner): Promise<LanePlace[]> {
  const { total, window } = stageOf(owner)
  const { id, stage } = owner
  const index = (lane: number, n: number) => lane + n * window
  return Promise.all(
    Array.from({ length: Math.min(window, total) }, async (_, lane) => {
      const most = Math.ceil((total - lane) / window)
      const key = `${id}/${stage}/${lane}`
      const exists = async (n: number) => (await context.tallies(itemId({ owner: id, stage, index: index(lane, n) }))).done > 0
      const done = await frontier(exists, context.places.get(key) ?? 0, most)
      context.places.set(key, done)
      return { lane, done, waiting: done < most ? index(lane, done) : null }
    }),
  )
}

/** What is done of the stage that an owner is at. */
export async function tallyOf(context: EvaluationContext, owner: Owner): Promise<Tally> {
  const { window } = stageOf(owner)
  let sum = noTally
  for (const { lane, done } of await lanesOf(context, owner)) {
    if (done > 0) sum = plus(sum, await context.tallies(itemId({ owner: owner.id, stage: owner.stage, index: lane + (done - 1) * window })))
  }
  return sum
}
