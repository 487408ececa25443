/** Which samples a table shows, as its address says, and which pages of them it needs. */
import type { SampleTableQuery } from '@stateeval/contracts'

export const passings = ['yes', 'no', 'not scored'] as const
export const searchedIn = ['instruction', 'code', 'error'] as const
export const sortings = ['place', 'verdict', 'cause', 'group'] as const
export const orders = ['rising', 'falling'] as const
/** How a case may differ from the baseline’s. */
export const differences = {
  any: 'passes otherwise',
  better: 'passes more often',
  worse: 'passes less often',
} as const

export type SampleSearch = Omit<SampleTableQuery, 'from' | 'limit'>
/** The same with the row that is the current one. */
export type PlacedSearch = SampleSearch & { at?: number }

/** Rows of a page. */
export const pageSize = 100
/** Rows before and after those in view that are asked for as well. */
const ahead = 150

/** The pages that these rows are on and those around them; the first one is there anyway. */
export function pagesFor(from: number, to: number, total: number): number[] {
  const first = Math.max(1, Math.floor((from - ahead) / pageSize))
  const last = Math.floor(Math.min(to + ahead, total - 1) / pageSize)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
}

/** What a click on a head makes of the sorting: by that column, or the other way round. */
export function sortedBy(
  { sort = 'place', order = 'rising' }: SampleSearch,
  name: (typeof sortings)[number],
): Pick<SampleSearch, 'sort' | 'order'> {
  const falling = sort === name && order === 'rising'
  return { ...(name !== 'place' && { sort: name }), ...(falling && { order: 'falling' }) }
}
