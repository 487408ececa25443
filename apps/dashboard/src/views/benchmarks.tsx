/** All sets of test cases of the project. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BenchmarkResource } from '@stateeval/contracts'
import { benchmarksQuery } from '../data/queries.ts'
import { ListEnd } from '../parts/list-end.tsx'
import { Scrolls } from '../parts/scrolls.tsx'
import { Heading } from '../parts/shell.tsx'
import { Loaded } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { count, formatMoment } from '../pure/format.ts'

/** The origin of a set, in a phrase. */
export function describeSource({ origin, build, writing, reviewed }: BenchmarkResource): string {
  if (reviewed !== undefined) return `reviewed ${reviewed}`
  if (build) return `scenario ${build.scenario}, seed ${build.seed}`
  if (writing) return `specification, written by ${writing.model}`
  return origin === 'import' ? 'imported' : origin
}

export function BenchmarksView() {
  const benchmarks = useQuery(benchmarksQuery)
  return (
    <>
      <div className="head">
        <Heading>Benchmarks</Heading>
        <Link to="/benchmarks/plan" className="button">
          Plan one of an API
        </Link>
        <Link to="/benchmarks/new" className="button primary">
          Build a benchmark
        </Link>
      </div>
      <Loaded of={benchmarks} what="benchmarks">
        {(all) => (
          <>
            <ListEnd of={all} what="benchmarks" />
            {all.length === 0 ? <Nothing /> : <List benchmarks={all.toReversed()} />}
          </>
        )}
      </Loaded>
    </>
  )
}

const Nothing = () => (
  <p>
    There are no benchmarks yet. <Link to="/benchmarks/new">Build one</Link>, or run{' '}
    <code>npx stateeval import</code>.
  </p>
)

const List = ({ benchmarks }: { benchmarks: readonly BenchmarkResource[] }) => (
  <Scrolls label="Benchmarks">
    <table>
      <thead>
        <tr>
          <th scope="col">Benchmark</th>
          <th scope="col">Status</th>
          <th scope="col" className="n">
            Cases
          </th>
          <th scope="col">Made from</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {benchmarks.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <Link to="/benchmarks/$id" params={{ id: one.id }}>
                {one.kind}
              </Link>
              <small>{one.id}</small>
            </th>
            <td>
              <Status status={one.status} />
              {one.error !== undefined && <small className="why">{one.error}</small>}
            </td>
            <td className="n">{one.manifest ? count(one.manifest.counts.kept) : '–'}</td>
            <td>{describeSource(one)}</td>
            <td>{formatMoment(one.createdAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrolls>
)
