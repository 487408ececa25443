/** Filters rows of samples like the service, for a page that contains its data. */
import type { SampleRow, SampleTable, SampleTableQuery } from '@stateeval/contracts'

const formatRowText = ({ case: id, verdict, cause = '', says }: SampleRow) =>
  `${id} ${verdict ?? ''} ${cause} ${says}`.toLowerCase()

const wanted = { yes: true, no: false, 'not scored': null } as const

export function buildTable(
  rows: readonly SampleRow[],
  { from = 0, limit = 50, passed, verdict, cause, group, search = '', sort, order }: SampleTableQuery,
): SampleTable {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = rows.filter(
    (row) =>
      (passed === undefined || row.passed === wanted[passed]) &&
      (verdict === undefined || row.verdict === verdict) &&
      (cause === undefined || row.cause === cause) &&
      (group === undefined || row.group === group) &&
      (words.length === 0 || words.every((word) => formatRowText(row).includes(word))),
  )
  return {
    ended: rows.length,
    total: fitting.length,
    items: sortRows(fitting, sort, order).slice(from, from + limit),
    verdicts: countRows(rows, ({ verdict: name }) => name),
    causes: countRows(rows, ({ cause: name }) => name),
    groups: countRows(rows, ({ group: name }) => name),
  }
}

/** Sorts rows; those without a name come last; equal ones stay in their order. */
function sortRows(
  rows: SampleRow[],
  sort: SampleTableQuery['sort'] = 'place',
  order: SampleTableQuery['order'] = 'rising',
): SampleRow[] {
  if (sort === 'place') return order === 'falling' ? rows.toReversed() : rows
  const way = order === 'falling' ? -1 : 1
  return rows.toSorted(({ [sort]: a }, { [sort]: b }) => {
    if (!a || !b) return Number(!a) - Number(!b)
    return a < b ? -way : a > b ? way : 0
  })
}

function countRows(rows: readonly SampleRow[], of: (row: SampleRow) => string | null | undefined) {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const name = of(row)
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
