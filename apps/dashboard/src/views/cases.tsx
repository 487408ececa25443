/** The samples of an evaluation as a table of any length: pages come as they are scrolled to. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { SampleRow, SampleTable, SampleTableQuery } from '@stateeval/contracts'
import { words } from '@stateeval/program/format'
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react'
import { evaluationQuery, isRunning, samplesQuery } from '../data/queries.ts'
import { Heading } from '../parts/shell.tsx'
import { Loaded } from '../parts/states.tsx'
import { count } from '../pure/format.ts'
import { passings, type SampleSearch } from '../pure/samples.ts'

const route = getRouteApi('/evaluations/$id/cases')
const pageSize = 100
const rowHeight = 40

export function CasesView() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const evaluation = useQuery(evaluationQuery(id))
  const running = evaluation.data !== undefined && isRunning(evaluation.data)
  const first = useQuery({
    ...samplesQuery(id, { ...search, from: 0, limit: pageSize }),
    placeholderData: keepPreviousData,
    ...(running && { refetchInterval: 3_000 }),
  })
  return (
    <>
      <Heading>{`Cases of ${evaluation.data?.model ?? id}`}</Heading>
      <p>
        <Link to="/evaluations/$id" params={{ id }}>
          The evaluation
        </Link>
      </p>
      <Loaded of={first} what="samples">
        {(table) => (
          <>
            <Filters search={search} table={table} />
            <p role="status">
              {count(table.total)} of {count(table.ended)} samples
            </p>
            <Rows id={id} search={search} first={table} key={JSON.stringify(search)} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Filters({ search, table }: { search: SampleSearch; table: SampleTable }) {
  const navigate = route.useNavigate()
  const set = (change: Record<string, string>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== '')),
      replace: true,
    })
  const choices: [keyof SampleSearch, string, Readonly<Record<string, number>>][] = [
    ['verdict', 'Verdict', table.verdicts],
    ['cause', 'Root cause', table.causes],
    ['group', 'Group', table.groups],
  ]
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        Find
        <input
          type="search"
          defaultValue={search.search ?? ''}
          onChange={({ target }) => set({ search: target.value })}
        />
      </label>
      <label>
        Passed
        <select value={search.passed ?? ''} onChange={({ target }) => set({ passed: target.value })}>
          <option value="">all</option>
          {passings.map((passed) => (
            <option key={passed}>{passed}</option>
          ))}
        </select>
      </label>
      {choices.map(([name, label, counts]) => (
        <label key={name}>
          {label}
          <select value={search[name] ?? ''} onChange={({ target }) => set({ [name]: target.value })}>
            <option value="">any</option>
            {Object.entries(counts).map(([value, n]) => (
              <option key={value} value={value}>
                {`${words(value)} (${count(n)})`}
              </option>
            ))}
          </select>
        </label>
      ))}
    </form>
  )
}

/** Arrows, Page Up and Down, Home and End move along the rows; Enter follows the row's link. */
const moves: Readonly<Record<string, (at: number, total: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at) => at + 10,
  PageUp: (at) => at - 10,
  Home: () => 0,
  End: (_at, total) => total - 1,
}

function Rows({ id, search, first }: { id: string; search: SampleSearch; first: SampleTable }) {
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const virtual = useVirtualizer({
    count: first.total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  })
  const shown = virtual.getVirtualItems()
  const pages = useDeferredValue([...new Set(shown.map(({ index }) => Math.floor(index / pageSize)))].join())
  const asked = pages === '' ? [] : pages.split(',').map(Number)
  const queryOf = (page: number): SampleTableQuery => ({ ...search, from: page * pageSize, limit: pageSize })
  const results = useQueries({ queries: asked.map((page) => samplesQuery(id, queryOf(page))) })
  const rowAt = (index: number): SampleRow | undefined => {
    const page = Math.floor(index / pageSize)
    const items = page === 0 ? first.items : results[asked.indexOf(page)]?.data?.items
    return items?.[index % pageSize]
  }
  const move = (event: KeyboardEvent) => {
    const to = moves[event.key]?.(at, first.total)
    if (to === undefined || first.total === 0) return
    event.preventDefault()
    const next = Math.max(0, Math.min(first.total - 1, to))
    setAt(next)
    virtual.scrollToIndex(next)
    // The row may have to be drawn first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus(),
      ),
    )
  }
  return (
    <div
      className="virtual scrolls"
      ref={box}
      onKeyDown={move}
      tabIndex={0}
      role="region"
      aria-label="Samples"
    >
      <div role="table" aria-rowcount={first.total + 1} aria-label="Samples">
        <div role="row" className="row head-row" aria-rowindex={1}>
          {['Case', 'Verdict', 'Root cause', 'Why'].map((head) => (
            <span role="columnheader" key={head}>
              {head}
            </span>
          ))}
        </div>
        <div role="rowgroup" className="body" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, start }) => (
            <Row
              key={index}
              id={id}
              index={index}
              row={rowAt(index)}
              top={start}
              current={index === at}
              onFocus={() => setAt(index)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  id: string
  index: number
  row: SampleRow | undefined
  top: number
  current: boolean
  onFocus: () => void
}
function Row({ id, index, row, top, current, onFocus }: RowProps) {
  const outcome = row?.passed === true ? 'passed' : row?.passed === false ? 'failed' : ''
  return (
    <div
      role="row"
      className="row"
      aria-rowindex={index + 2}
      data-index={index}
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
    >
      <span role="cell">
        {row ? (
          <Link
            to="/evaluations/$id/cases/$place"
            params={{ id, place: String(row.place) }}
            tabIndex={current ? 0 : -1}
            onFocus={onFocus}
          >
            {row.case}
            {row.sample > 0 && ` #${row.sample + 1}`}
          </Link>
        ) : (
          '…'
        )}
      </span>
      <span role="cell" className={outcome}>
        {row && (row.verdict === null ? 'not scored' : words(row.verdict))}
      </span>
      <span role="cell">{row?.cause && words(row.cause)}</span>
      <span role="cell" title={row?.says}>
        {row?.says}
      </span>
    </div>
  )
}
