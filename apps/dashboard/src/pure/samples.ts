/** The samples that a table shows, from its address, and the pages that it needs. */
import type { SampleTableQuery } from '@stateeval/contracts'
import { readChoice, readWholeNumber, readSearchText } from './search.ts'

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
/** The same, with the current row. */
type PlacedSearch = SampleSearch & { at?: number }

/** The state of the table, as the search parameters of an address say it. */
export const sampleSearch = (search: Readonly<Record<string, unknown>>): PlacedSearch => ({
  ...readChoice(search, 'passed', passings),
  ...readSearchText(search, 'verdict'),
  ...readSearchText(search, 'cause'),
  ...readSearchText(search, 'group'),
  ...readSearchText(search, 'search'),
  ...readSearchText(search, 'pattern'),
  ...readChoice(search, 'in', searchedIn),
  ...readSearchText(search, 'baseline'),
  ...(search['baseline'] !== undefined &&
    readChoice(search, 'differs', Object.keys(differences) as (keyof typeof differences)[])),
  ...readChoice(search, 'sort', sortings),
  ...readChoice(search, 'order', orders),
  ...readWholeNumber(search, 'at'),
})

/** Rows per page. */
export const pageSize = 100
/** The first page of a table. */
export const getFirstPage = ({ at: _at, ...search }: PlacedSearch): SampleTableQuery => ({
  ...search,
  from: 0,
  limit: pageSize,
})
/** Rows before and after those in view that are asked for as well. */
const ahead = 150

/** The pages with these rows, and the pages around them. The first page is always loaded. */
export function listPages(from: number, to: number, total: number): number[] {
  const first = Math.max(1, Math.floor((from - ahead) / pageSize))
  const last = Math.floor(Math.min(to + ahead, total - 1) / pageSize)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
}

/** The sorting after a click on a head: by that column, or reversed. */
export function toggleSort(
  { sort = 'place', order = 'rising' }: SampleSearch,
  name: (typeof sortings)[number],
): Pick<SampleSearch, 'sort' | 'order'> {
  const falling = sort === name && order === 'rising'
  return { ...(name !== 'place' && { sort: name }), ...(falling && { order: 'falling' }) }
}
