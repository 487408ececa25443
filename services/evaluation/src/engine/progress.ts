/** How far the lanes of a stage have come, read from what is stored; positions are remembered, as lanes never go back. */
import type { EvaluationContext } from '../context.ts'
import type { Owner } from '../owners/owner.ts'
import { noTally, plus, stageOf, type Tally } from './complete.ts'
import { type Item, itemId } from './item.ts'

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

/** How long what is known of other replicas' work may be old, in milliseconds: a look costs a find for each lane. */
const freshMs = 2000

const placeKey = (id: string, stage: string, lane: number) => `${id}/${stage}/${lane}`

/** An item ended here: its lane is that far at least. */
export function advanceLane({ places }: Pick<EvaluationContext, 'places'>, { owner, stage, index }: Item, window: number): void {
  const key = placeKey(owner, stage, index % window)
  places.set(key, Math.max(places.get(key) ?? 0, Math.floor(index / window) + 1))
}

/** Where the lanes of the owner's stage are; `look` asks the store although it was asked just now. */
export async function lanesOf(context: EvaluationContext, owner: Owner, { look = false } = {}): Promise<LanePlace[]> {
  const { total, window } = stageOf(owner)
  const { id, stage } = owner
  const index = (lane: number, n: number) => lane + n * window
  const asked = `${id}/${stage}`
  const fresh = !look && performance.now() - (context.looked.get(asked) ?? Number.NEGATIVE_INFINITY) < freshMs
  if (!fresh) context.looked.set(asked, performance.now())
  return Promise.all(
    Array.from({ length: Math.min(window, total) }, async (_, lane) => {
      const most = Math.ceil((total - lane) / window)
      const key = placeKey(id, stage, lane)
      const known = context.places.get(key) ?? 0
      const exists = async (n: number) => (await context.tallies(itemId({ owner: id, stage, index: index(lane, n) }))).done > 0
      const done = fresh ? known : await frontier(exists, known, most)
      // Meanwhile it may have gone on here.
      context.places.set(key, Math.max(done, context.places.get(key) ?? 0))
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
