/**
 * The usage of a project. Each process keeps a document for each day, which it alone writes, with all that it
 * has counted on that day; the sum over processes is the project's. So nothing is added in place, which not
 * every server does atomically, and a document that is written twice changes nothing. Counting is cheap: it
 * happens in memory and is written a moment later.
 */
import type { UsedAmounts } from '@stateeval/contracts'
import type { MongoStore } from '../mongo.ts'
import { formatDay, type DayPeriod } from './period.ts'

export const noAmounts: Readonly<UsedAmounts> = Object.freeze({
  requests: 0,
  modelRequests: 0,
  promptTokens: 0,
  completionTokens: 0,
  usd: 0,
  cpuSeconds: 0,
})
const names = Object.keys(noAmounts) as (keyof UsedAmounts)[]

interface UsageBook {
  add(amounts: Partial<UsedAmounts>): void
  /** Resolves when all that was added before is stored. */
  flush(): Promise<void>
  /** Usage in the period that this process has counted up to this moment. */
  own(period: DayPeriod): UsedAmounts
  /** Usage that the other processes stored for the period. */
  others(period: DayPeriod): Promise<UsedAmounts>
  /** Usage in the period by all processes. */
  sum(period: DayPeriod): Promise<UsedAmounts>
}

/** The sums, amount by amount. */
export const sumAmounts = (...parts: Partial<UsedAmounts>[]): UsedAmounts => {
  const sum = { ...noAmounts }
  for (const part of parts) addAmounts(sum, part)
  return sum
}
const addAmounts = (sum: UsedAmounts, amounts: Partial<UsedAmounts>) => {
  for (const name of names) sum[name] += amounts[name] ?? 0
}

/**
 * The usage of one project: see `separateByProject`. `writer` names this process; no other writes under that
 * name.
 */
export function createUsageBook(
  mongo: Pick<MongoStore, 'shared'>,
  writer: string,
  now: () => Date,
  /** Called when there is something to write, once until the next flush. */
  onFirst: () => void = () => undefined,
): UsageBook {
  const collection = mongo.shared<UsedAmounts>('usage')
  /** Usage by day since this process began, so that a clock that is set back finds earlier counts. */
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
  const book: UsageBook = {
    add(amounts) {
      const day = formatDay(now())
      const sum = days.get(day) ?? { ...noAmounts }
      days.set(day, sum)
      addAmounts(sum, amounts)
      if (dirty.size === 0) onFirst()
      dirty.add(day)
    },
    flush() {
      // Calls that come during a write share the next one.
      next ??= (writing ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => {
          writing = next
          next = undefined
          return write()
        })
      return next
    },
    own: ({ from, until }) =>
      sumAmounts(...[...days].filter(([day]) => day >= from && day < until).map(([, amounts]) => amounts)),
    async others({ from, until }) {
      const records = await collection.find({ _id: { $gte: from, $lt: until } }).toArray()
      return sumAmounts(...records.filter(({ _id }) => _id.split('/')[1] !== writer))
    },
    sum: async (period) => sumAmounts(await book.others(period), book.own(period)),
  }
  return book
}
