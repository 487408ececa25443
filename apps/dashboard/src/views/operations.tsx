/** The installation: services and their replicas, queues, dead letters, and why samples were not scored. */
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DeadLetter, DeadLetterFilter, InstallationState } from '@stateeval/contracts'
import { getApi } from '../data/api.ts'
import {
  createDeadLettersQuery,
  evaluationsQuery,
  installationQuery,
  createSamplesQuery,
} from '../data/queries.ts'
import { Heads } from '../parts/heads.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { Scrolls } from '../parts/scrolls.tsx'
import { Heading } from '../parts/shell.tsx'
import { Failure, Loaded } from '../parts/states.tsx'
import { count, formatDurationLocal, formatMoment } from '../pure/format.ts'

const route = getRouteApi('/operations')

export function OperationsView() {
  const installation = useQuery(installationQuery)
  return (
    <>
      <Heading>Operations</Heading>
      <section aria-labelledby="services">
        <h2 id="services">Services</h2>
        <Loaded of={installation} what="services">
          {(state) => <Services state={state} />}
        </Loaded>
      </section>
      <DeadLetters />
      <NotScored />
    </>
  )
}

function Services({ state: { services } }: { state: InstallationState }) {
  if (services.length === 0) return <p>Only operators of the installation see services and queues.</p>
  const queues = services.flatMap((one) => one.queues)
  return (
    <>
      <Scrolls label="Services and replicas">
        <table>
          <thead>
            <tr>
              <Heads of={['service', 'replica', 'since', 'problems']} />
            </tr>
          </thead>
          <tbody>
            {services.map(({ service, replicas }) =>
              replicas.length === 0 ? (
                <tr key={service}>
                  <th scope="row">{service}</th>
                  <td colSpan={3} className="failed">
                    no replica answers
                  </td>
                </tr>
              ) : (
                replicas.map(({ host, pid, startedAt, problems }, n) => (
                  <tr key={`${service} ${n}`}>
                    <th scope="row">{service}</th>
                    <td>
                      {host}, process {pid}
                    </td>
                    <td>{formatMoment(startedAt)}</td>
                    <td className={problems.length > 0 ? 'failed' : ''}>{problems.join('; ') || 'none'}</td>
                  </tr>
                ))
              ),
            )}
          </tbody>
        </table>
      </Scrolls>
      <h2>Queues</h2>
      <Scrolls label="Queues">
        <table>
          <thead>
            <tr>
              <th scope="col">queue</th>
              <Heads of={['waiting', 'taken', 'delivered again', 'oldest waits']} numbers />
            </tr>
          </thead>
          <tbody>
            {queues.map(({ kind, waiting, taken, repeated, lagSeconds }) => (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td className="n">{count(waiting)}</td>
                <td className="n">{count(taken)}</td>
                <td className="n">{count(repeated)}</td>
                <td className="n">{waiting > 0 ? formatDurationLocal(lagSeconds * 1000) : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </>
  )
}

function DeadLetters() {
  const { kind, error } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const filter = { ...(kind !== undefined && { kind }), ...(error !== undefined && { error }) }
  const letters = useQuery(createDeadLettersQuery(filter))
  const kinds = [...new Set([...(letters.data ?? []).map((one) => one.kind), ...(kind ? [kind] : [])])]
  const redrive = useMutation<unknown, Error, string | null>({
    mutationFn: (id) =>
      id === null ? redriveAllShown(filter) : getApi().redriveDeadLetter({ params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['dead-letters'] }),
  })
  const discard = useMutation<unknown, Error, string>({
    mutationFn: (id) => getApi().discardDeadLetter({ params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['dead-letters'] }),
  })
  const isBusy = redrive.isPending || discard.isPending
  const set = (change: Record<string, string>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== '')),
      replace: true,
    })
  return (
    <section aria-labelledby="dead">
      <h2 id="dead">Dead letters</h2>
      <p className="explains">Jobs that failed at every attempt. They are kept for 30 days.</p>
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <label>
          Queue
          <select value={kind ?? ''} onChange={({ target }) => set({ kind: target.value })}>
            <option value="">any</option>
            {kinds.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Error contains
          <input
            type="search"
            defaultValue={error ?? ''}
            maxLength={200}
            onChange={({ target }) => set({ error: target.value })}
          />
        </label>
        <button
          type="button"
          disabled={isBusy || (letters.data ?? []).length === 0}
          onClick={() => redrive.mutate(null)}
        >
          Queue all of these again
        </button>
      </form>
      {redrive.error && <Failure error={redrive.error} />}
      {discard.error && <Failure error={discard.error} />}
      <Loaded of={letters} what="dead letters">
        {(all) =>
          all.length === 0 ? (
            <p>There are none.</p>
          ) : (
            <>
              <ListEnd of={all} what="dead letters" />
              <Letters
                letters={all}
                busy={isBusy}
                onRedrive={(id) => redrive.mutate(id)}
                onDiscard={(id) => discard.mutate(id)}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** One request queues at most 500 again. */
async function redriveAllShown(filter: DeadLetterFilter): Promise<void> {
  for (let more = true; more;) ({ more } = await getApi().redriveDeadLetters({ body: filter }))
}

interface LettersProps {
  letters: readonly DeadLetter[]
  busy: boolean
  onRedrive: (id: string) => void
  onDiscard: (id: string) => void
}
const Letters = ({ letters, busy, onRedrive, onDiscard }: LettersProps) => (
  <Scrolls label="Jobs that failed">
    <table>
      <thead>
        <tr>
          <Heads of={['queue', 'error', 'attempts', 'asked for by', 'died', 'actions']} />
        </tr>
      </thead>
      <tbody>
        {letters.map(({ id, kind, error, attempts, owner, diedAt }) => (
          <tr key={id}>
            <th scope="row">{kind}</th>
            <td>{error}</td>
            <td className="n">{count(attempts)}</td>
            <td>
              {owner === undefined ? (
                '–'
              ) : owner.startsWith('ev_') ? (
                <Link to="/evaluations/$id" params={{ id: owner }}>
                  {owner}
                </Link>
              ) : (
                <Link to="/benchmarks/$id" params={{ id: owner }}>
                  {owner}
                </Link>
              )}
            </td>
            <td>{formatMoment(diedAt)}</td>
            <td>
              <button
                type="button"
                disabled={busy}
                aria-label={`Queue again: ${kind} ${id}`}
                onClick={() => onRedrive(id)}
              >
                Queue again
              </button>{' '}
              <button
                type="button"
                disabled={busy}
                aria-label={`Discard: ${kind} ${id}`}
                onClick={() => onDiscard(id)}
              >
                Discard
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrolls>
)

/** Evaluations that are looked at, the newest first. */
const maxLooked = 8
/** Samples of each whose reasons are counted. */
const maxSamples = 200

function NotScored() {
  const evaluations = useQuery(evaluationsQuery)
  const some = (evaluations.data ?? [])
    .filter(({ counts }) => counts.notScored > 0)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, maxLooked)
  const samples = useQueries({
    queries: some.map(({ id }) => createSamplesQuery(id, { passed: 'not scored', limit: maxSamples })),
  })
  const rows = some.flatMap((evaluation, n) => {
    const reasons = new Map<string, number>()
    for (const { says } of samples[n]?.data?.items ?? []) reasons.set(says, (reasons.get(says) ?? 0) + 1)
    return [...reasons].map(([says, samplesOf]) => ({ evaluation, says, samples: samplesOf }))
  })
  return (
    <section aria-labelledby="infrastructure">
      <h2 id="infrastructure">Recent infrastructure errors</h2>
      <p className="explains">
        Why samples of the newest evaluations were not scored; of each, the first {maxSamples} count.
      </p>
      {rows.length === 0 ? (
        <p>{evaluations.data ? 'There are none.' : '…'}</p>
      ) : (
        <Scrolls label="Reasons">
          <table>
            <thead>
              <tr>
                <th scope="col">evaluation</th>
                <th scope="col">reason</th>
                <th scope="col" className="n">
                  samples
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ evaluation: { id, model }, says, samples: n }, row) => (
                <tr key={row}>
                  <th scope="row">
                    <Link to="/evaluations/$id/cases" params={{ id }} search={{ passed: 'not scored' }}>
                      {model}
                    </Link>
                    <small>{id}</small>
                  </th>
                  <td>{says}</td>
                  <td className="n">{count(n)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      )}
    </section>
  )
}
