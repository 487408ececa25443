/**
 * Evaluations of one benchmark compared with a baseline: differences with their tests, and flipped cases.
 */
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ComparisonResource, EvaluationResource } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { useMemo } from 'react'
import { getApi } from '../data/api.ts'
import { evaluationsQuery, createFlipsQuery } from '../data/queries.ts'
import { Heads } from '../parts/heads.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { Rate, RateText } from '../parts/rate.tsx'
import { Heading } from '../parts/shell.tsx'
import { Loaded } from '../parts/states.tsx'
import { type CaseFlip, groupFlips } from '../pure/flips.ts'
import {
  count,
  formatDurationLocal,
  formatFigure,
  formatIntervalLocal,
  formatMoment,
  formatPercentLocal,
  formatPointsLocal,
  formatProbability,
} from '../pure/format.ts'
import { Scrolls } from '../parts/scrolls.tsx'

const route = getRouteApi('/compare')

const createComparisonQuery = (evaluations: string[]) =>
  queryOptions({
    queryKey: ['comparison', ...evaluations],
    // The same evaluations in the same order are the same comparison.
    queryFn: () => getApi().createComparison({ body: { evaluations } }),
    staleTime: Infinity,
  })

export function CompareView() {
  const query = useQuery(evaluationsQuery)
  return (
    <>
      <Heading>Compare</Heading>
      <Loaded of={query} what="evaluations">
        {(evaluations) => (
          <>
            <ListEnd of={evaluations} what="evaluations" />
            <Chosen ended={evaluations.filter(({ status }) => status === 'succeeded').toReversed()} />
          </>
        )}
      </Loaded>
    </>
  )
}

const formatTitle = ({ model, id, createdAt, options, tags = [] }: EvaluationResource) =>
  [
    model,
    options.prompting,
    ...(options.mode === undefined || options.mode === 'program' ? [] : [options.mode]),
    ...tags,
    formatMoment(createdAt),
    id,
  ].join(', ')

function Chosen({ ended }: { ended: readonly EvaluationResource[] }) {
  const { baseline: named, others = [] } = route.useSearch()
  const navigate = route.useNavigate()
  const baseline = ended.find(({ id }) => id === named) ?? ended[0]
  if (!baseline) return <p>No evaluation has succeeded yet.</p>
  const alike = ended.filter(({ id, digest }) => digest === baseline.digest && id !== baseline.id)
  const chosen = alike.filter(({ id }) => others.includes(id))
  return (
    <>
      {named !== undefined && named !== baseline.id && (
        <p className="note">
          There is no evaluation {named} that has succeeded. The newest one is the baseline instead.
        </p>
      )}
      <form className="options-form" onSubmit={(event) => event.preventDefault()}>
        <label>
          Baseline
          <select
            value={baseline.id}
            onChange={({ target }) => void navigate({ search: { baseline: target.value }, replace: true })}
          >
            {ended.map((one) => (
              <option key={one.id} value={one.id}>
                {formatTitle(one)}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="checks">
          <legend>Others of the same benchmark</legend>
          {alike.length === 0 && <p>There is none.</p>}
          {alike.map((one) => (
            <label key={one.id}>
              <input
                type="checkbox"
                checked={others.includes(one.id)}
                onChange={({ target }) =>
                  void navigate({
                    search: {
                      baseline: baseline.id,
                      others: target.checked ? [...others, one.id] : others.filter((id) => id !== one.id),
                    },
                    replace: true,
                  })
                }
              />{' '}
              {formatTitle(one)}
            </label>
          ))}
        </fieldset>
      </form>
      {chosen.length > 0 && <Comparison baseline={baseline} others={chosen} />}
    </>
  )
}

interface ComparisonProps {
  baseline: EvaluationResource
  others: readonly EvaluationResource[]
}
function Comparison({ baseline, others }: ComparisonProps) {
  const query = useQuery(createComparisonQuery([baseline.id, ...others.map(({ id }) => id)]))
  return (
    <Loaded of={query} what="the comparison">
      {(resource) => (
        <>
          <Models {...resource} />
          <Pairs {...resource} />
          <Policies {...resource} />
          <Measures {...resource} />
          {others.map((other) => (
            <Flips key={other.id} a={baseline} b={other} resource={resource} />
          ))}
        </>
      )}
    </Loaded>
  )
}

/** Evaluations stand in the order of the models. */
const Models = ({ comparison: { models }, evaluations }: ComparisonResource) => (
  <section aria-labelledby="models">
    <h2 id="models">Pass rates</h2>
    <Scrolls label="Table of pass rates">
      <table>
        <thead>
          <tr>
            <th scope="col">name</th>
            <th scope="col">passed</th>
            <th scope="col">pass@1 with 95 % interval</th>
            <th scope="col">noise floor</th>
            <th scope="col">mode</th>
            <th scope="col">answers</th>
            <th scope="col">tokens</th>
            <th scope="col">time</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model, n) => (
            <tr key={n}>
              <th scope="row">{model.name}</th>
              <td>
                {count(model.passed)} of {count(model.samples)}
              </td>
              <td>
                <Rate {...model} />
              </td>
              <td className="n">{formatPercentLocal(model.noise ?? null)}</td>
              <Effort {...evaluations[n]} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  </section>
)

/** Compares the effort of programs, and what tool calls take. */
const Effort = ({ options, effort }: Partial<ComparisonResource['evaluations'][number]>) => (
  <>
    <td>{splitWords(typeof options?.['mode'] === 'string' ? options['mode'] : 'program')}</td>
    <td className="n">{effort ? count(effort.requests) : '–'}</td>
    <td className="n">{effort ? count(effort.promptTokens + effort.completionTokens) : '–'}</td>
    <td className="n">{effort ? formatDurationLocal(effort.seconds * 1000) : '–'}</td>
  </>
)

const Pairs = ({ comparison: { pairs, alpha, power, explanations } }: ComparisonResource) => (
  <section aria-labelledby="pairs">
    <h2 id="pairs">Differences</h2>
    <Scrolls label="Table of differences">
      <table>
        <thead>
          <tr>
            <Heads
              of={[
                'pair',
                'difference',
                '95 % interval, paired bootstrap',
                'better',
                'worse',
                'test',
                'p',
                'p, corrected',
              ]}
            />
            <th scope="col">least difference shown ({formatPercentLocal(power)} power)</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair, n) => (
            <tr key={n}>
              <th scope="row">
                {pair.a} less {pair.b}
              </th>
              <td className="n">{formatPointsLocal(pair.difference)}</td>
              <td>{formatIntervalLocal(pair.interval)}</td>
              <td className="n">{count(pair.betterA)}</td>
              <td className="n">{count(pair.betterB)}</td>
              <td>{splitWords(pair.test)}</td>
              <td className="n">{formatProbability(pair.p)}</td>
              <td className="n">
                {formatProbability(pair.adjusted)} {pair.significant ? `< ${alpha}` : ''}
              </td>
              <td className="n">{formatPercentLocal(pair.leastDifference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
    <details>
      <summary>What these figures mean</summary>
      {Object.values(explanations).map((text, n) => (
        <p className="explains" key={n}>
          {text}
        </p>
      ))}
    </details>
  </section>
)

/** Passing by each policy, for kinds with several: McNemar’s or the sign-flip test. */
const Policies = ({ policies = {}, comparison: { alpha } }: ComparisonResource) =>
  Object.keys(policies).length > 0 && (
    <section aria-labelledby="policies">
      <h2 id="policies">By policy</h2>
      <Scrolls label="Table of differences by policy">
        <table>
          <thead>
            <tr>
              <Heads
                of={[
                  'policy',
                  'pair',
                  'difference',
                  '95 % interval',
                  'better',
                  'worse',
                  'test',
                  'p, corrected',
                ]}
              />
            </tr>
          </thead>
          <tbody>
            {Object.entries(policies).flatMap(([policy, pairs]) =>
              pairs.map((pair, n) => (
                <tr key={`${policy} ${n}`}>
                  <th scope="row">{splitWords(policy)}</th>
                  <td>
                    {pair.a} less {pair.b}
                  </td>
                  <td className="n">{formatPointsLocal(pair.difference)}</td>
                  <td>{formatIntervalLocal(pair.interval)}</td>
                  <td className="n">{count(pair.betterA)}</td>
                  <td className="n">{count(pair.betterB)}</td>
                  <td>{splitWords(pair.test)}</td>
                  <td className="n">
                    {formatProbability(pair.adjusted)} {pair.significant ? `< ${alpha}` : ''}
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scrolls>
    </section>
  )

/** Measures of samples besides the verdict. */
const Measures = ({ measures = [] }: ComparisonResource) =>
  measures.length > 0 && (
    <section aria-labelledby="measures">
      <h2 id="measures">Measures</h2>
      <Scrolls label="Table of measures">
        <table>
          <thead>
            <tr>
              <Heads
                of={[
                  'measure',
                  'pair',
                  'means',
                  'difference',
                  '95 % interval, paired bootstrap',
                  'higher',
                  'lower',
                ]}
              />
            </tr>
          </thead>
          <tbody>
            {measures.map((one, n) => (
              <tr key={n}>
                <th scope="row">{splitWords(one.measure)}</th>
                <td>
                  {one.a} less {one.b}
                </td>
                <td>{one.means.map((value) => formatFigure(value)).join(' and ')}</td>
                <td className="n">{formatFigure(one.difference)}</td>
                <td>
                  {one.interval === null
                    ? '–'
                    : one.interval.map((value) => formatFigure(value)).join(' to ')}
                </td>
                <td className="n">{count(one.higherA)}</td>
                <td className="n">{count(one.higherB)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      <p className="explains">
        A case counts with the mean of its samples. The intervals are not corrected for the number of
        measures.
      </p>
    </section>
  )

interface FlipsProps {
  a: EvaluationResource
  b: EvaluationResource
  resource: ComparisonResource
}
/** Both directions, each with its cases. */
function Flips({ a, b, resource }: FlipsProps) {
  const { evaluations, comparison } = resource
  const nameOf = (id: string) => evaluations.find((one) => one.id === id)?.name ?? id
  const [nameA, nameB] = [nameOf(a.id), nameOf(b.id)]
  const pair = comparison.pairs.find((one) => one.a === nameA && one.b === nameB)
  return (
    <section>
      <h2>
        Flips from {nameA} to {nameB}
      </h2>
      <div className="figures">
        <FlipList
          title={`${nameB} passes less often`}
          cases={pair?.betterA ?? 0}
          differs="worse"
          {...{ a, b }}
        />
        <FlipList
          title={`${nameB} passes more often`}
          cases={pair?.betterB ?? 0}
          differs="better"
          {...{ a, b }}
        />
      </div>
    </section>
  )
}

interface ListProps {
  title: string
  /** How many cases there are. */
  cases: number
  a: EvaluationResource
  b: EvaluationResource
  differs: 'better' | 'worse'
}
function FlipList({ title, cases, a, b, differs }: ListProps) {
  const pages = useInfiniteQuery({ ...createFlipsQuery(b.id, a.id, differs), enabled: cases > 0 })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const flips = useMemo(
    () =>
      groupFlips(data?.pages.flatMap(({ items }) => items) ?? [], {
        samplesA: a.options.samples,
        samplesB: b.options.samples,
        more: hasNextPage,
      }),
    [data, hasNextPage, a, b],
  )
  return (
    <div>
      <h3>
        {title}: {count(cases)}
      </h3>
      {cases > 0 && (
        <>
          <p>
            <Link to="/evaluations/$id/cases" params={{ id: b.id }} search={{ baseline: a.id, differs }}>
              All their samples
            </Link>
          </p>
          <Loaded of={{ data, error: pages.error }} what="cases">
            {() => (
              <ul className="flips" aria-label={title}>
                {flips.map((flip) => (
                  <FlipItem key={flip.case} flip={flip} a={a.id} b={b.id} />
                ))}
              </ul>
            )}
          </Loaded>
          {hasNextPage && (
            <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              More cases
            </button>
          )}
        </>
      )}
    </div>
  )
}

const FlipItem = ({ flip, a, b }: { flip: CaseFlip; a: string; b: string }) => (
  <li>
    {flip.case}: <RateText {...flip.a} /> → <RateText {...flip.b} /> (
    <Link to="/evaluations/$id/cases/$place" params={{ id: a, place: String(flip.placeA) }}>
      before
    </Link>
    ,{' '}
    <Link to="/evaluations/$id/cases/$place" params={{ id: b, place: String(flip.placeB) }}>
      after
    </Link>
    )
  </li>
)
