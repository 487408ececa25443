/** The cases of a set, page by page, and one case with its reference. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenchmarkCase } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import {
  createBenchmarkCaseQuery,
  createBenchmarkCasesQuery,
  createBenchmarkQuery,
  createReferenceQuery,
} from '../data/queries.ts'
import { Heads } from '../parts/heads.tsx'
import { Scrolls } from '../parts/scrolls.tsx'
import { Heading } from '../parts/shell.tsx'
import { Loaded } from '../parts/states.tsx'
import { Terms } from '../parts/terms.tsx'
import { extractCode } from '../pure/code.ts'
import { count } from '../pure/format.ts'

const list = getRouteApi('/benchmarks/$id/cases')
const one = getRouteApi('/benchmarks/$id/cases/$case')
const pageSize = 25
const findGroup = (c: BenchmarkCase) => ('group' in c ? c.group : c.scenario)

export function BenchmarkCasesView() {
  const { id } = list.useParams()
  const { from = 0 } = list.useSearch()
  const total = useQuery(createBenchmarkQuery(id)).data?.manifest?.counts.kept ?? 0
  const cases = useQuery({
    ...createBenchmarkCasesQuery(id, from, pageSize),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Heading>Cases of the benchmark</Heading>
      <p>
        <Link to="/benchmarks/$id" params={{ id }}>
          {id}
        </Link>
      </p>
      <Loaded of={cases} what="cases">
        {({ items }) => (
          <>
            <nav aria-label="Pages" className="who">
              <span role="status">
                {count(Math.min(total, from + 1))} to {count(from + items.length)} of {count(total)}
              </span>
              {from > 0 && (
                <Link
                  to="/benchmarks/$id/cases"
                  params={{ id }}
                  search={from > pageSize ? { from: from - pageSize } : {}}
                >
                  Previous
                </Link>
              )}
              {from + pageSize < total && (
                <Link to="/benchmarks/$id/cases" params={{ id }} search={{ from: from + pageSize }}>
                  Next
                </Link>
              )}
            </nav>
            <Scrolls label="Cases">
              <table>
                <thead>
                  <tr>
                    <Heads of={['case', 'group', 'instruction']} />
                  </tr>
                </thead>
                <tbody>
                  {items.map((c) => (
                    <tr key={c.id}>
                      <th scope="row">
                        <Link to="/benchmarks/$id/cases/$case" params={{ id, case: c.id }}>
                          {c.id}
                        </Link>
                      </th>
                      <td>{findGroup(c)}</td>
                      <td>
                        {c.instruction.slice(0, 240)}
                        {c.instruction.length > 240 && ' …'}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrolls>
          </>
        )}
      </Loaded>
    </>
  )
}

export function BenchmarkCaseView() {
  const { id, case: name } = one.useParams()
  const { language } = one.useSearch()
  const navigate = one.useNavigate()
  const found = useQuery(createBenchmarkCaseQuery(id, name))
  const reference = useQuery(createReferenceQuery(id, name, language))
  return (
    <>
      <Heading>{name}</Heading>
      <p>
        <Link to="/benchmarks/$id/cases" params={{ id }}>
          All cases of {id}
        </Link>
      </p>
      <Loaded of={found} what="the case">
        {(c) => (
          <>
            <h2>Instruction</h2>
            <p className="instruction">{c.instruction}</p>
            <h2>Reference</h2>
            {'program' in c && (
              <label>
                Language{' '}
                <select
                  value={language ?? ''}
                  onChange={({ target }) =>
                    void navigate({
                      search: target.value === '' ? {} : { language: target.value as 'javascript' },
                      replace: true,
                    })
                  }
                >
                  <option value="">as built</option>
                  <option>javascript</option>
                  <option>python</option>
                </select>
              </label>
            )}
            <Loaded of={reference} what="the reference">
              {({ answer }) => (
                <pre tabIndex={0}>
                  {answer === null ? 'It has none in this language.' : extractCode(answer)}
                </pre>
              )}
            </Loaded>
            {'program' in c ? <Program c={c} /> : <Task task={c.task} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function Program({ c }: { c: Extract<BenchmarkCase, { program: unknown }> }) {
  return (
    <>
      <Terms
        of={[
          ...Object.entries(c.metrics),
          ...(c.flags.length > 0 ? [['flags', c.flags.map(splitWords).join(', ')] as const] : []),
          ...c.variables.map(({ name, type }) => ['variable', `${name}: ${type}`] as const),
        ]}
      />
      <h2>Expected RESULT</h2>
      {c.oracles.map(({ result }, n) => (
        <div key={n}>
          <h3>Input {n + 1}</h3>
          <pre tabIndex={0}>{JSON.stringify(result, null, 2)}</pre>
        </div>
      ))}
    </>
  )
}

const Task = ({ task }: { task: unknown }) => (
  <>
    <h2>Task</h2>
    <pre tabIndex={0}>{JSON.stringify(task, null, 2)}</pre>
  </>
)
