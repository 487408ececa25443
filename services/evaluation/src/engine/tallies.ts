/** Tallies of ended items, remembered for a while: mostly the one before in the lane is asked for. */
import type { Once } from '../store.ts'
import { type Ended, noTally, type Tally } from './complete.ts'

const most = 5000

export function createTallies(results: Once<Ended>) {
  const kept = new Map<string, Tally>()
  const know = (id: string, tally: Tally) => {
    kept.set(id, tally)
    const oldest = kept.keys().next().value
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  }
  /** What is counted up to an item; nothing where it has not ended. */
  const tallies = async (id: string): Promise<Tally> => {
    const known = kept.get(id)
    if (known) return known
    const ended = await results.get(id)
    if (!ended) return noTally
    know(id, ended.tally)
    return ended.tally
  }
  /** Whether items have ended. */
  const many = async (ids: readonly string[]): Promise<boolean[]> => {
    const unknown = ids.filter((id) => !kept.has(id))
    for (const [at, ended] of (await results.many(unknown)).entries()) if (ended) know(unknown[at] as string, ended.tally)
    return ids.map((id) => kept.has(id))
  }
  return Object.assign(tallies, { know, many })
}
