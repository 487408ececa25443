/** One set: its build, its statistics, its coverage, and whether its references are correct. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { BenchmarkResource, EvaluationResource, Manifest } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { getApi } from '../data/api.ts'
import {
  createBenchmarkQuery,
  createCoverageQuery,
  evaluationsQuery,
  isRunning,
  createRoundTripQuery,
  createSummaryQuery,
} from '../data/queries.ts'
import { Heads } from '../parts/heads.tsx'
import { CoverageLines, HeatMap } from '../parts/coverage.tsx'
import { Rate } from '../parts/rate.tsx'
import { Scrolls } from '../parts/scrolls.tsx'
import { Heading } from '../parts/shell.tsx'
import { Failure, Loaded } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Terms } from '../parts/terms.tsx'
import { count, formatMoment, formatPercentLocal } from '../pure/format.ts'
import { describeSource } from './benchmarks.tsx'

const route = getRouteApi('/benchmarks/$id')

export function BenchmarkView() {
  const { id } = route.useParams()
  const benchmark = useQuery(createBenchmarkQuery(id))
  return (
    <Loaded of={benchmark} what="the benchmark">
      {(data) => <Whole benchmark={data} />}
    </Loaded>
  )
}

/** Tells whether people may decide about its instructions or tasks. */
const isReviewable = ({ build, writing, reviewed }: BenchmarkResource) =>
  reviewed === undefined && (build !== undefined || writing !== undefined)

function Whole({ benchmark }: { benchmark: BenchmarkResource }) {
  const { id, kind, status, error, manifest, warnings, progress } = benchmark
  const running = isRunning(benchmark)
  return (
    <>
      <div className="head">
        <Heading>{`${kind} benchmark`}</Heading>
        {running && <Cancel id={id} />}
      </div>
      <p className="about">
        <Status status={status} /> {id} · {describeSource(benchmark)} · created{' '}
        {formatMoment(benchmark.createdAt)}
      </p>
      {error !== undefined && <p className="failure">{error}</p>}
      {running && (
        <div className="progress">
          <progress
            value={progress.done}
            max={Math.max(1, progress.total)}
            aria-label={`${progress.phase}: ${progress.done} of ${progress.total}`}
          />
          <small>
            {progress.phase}: {count(progress.done)} of {count(progress.total)}
          </small>
        </div>
      )}
      <p>
        {manifest && (
          <>
            <Link to="/benchmarks/$id/cases" params={{ id }}>
              Cases to read
            </Link>{' '}
            ·{' '}
            <Link to="/evaluations/new" search={{ benchmark: id }}>
              Evaluate a model
            </Link>{' '}
            ·{' '}
            <Link to="/evaluations" search={{ benchmark: id }}>
              Its evaluations
            </Link>
          </>
        )}
        {isReviewable(benchmark) && !running && (
          <>
            {manifest && ' · '}
            <Link to="/benchmarks/$id/review" params={{ id }}>
              Review
            </Link>
          </>
        )}
      </p>
      {warnings && warnings.length > 0 && (
        <details>
          <summary>{count(warnings.length)} irregularities of the published data</summary>
          <ul>
            {warnings.map((text, n) => (
              <li key={n}>{text}</li>
            ))}
          </ul>
        </details>
      )}
      {manifest && <Statistics manifest={manifest} />}
      <Coverage id={id} running={running} />
      {manifest && <Truth benchmark={benchmark} />}
      {manifest && <About manifest={manifest} />}
    </>
  )
}

function Cancel({ id }: { id: string }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => getApi().cancelBenchmark({ params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['benchmark', id] }),
  })
  return (
    <>
      <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </button>
      {cancel.error && <Failure error={cancel.error} />}
    </>
  )
}

/** Shows the statistics as the paper's Table I. */
function Statistics({ manifest: { statistics, filtered, counts } }: { manifest: Manifest }) {
  const metrics = [...new Set(statistics.flatMap((one) => Object.keys(one.metrics)))]
  const figure = (n: number) => count(Number(n.toFixed(2)))
  return (
    <section aria-labelledby="statistics">
      <h2 id="statistics">Statistics</h2>
      <p>
        {count(counts.generated)} generated, {count(counts.passed)} passed every filter, {count(counts.kept)}{' '}
        kept.
      </p>
      <Scrolls label="Statistics of the set">
        <table>
          <thead>
            <tr>
              <th scope="col">scenario</th>
              <Heads of={['cases', 'APIs', 'with an if/else', 'ATC', 'ATC of the feasible']} numbers />
              {metrics.map((metric) => (
                <th scope="col" className="n" key={metric}>
                  {splitWords(metric)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {statistics.map((one, row) => (
              <tr key={row}>
                <th scope="row">{one.scenario}</th>
                <td className="n">{count(one.cases)}</td>
                <td className="n">{count(one.apis)}</td>
                <td className="n">{count(one.branches)}</td>
                <td className="n">{formatPercentLocal(one.atc ?? null)}</td>
                <td className="n">{formatPercentLocal(one.atcFeasible ?? null)}</td>
                {metrics.map((metric) => {
                  const spread = one.metrics[metric]
                  return (
                    <td className="n" key={metric}>
                      {spread && figure(spread.mean)}
                      {spread && (
                        <small>
                          {figure(spread.min)} – {figure(spread.max)}
                        </small>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      {filtered.length > 0 && (
        <Scrolls label="What was filtered">
          <table>
            <thead>
              <tr>
                <Heads of={['scenario', 'filtered in', 'because']} />
                <th scope="col" className="n">
                  programs
                </th>
              </tr>
            </thead>
            <tbody>
              {filtered.map((one, n) => (
                <tr key={n}>
                  <td>{one.scenario}</td>
                  <td>{one.phase}</td>
                  <td>{splitWords(one.reason)}</td>
                  <td className="n">{count(one.count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      )}
    </section>
  )
}

function Coverage({ id, running }: { id: string; running: boolean }) {
  const { pairs = 'adjacent' } = route.useSearch()
  const navigate = route.useNavigate()
  const coverage = useQuery({ ...createCoverageQuery(id), ...(running && { refetchInterval: 1_500 }) })
  const scenarios = coverage.data?.scenarios ?? []
  if (coverage.data && scenarios.length === 0)
    return running ? <p>Its coverage shows as soon as programs are generated.</p> : null
  return (
    <section aria-labelledby="coverage">
      <h2 id="coverage">Coverage</h2>
      <Loaded of={coverage} what="the coverage">
        {() => (
          <>
            <label>
              Pairs of calls that are{' '}
              <select
                value={pairs}
                onChange={({ target }) =>
                  void navigate({
                    search: target.value === 'linked' ? { pairs: 'linked' } : {},
                    replace: true,
                  })
                }
              >
                <option value="adjacent">neighbours</option>
                <option value="linked">linked by a state</option>
              </select>
            </label>
            {scenarios.map((one) => (
              <div key={one.scenario}>
                <h3>{one.scenario}</h3>
                <CoverageLines of={one} />
                <HeatMap of={one} kind={pairs} />
              </div>
            ))}
          </>
        )}
      </Loaded>
    </section>
  )
}

const findNewest = (all: readonly EvaluationResource[], digest: string, model: string) =>
  all
    .filter((one) => one.digest === digest && one.model === model)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]

/** Shows the certificate's figures: references replayed, mutants, instructions read back. */
function Truth({ benchmark: { id, manifest } }: { benchmark: BenchmarkResource }) {
  const evaluations = useQuery(evaluationsQuery)
  const roundTrip = useQuery(createRoundTripQuery(id))
  const digest = manifest?.digest ?? ''
  const of = (model: string) => findNewest(evaluations.data ?? [], digest, model)
  const trip = roundTrip.data
  return (
    <section aria-labelledby="truth">
      <h2 id="truth">Truth</h2>
      <p className="explains">
        <code>npx stateeval certify {id}</code> measures the same, and signs it.
      </p>
      <dl className="options truth">
        <div>
          <dt>references replayed</dt>
          <dd>
            <Measured id={id} model="reference" evaluation={of('reference')} />
          </dd>
        </div>
        <div>
          <dt>mutation score</dt>
          <dd>
            <Measured id={id} model="mutant" evaluation={of('mutant')} />
          </dd>
        </div>
        <div>
          <dt>instructions read back</dt>
          <dd>
            {roundTrip.error ? (
              <Failure error={roundTrip.error} />
            ) : !trip ? (
              '…'
            ) : trip.cases === 0 ? (
              'this kind has no programs'
            ) : (
              `${count(trip.verified)} of ${count(trip.cases)} have exactly one reading, their program`
            )}
          </dd>
        </div>
      </dl>
      {trip && trip.others.length > 0 && (
        <details>
          <summary>Cases whose instruction does not read back</summary>
          <ul>
            {trip.others.map((name) => (
              <li key={name}>
                <Link to="/benchmarks/$id/cases/$case" params={{ id, case: name }}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

interface MeasuredProps {
  id: string
  model: 'reference' | 'mutant'
  evaluation: EvaluationResource | undefined
}
/** The newest evaluation of a built-in model, or a button that begins one, also after one that stopped. */
function Measured({ id, model, evaluation }: MeasuredProps) {
  const client = useQueryClient()
  const summary = useQuery({
    ...createSummaryQuery(evaluation?.id ?? ''),
    enabled: evaluation?.status === 'succeeded',
  })
  const begin = useMutation({
    mutationFn: () =>
      getApi().createEvaluation({
        body: { benchmark: id, model, ...(model === 'mutant' && { samples: 3 }) },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ['evaluations'] }),
  })
  const isStopped = evaluation?.status === 'failed' || evaluation?.status === 'cancelled'
  const link = evaluation && (
    <Link to="/evaluations/$id" params={{ id: evaluation.id }}>
      {evaluation.id}
    </Link>
  )
  if (!evaluation || isStopped)
    return (
      <>
        {evaluation && (
          <>
            <Status status={evaluation.status} /> {link}{' '}
          </>
        )}
        <button type="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
          {model === 'reference' ? 'Replay the references' : 'Run mutants'}
        </button>
        {begin.error && <Failure error={begin.error} />}
      </>
    )
  const result = summary.data?.result
  const shown =
    model === 'reference'
      ? result?.overall
      : result?.mutation && { ...result.mutation, rate: result.mutation.score }
  return (
    <>
      {shown ? (
        <Rate {...shown} />
      ) : evaluation.status === 'succeeded' && result ? (
        'this kind has no mutants'
      ) : (
        <Status status={evaluation.status} />
      )}{' '}
      {link}
    </>
  )
}

const About = ({ manifest: { digest, versions, options, seed } }: { manifest: Manifest }) => (
  <section aria-labelledby="made">
    <h2 id="made">How it was made</h2>
    <Terms
      of={[['digest', digest], ['seed', seed], ...Object.entries(versions), ...Object.entries(options)]}
    />
  </section>
)
