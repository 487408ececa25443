/**
 * How far the lanes of a stage have come. Positions are remembered, as lanes never go back, and every end that happened here
 * is known; only for lanes that stand still here the store is asked, as another replica may lead them.
 */
import type { EvaluationContext } from '../context.ts'
import type { Owner, Stage } from '../owners/owner.ts'
import { noTally, plus, stageOf, type Tally } from './complete.ts'
import { type Item, itemId } from './item.ts'

interface LanePlace {
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

/** How long what is known of other replicas' work may be old, in milliseconds. */
const freshMs = 2000

export const placeKey = (id: string, stage: string, lane: number) => `${id}/${stage}/${lane}`

/** An item ended here: its lane is that far at least. */
export function advanceLane({ places }: Pick<EvaluationContext, 'places'>, { owner, stage, index }: Item, window: number): void {
  const key = placeKey(owner, stage, index % window)
  places.set(key, Math.max(places.get(key) ?? 0, Math.floor(index / window) + 1))
}

/** Items of a lane. */
const lengthOf = ({ total, window }: Stage, lane: number) => Math.ceil((total - lane) / window)
const idAt = ({ id, stage, stages }: Owner, lane: number, n: number) =>
  itemId({ owner: id, stage, index: lane + n * (stages[stage]?.window ?? 1) })

/** Whether all items of a lane have ended. */
export async function isThrough(context: EvaluationContext, owner: Owner, lane: number): Promise<boolean> {
  const most = lengthOf(stageOf(owner), lane)
  const key = placeKey(owner.id, owner.stage, lane)
  if ((context.places.get(key) ?? 0) >= most) return true
  const through = (await context.tallies(idAt(owner, lane, most - 1))).done > 0
  if (through) context.places.set(key, most)
  return through
}

/** Where the lanes of the owner's stage are; `look` asks the store although it was asked just now. */
export async function lanesOf(context: EvaluationContext, owner: Owner, { look = false } = {}): Promise<LanePlace[]> {
  const stage = stageOf(owner)
  const lanes = Array.from({ length: Math.min(stage.window, stage.total) }, (_, lane) => ({
    lane,
    key: placeKey(owner.id, owner.stage, lane),
    most: lengthOf(stage, lane),
  }))
  const known = (key: string) => context.places.get(key) ?? 0
  const asked = `${owner.id}/${owner.stage}`
  const before = context.looked.get(asked)
  if (look || !before || performance.now() - before.at >= freshMs) {
    const still = lanes.filter(({ key, most }) => known(key) < most && (before?.places.get(key) ?? 0) === known(key))
    context.looked.set(asked, { at: performance.now(), places: new Map(lanes.map(({ key }) => [key, known(key)])) })
    // Mostly none of them has gone on elsewhere: one question for all.
    const moved = await context.tallies.many(still.map(({ lane, key }) => idAt(owner, lane, known(key))))
    for (const [at, { lane, key, most }] of still.entries()) {
      if (!moved[at]) continue
      const done = await frontier(async (n) => (await context.tallies(idAt(owner, lane, n))).done > 0, known(key), most)
      // Meanwhile it may have gone on here.
      context.places.set(key, Math.max(done, known(key)))
    }
  }
  return lanes.map(({ lane, key, most }) => {
    const done = known(key)
    return { lane, done, waiting: done < most ? lane + done * stage.window : null }
  })
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
