/**
 * What a project has used. Each process keeps a document for each day, which it alone writes, with all that
 * it has counted on that day; the sum over processes is the project's. So nothing is added in place, which
 * not every server does atomically, and a document that is written twice changes nothing. Counting is cheap:
 * it is memory, written after a moment.
 */
import type { UsedAmounts } from '@stateeval/contracts'
import type { Mongo } from '../mongo.ts'
import { dayOf, type Period } from './period.ts'

export const noAmounts: Readonly<UsedAmounts> = Object.freeze({
  requests: 0,
  modelRequests: 0,
  promptTokens: 0,
  completionTokens: 0,
  usd: 0,
  cpuSeconds: 0,
})
const names = Object.keys(noAmounts) as (keyof UsedAmounts)[]

export interface UsageBook {
  add(amounts: Partial<UsedAmounts>): void
  /** Resolves when all that was added before is stored. */
  flush(): Promise<void>
  /** Of all processes, with what this one has counted to this moment. */
  sum(period: Period): Promise<UsedAmounts>
}

const addTo = (sum: UsedAmounts, amounts: Partial<UsedAmounts>) => {
  for (const name of names) sum[name] += amounts[name] ?? 0
}

/** For one project: see `eachProjects`. `writer` names this process: nobody else writes under it. */
export function createUsageBook(
  mongo: Pick<Mongo, 'shared'>,
  writer: string,
  now: () => Date,
  /** Called when there is something to write, once until the next flush. */
  onFirst: () => void = () => undefined,
): UsageBook {
  const collection = mongo.shared<UsedAmounts>('usage')
  /** By day, since this process began: a clock that is set back finds what was counted. */
  const days = new Map<string, UsedAmounts>()
  const dirty = new Set<string>()
  let writing: Promise<void> | undefined
  let next: Promise<void> | undefined

  const write = async () => {
    for (const day of [...dirty]) {
      dirty.delete(day)
      const amounts = { ...days.get(day)! }
      try {
        await collection.replaceOne({ _id: `${day}/${writer}` }, amounts, { upsert: true })
      } catch (error) {
        dirty.add(day)
        throw error
      }
    }
  }
  return {
    add(amounts) {
      const day = dayOf(now())
      const sum = days.get(day) ?? { ...noAmounts }
      days.set(day, sum)
      addTo(sum, amounts)
      if (dirty.size === 0) onFirst()
      dirty.add(day)
    },
    flush() {
      // Those who come while one is written share the next.
      next ??= (writing ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => {
          writing = next
          next = undefined
          return write()
        })
      return next
    },
    async sum({ from, until }) {
      const sum = { ...noAmounts }
      const records = await collection.find({ _id: { $gte: from, $lt: until } }).toArray()
      for (const { _id, ...amounts } of records) {
        const [day = '', by] = _id.split('/')
        if (by !== writer || !days.has(day)) addTo(sum, amounts)
      }
      for (const [day, amounts] of days) if (day >= from && day < until) addTo(sum, amounts)
      return sum
    },
  }
}
