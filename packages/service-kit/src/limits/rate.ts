/**
 * A rate that several replicas keep together. The tokens of a second lie in a few slots; a replica takes a
 * slot by inserting its document, which succeeds for one of them on every server (docs/decisions/inserts.md).
 * So one round trip pays for many requests, and all replicas together never give more than the rate in one
 * second of their clocks.
 */
import { waitForInsert, type MongoStore } from '../mongo.ts'

interface RequestRate {
  /**
   * Takes a token for one request of the current project, within so many a second. Answers at once if a token
   * is available.
   */
  take(perSecond: number): boolean | Promise<boolean>
}

const maxSlots = 8
/** Documents of seconds that are over stay for this long, in seconds: clocks of replicas differ. */
const keptSeconds = 60

/** Tokens of a slot; the sum over slots is exactly the rate. */
export const countSlotTokens = (perSecond: number, slot: number, slots: number): number =>
  Math.floor(perSecond / slots) + (slot < perSecond % slots ? 1 : 0)

/** The rate of one project: see `separateByProject`. */
export function createRate(
  mongo: Pick<MongoStore, 'shared'>,
  now: () => Date,
  random: () => number = Math.random,
): RequestRate {
  const slots = mongo.shared('rates')
  let second = -1
  let tokens = 0
  let left: number[] = []
  let taking: Promise<void> | undefined
  let cleaned = 0

  const idOf = (at: number, slot: number) => `${String(at).padStart(12, '0')}/${slot}`
  const begin = (at: number, perSecond: number) => {
    second = at
    tokens = 0
    left = Array.from({ length: Math.min(maxSlots, perSecond) }, (_, n) => n)
    // Replicas begin at different slots, so that they seldom try the same one.
    const turn = Math.floor(random() * left.length)
    left.push(...left.splice(0, turn))
    if (at - cleaned < keptSeconds) return
    cleaned = at
    slots.deleteMany({ _id: { $lt: idOf(at - keptSeconds, 0) } }).catch(() => undefined)
  }
  const takeSlot = async (perSecond: number) => {
    // Another second may begin meanwhile, with its own slots.
    const [at, mine] = [second, left]
    const total = Math.min(maxSlots, perSecond)
    for (let slot = mine.shift(); slot !== undefined; slot = mine.shift()) {
      if (!(await waitForInsert(slots.insertOne({ _id: idOf(at, slot) })))) continue
      if (second === at) tokens += countSlotTokens(perSecond, slot, total)
      return
    }
  }
  const later = async (perSecond: number): Promise<boolean> => {
    for (;;) {
      taking ??= takeSlot(perSecond).finally(() => (taking = undefined))
      await taking
      const answer = here(perSecond)
      if (answer !== undefined) return answer
    }
  }
  /** Decides without asking the store, if it can. */
  const here = (perSecond: number): boolean | undefined => {
    const at = Math.floor(now().getTime() / 1000)
    if (at !== second) begin(at, perSecond)
    if (tokens > 0) {
      tokens--
      return true
    }
    return left.length === 0 && taking === undefined ? false : undefined
  }
  return { take: (perSecond) => here(perSecond) ?? later(perSecond) }
}
