/**
 * Rows of samples; only those in view are drawn. The focus stays on the whole table, which names its
 * current row: a row in focus could disappear when the table is scrolled or an evaluation runs.
 */
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { SampleRow, SampleTable, SampleTableQuery } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { createSamplesQuery } from '../data/queries.ts'
import { RateText } from './rate.tsx'
import { listPages, pageSize, type SampleSearch, toggleSort } from '../pure/samples.ts'

const route = getRouteApi('/evaluations/$id/cases')
const rowHeight = 40

/** Arrows, Page Up and Down, Home and End move along the rows. */
const moves: Readonly<Record<string, (at: number, total: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + 10,
  PageUp: (at) => at - 10,
  Home: () => 0,
  End: (_at, total) => total - 1,
}

interface RowsProps {
  id: string
  search: SampleSearch
  first: SampleTable
  /** The row that is the current one at first. */
  at: number | undefined
}
export function SampleRows({ id, search, first, at: begun }: RowsProps) {
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const { history } = useRouter()
  // A plain link: the router's own takes longer to draw than all the rest of a row.
  const hrefOf = ({ place }: SampleRow) =>
    history.createHref(`/evaluations/${encodeURIComponent(id)}/cases/${place}`)
  const base = useId()
  const box = useRef<HTMLDivElement>(null)
  const { total } = first
  const [chosen, setChosen] = useState(begun ?? 0)
  const [opening, setOpening] = useState<number | null>(null)
  const at = Math.max(0, Math.min(total - 1, chosen))
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    initialOffset: Math.max(0, at - 5) * rowHeight,
    // The current row is always drawn, as the table names it.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...(total > 0 ? [at] : [])])].sort((a, b) => a - b),
  })
  const shown = virtual.getVirtualItems()
  const queryOf = (page: number): SampleTableQuery => ({ ...search, from: page * pageSize, limit: pageSize })
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  useQueries({
    queries: listPages(startIndex, endIndex, total).map((page) => ({
      ...createSamplesQuery(id, queryOf(page)),
      gcTime: 60_000,
    })),
  })
  const rowAt = (index: number): SampleRow | undefined => {
    const page = Math.floor(index / pageSize)
    const table =
      page === 0 ? first : client.getQueryData<SampleTable>(createSamplesQuery(id, queryOf(page)).queryKey)
    return table?.items[index % pageSize]
  }
  const open = (index: number, { place }: SampleRow) =>
    // Whoever comes back finds the row again.
    void navigate({ search: (before) => ({ ...before, at: index }), replace: true }).then(() =>
      navigate({ to: '/evaluations/$id/cases/$place', params: { id, place: String(place) } }),
    )
  // A row that was not there yet when Enter was pressed is opened when it comes.
  const awaited = opening === null ? undefined : rowAt(opening)
  useEffect(() => {
    if (opening === null || !awaited) return
    setOpening(null)
    open(opening, awaited)
  })
  useEffect(() => {
    if (begun !== undefined) box.current?.focus({ preventScroll: true })
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    // The heads sort.
    if (event.target !== box.current || total === 0) return
    if (event.key === 'Enter') {
      event.preventDefault()
      return setOpening(at)
    }
    const to = moves[event.key]?.(at, total)
    if (to === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(total - 1, to))
    setChosen(next)
    setOpening(null)
    virtual.scrollToIndex(next)
  }
  const against = search.baseline !== undefined
  return (
    <div
      className={against ? 'virtual scrolls against' : 'virtual scrolls'}
      ref={box}
      onKeyDown={onKeyDown}
      tabIndex={0}
      role="grid"
      aria-label="Samples"
      aria-rowcount={total + 1}
      aria-activedescendant={total > 0 ? `${base}${at}` : undefined}
    >
      <div role="rowgroup" className="head-rows">
        <Heads search={search} against={against} />
      </div>
      <div role="rowgroup" className="body" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <Row
            key={index}
            rowId={`${base}${index}`}
            hrefOf={hrefOf}
            index={index}
            row={rowAt(index)}
            top={start}
            current={index === at}
            against={against}
            onOpen={(row) => {
              setChosen(index)
              open(index, row)
            }}
          />
        ))}
      </div>
    </div>
  )
}

const heads = [
  ['place', 'Case'],
  ['verdict', 'Verdict'],
  ['cause', 'Root cause'],
  ['group', 'Group'],
] as const

function Heads({ search, against }: { search: SampleSearch; against: boolean }) {
  const navigate = route.useNavigate()
  const { sort = 'place', order = 'rising' } = search
  return (
    <div role="row" className="row head-row" aria-rowindex={1}>
      {heads.map(([name, text]) => (
        <span
          role="columnheader"
          key={name}
          aria-sort={sort !== name ? 'none' : order === 'rising' ? 'ascending' : 'descending'}
        >
          <button
            type="button"
            className="sorts"
            onClick={() =>
              void navigate({
                search: ({ at: _at, sort: _sort, order: _order, ...before }) => ({
                  ...before,
                  ...toggleSort(search, name),
                }),
                replace: true,
              })
            }
          >
            {text}
            <span aria-hidden="true">{sort !== name ? '' : order === 'rising' ? ' ▴' : ' ▾'}</span>
          </button>
        </span>
      ))}
      {against && <span role="columnheader">Baseline</span>}
      <span role="columnheader">Why</span>
    </div>
  )
}

interface RowProps {
  rowId: string
  hrefOf: (row: SampleRow) => string
  index: number
  row: SampleRow | undefined
  top: number
  current: boolean
  against: boolean
  onOpen: (row: SampleRow) => void
}
function Row({ rowId, hrefOf, index, row, top, current, against, onOpen }: RowProps) {
  const outcome = row?.passed === true ? 'passed' : row?.passed === false ? 'failed' : ''
  const follow = (event: MouseEvent) => {
    // Another tab is the browser's matter.
    if (!row || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(row)
  }
  return (
    <div
      role="row"
      id={rowId}
      className={current ? 'row current' : 'row'}
      aria-rowindex={index + 2}
      aria-selected={current}
      data-index={index}
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
    >
      <span role="gridcell">
        {row ? (
          <a href={hrefOf(row)} tabIndex={-1} onClick={follow}>
            {row.case}
            {row.sample > 0 && ` #${row.sample + 1}`}
          </a>
        ) : (
          '…'
        )}
      </span>
      <span role="gridcell" className={outcome}>
        {row && (row.verdict === null ? 'not scored' : splitWords(row.verdict))}
      </span>
      <span role="gridcell">{row?.cause && splitWords(row.cause)}</span>
      <span role="gridcell">{row?.group}</span>
      {against && (
        <span role="gridcell">
          {row && <RateText rate={row.baseline ?? null} bracket={row.baselineBracket ?? null} />}
        </span>
      )}
      <span role="gridcell" title={row?.says}>
        {row?.says}
      </span>
    </div>
  )
}
