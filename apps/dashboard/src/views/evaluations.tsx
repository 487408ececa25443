/** All evaluations of the project, with live progress. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvaluationResource, JobStatus } from '@stateeval/contracts'
import { rateCounts } from '@stateeval/program/format'
import { useRef } from 'react'
import { getApi } from '../data/api.ts'
import { useLiveEvaluations } from '../data/live.ts'
import { benchmarksQuery, isRunning } from '../data/queries.ts'
import { ListEnd } from '../parts/list-end.tsx'
import { Rate } from '../parts/rate.tsx'
import { Heading } from '../parts/shell.tsx'
import { Failure, Loaded } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { TagLinks } from '../parts/tags.tsx'
import { count, formatDollars, formatDurationLocal, formatMoment } from '../pure/format.ts'
import {
  filterEvaluations,
  type ListFilter,
  type ListSorting,
  sortings,
  explainStop,
  listTags,
} from '../pure/listed.ts'
import { type ProgressPace, computePace, addSeen, type SeenProgress } from '../pure/pace.ts'
import { Scrolls } from '../parts/scrolls.tsx'

const route = getRouteApi('/evaluations')
const statuses: readonly JobStatus[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled']

/** How fast each evaluation goes on, from one look to the next. */
function usePaces(evaluations: readonly EvaluationResource[] | undefined, at: number) {
  const looks = useRef(new Map<string, SeenProgress[]>())
  const paces = new Map<string, ProgressPace | null>()
  for (const { id, progress } of evaluations?.filter(isRunning) ?? []) {
    const before = looks.current.get(id) ?? []
    const seen =
      before.at(-1)?.at === at ? before : addSeen(before, { at, done: progress.done, phase: progress.phase })
    looks.current.set(id, seen)
    paces.set(id, computePace(seen, progress.total))
  }
  return paces
}

export function EvaluationsView() {
  const search = route.useSearch()
  const query = useLiveEvaluations()
  const paces = usePaces(query.data, query.dataUpdatedAt)
  return (
    <>
      <div className="head">
        <Heading>Evaluations</Heading>
        <Link to="/evaluations/new" className="button primary">
          New evaluation
        </Link>
      </div>
      <Filters search={search} tags={listTags(query.data ?? [])} />
      <Loaded of={query} what="evaluations">
        {(evaluations) => (
          <>
            <ListEnd of={evaluations} what="evaluations" />
            <List
              evaluations={filterEvaluations(evaluations, search)}
              all={evaluations.length}
              paces={paces}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function Filters({ search, tags }: { search: ListFilter; tags: readonly string[] }) {
  const navigate = route.useNavigate()
  const { data: benchmarks = [] } = useQuery(benchmarksQuery)
  const set = (change: Partial<ListFilter>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== '')),
      replace: true,
    })
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        Find
        <input type="search" value={search.q ?? ''} onChange={({ target }) => set({ q: target.value })} />
      </label>
      <label>
        Status
        <select value={search.status ?? ''} onChange={({ target }) => set({ status: target.value })}>
          <option value="">any</option>
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
      <label>
        Benchmark
        <select value={search.benchmark ?? ''} onChange={({ target }) => set({ benchmark: target.value })}>
          <option value="">any</option>
          {search.benchmark !== undefined && !benchmarks.some(({ id }) => id === search.benchmark) && (
            <option>{search.benchmark}</option>
          )}
          {benchmarks.map(({ id, kind }) => (
            <option key={id} value={id}>
              {`${kind} ${id}`}
            </option>
          ))}
        </select>
      </label>
      <label>
        Tag
        <select value={search.tag ?? ''} onChange={({ target }) => set({ tag: target.value })}>
          <option value="">any</option>
          {[...new Set([...(search.tag === undefined ? [] : [search.tag]), ...tags])].map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </select>
      </label>
      <label>
        Order
        <select
          value={search.sort ?? 'newest'}
          onChange={({ target }) => set({ sort: target.value as ListSorting })}
        >
          {sortings.map((sort) => (
            <option key={sort}>{sort}</option>
          ))}
        </select>
      </label>
    </form>
  )
}

interface ListProps {
  evaluations: readonly EvaluationResource[]
  all: number
  paces: ReadonlyMap<string, ProgressPace | null>
}
function List({ evaluations, all, paces }: ListProps) {
  if (all === 0)
    return (
      <p>
        There are no evaluations yet. <Link to="/evaluations/new">Start one</Link>, or run{' '}
        <code>npx stateeval evaluate</code>.
      </p>
    )
  if (evaluations.length === 0) return <p>None of {count(all)} evaluations fits.</p>
  return (
    <Scrolls label="Evaluations">
      <table className="evaluations">
        <thead>
          <tr>
            <th scope="col">Evaluation</th>
            <th scope="col">Status</th>
            <th scope="col">Progress</th>
            <th scope="col">Passed</th>
            <th scope="col" className="n">
              Tokens
            </th>
            <th scope="col" className="n">
              Cost
            </th>
            <th scope="col">Started</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {evaluations.map((one) => (
            <Row key={one.id} evaluation={one} pace={paces.get(one.id) ?? null} />
          ))}
        </tbody>
      </table>
    </Scrolls>
  )
}

function Row({ evaluation, pace }: { evaluation: EvaluationResource; pace: ProgressPace | null }) {
  const { id, model, benchmark, status, counts, spent, createdAt, tags } = evaluation
  const stop = explainStop(evaluation)
  return (
    <tr>
      <th scope="row">
        <Link to="/evaluations/$id" params={{ id }}>
          {model}
        </Link>
        <small>
          {benchmark} · {evaluation.options.prompting}
          {counts.samples > 0 && ` · ${count(counts.samples)} samples`}
        </small>
        <TagLinks tags={tags} />
      </th>
      <td>
        <Status status={status} />
        {stop !== null && <small className="why">{stop}</small>}
      </td>
      <td>
        <Progress evaluation={evaluation} pace={pace} />
      </td>
      <td>
        <Rate {...rateCounts(counts)} />
        <small>
          {count(counts.passed)} of {count(counts.scored)}
          {counts.notScored > 0 && `, ${count(counts.notScored)} not scored`}
        </small>
      </td>
      <td className="n">{spent ? count(spent.promptTokens + spent.completionTokens) : '–'}</td>
      <td className="n">{formatDollars(spent?.costUsd)}</td>
      <td className="when">{formatMoment(createdAt)}</td>
      <td>
        <Actions evaluation={evaluation} />
      </td>
    </tr>
  )
}

/** The height is constant, so that nothing moves while the evaluation runs. */
export function Progress({
  evaluation,
  pace,
}: {
  evaluation: EvaluationResource
  pace: ProgressPace | null
}) {
  const { progress } = evaluation
  const pacing =
    pace && isRunning(evaluation)
      ? `${count(Number(pace.rate.toPrecision(2)))}/s, ${formatDurationLocal(pace.left)} left`
      : '\u00a0'
  return (
    <div className="progress">
      <progress
        value={progress.done}
        max={Math.max(1, progress.total)}
        aria-label={`${progress.phase}: ${progress.done} of ${progress.total}`}
      />
      <small>
        {progress.phase}: {count(progress.done)} of {count(progress.total)}
      </small>
      <small>{pacing}</small>
    </div>
  )
}

export function Actions({ evaluation }: { evaluation: EvaluationResource }) {
  const { id, status, model } = evaluation
  const client = useQueryClient()
  const act = useMutation<EvaluationResource, Error, 'cancel' | 'resume'>({
    mutationFn: (what) =>
      what === 'cancel'
        ? getApi().cancelEvaluation({ params: { id } })
        : getApi().resumeEvaluation({ params: { id }, body: {} }),
    onSettled: () =>
      Promise.all(
        [['evaluations'], ['evaluation', id], ['summary', id]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
  const what = isRunning(evaluation) ? 'cancel' : status === 'succeeded' ? null : 'resume'
  return (
    <>
      {what && (
        <button
          type="button"
          disabled={act.isPending}
          aria-label={`${what} ${model} ${id}`}
          onClick={() => act.mutate(what)}
        >
          {what === 'cancel' ? 'Cancel' : 'Resume'}
        </button>
      )}
      {act.error && <Failure error={act.error} />}
    </>
  )
}
