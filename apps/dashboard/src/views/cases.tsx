/** The samples of an evaluation as a table of any length; pages load while scrolling. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { createEvaluationQuery, isRunning, createSamplesQuery } from '../data/queries.ts'
import { SampleFilters } from '../parts/sample-filters.tsx'
import { SampleRows } from '../parts/sample-rows.tsx'
import { Heading } from '../parts/shell.tsx'
import { Failure } from '../parts/states.tsx'
import { count } from '../pure/format.ts'
import { getFirstPage } from '../pure/samples.ts'

const route = getRouteApi('/evaluations/$id/cases')

export function CasesView() {
  const { id } = route.useParams()
  const placed = route.useSearch()
  const { at, ...search } = placed
  const evaluation = useQuery(createEvaluationQuery(id))
  const running = evaluation.data !== undefined && isRunning(evaluation.data)
  const first = useQuery({
    ...createSamplesQuery(id, getFirstPage(placed)),
    placeholderData: keepPreviousData,
    ...(running && { refetchInterval: 3_000 }),
  })
  const { data: table } = first
  return (
    <>
      <Heading>{`Cases of ${evaluation.data?.model ?? id}`}</Heading>
      <p>
        <Link to="/evaluations/$id" params={{ id }}>
          The evaluation
        </Link>
      </p>
      <SampleFilters search={search} table={table} evaluation={evaluation.data} />
      <p role="status">
        {table && !first.isPlaceholderData
          ? `${count(table.total)} of ${count(table.ended)} samples`
          : first.error
            ? 'No samples'
            : 'Searching …'}
      </p>
      {first.error && <Failure error={first.error} />}
      {table ? (
        <SampleRows id={id} search={search} first={table} at={at} key={JSON.stringify(search)} />
      ) : (
        <div className="virtual scrolls" />
      )}
    </>
  )
}
