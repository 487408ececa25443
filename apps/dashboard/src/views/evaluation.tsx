/** One evaluation: its status and its results. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvaluationResource, EvaluationSummary } from '@stateeval/contracts'
import { describeEnding, describeMissingAnswers, formatCanaries, splitWords } from '@stateeval/program/format'
import { useRef } from 'react'
import { inFile } from 'virtual:contract'
import { getApi } from '../data/api.ts'
import { saveDownload } from '../data/download.ts'
import { useFollow } from '../data/follow.ts'
import { createEvaluationQuery, isRunning, createSummaryQuery } from '../data/queries.ts'
import { Heads } from '../parts/heads.tsx'
import { Remedies } from '../parts/model-probe.tsx'
import { Curve } from '../parts/curve.tsx'
import { Rate, RateBar, RateText } from '../parts/rate.tsx'
import { Section } from '../parts/section.tsx'
import { Heading } from '../parts/shell.tsx'
import { Failure, Loaded, Loading } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Tags } from '../parts/tags.tsx'
import { Terms } from '../parts/terms.tsx'
import { listCosts, sumKnownCosts } from '../pure/cost.ts'
import {
  count,
  formatDollars,
  formatDurationLocal,
  formatIntervalLocal,
  formatMoment,
  formatUnscored,
} from '../pure/format.ts'
import { explainStop } from '../pure/listed.ts'
import { computePace, addSeen, type SeenProgress } from '../pure/pace.ts'
import { Actions, Progress } from './evaluations.tsx'
import { Scrolls } from '../parts/scrolls.tsx'

const route = getRouteApi('/evaluations/$id')

export function EvaluationView() {
  const { id } = route.useParams()
  const evaluation = useQuery(createEvaluationQuery(id))
  useFollow(id, evaluation.data !== undefined && isRunning(evaluation.data))
  return (
    <Loaded of={evaluation} what="the evaluation">
      {(data) => <Whole evaluation={data} at={evaluation.dataUpdatedAt} />}
    </Loaded>
  )
}

function Whole({ evaluation, at }: { evaluation: EvaluationResource; at: number }) {
  const { id, model, benchmark, status } = evaluation
  const looks = useRef<SeenProgress[]>([])
  const { done, phase, total } = evaluation.progress
  if (looks.current.at(-1)?.at !== at) looks.current = addSeen(looks.current, { at, done, phase })
  const begun = evaluation.counts.scored + evaluation.counts.notScored > 0
  const summary = useQuery({ ...createSummaryQuery(id), enabled: begun || status === 'succeeded' })
  const stop = explainStop(evaluation)
  return (
    <>
      <div className="head">
        <Heading>{model}</Heading>
        {!inFile && <Actions evaluation={evaluation} />}
      </div>
      <p className="about">
        <Status status={status} /> on{' '}
        {inFile ? (
          benchmark
        ) : (
          <Link to="/evaluations" search={{ benchmark }}>
            {benchmark}
          </Link>
        )}{' '}
        · started {formatMoment(evaluation.createdAt)}
        {evaluation.finishedAt && ` · ended ${formatMoment(evaluation.finishedAt)}`}
      </p>
      {!inFile && <Tags evaluation={evaluation} />}
      {stop !== null && <p className="failure">{stop}</p>}
      {begun && (
        <p>
          <Link to="/evaluations/$id/cases" params={{ id }}>
            All cases
          </Link>{' '}
          ·{' '}
          <Link to="/evaluations/$id/cases" params={{ id }} search={{ passed: 'no' }}>
            Failed ones
          </Link>
          {!inFile && (
            <>
              {' '}
              · <SaveFile id={id} />
              {status === 'succeeded' && (
                <>
                  {' '}
                  ·{' '}
                  <Link to="/compare" search={{ baseline: id }}>
                    Compare with others
                  </Link>
                </>
              )}
            </>
          )}
        </p>
      )}
      {status !== 'succeeded' && (
        <Progress evaluation={evaluation} pace={computePace(looks.current, total)} />
      )}
      <Options evaluation={evaluation} />
      <Probe evaluation={evaluation} />
      {summary.data ? (
        <Summary summary={summary.data} evaluation={evaluation} />
      ) : summary.error ? (
        <Failure error={summary.error} />
      ) : begun || status === 'succeeded' ? (
        <Loading what="the report" />
      ) : (
        <p>There is a report as soon as the first sample has ended.</p>
      )}
    </>
  )
}

/** The page with its data as one file. A link cannot carry the key. */
function SaveFile({ id }: { id: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const html = await getApi().exportPage({ params: { id } })
      saveDownload(`stateeval-${id}.html`, html, 'text/html')
    },
  })
  return (
    <>
      <button type="button" className="link" disabled={save.isPending} onClick={() => save.mutate()}>
        Save as a file
      </button>
      {save.error && <Failure error={save.error} />}
    </>
  )
}

function Options({
  evaluation: { options, budget, parties, secondOpinion },
}: {
  evaluation: EvaluationResource
}) {
  const shown = [
    ...Object.entries(options),
    ...Object.entries(parties ?? {}),
    ...(budget ? [['budget', budget] as const] : []),
    ...(secondOpinion ? [['second opinion', secondOpinion] as const] : []),
  ]
  return <Terms of={shown} />
}

/** The probe before the first question, if something was off. */
function Probe({ evaluation: { probe } }: { evaluation: EvaluationResource }) {
  if (!probe) return null
  const { status, reason, remedies = [] } = probe
  if (status === 'failed')
    return (
      <p className="explains">{`The probe of the model failed, and the evaluation continued: ${reason}`}</p>
    )
  return <Remedies of={remedies} />
}

function Summary({ summary, evaluation }: { summary: EvaluationSummary; evaluation: EvaluationResource }) {
  const { result, sections, failures } = summary
  return (
    <>
      {result.partial && (
        <p className="note">
          Partial: {count(result.partial.ended)} of {count(result.partial.samples)} samples have ended. Every
          figure is of these.
        </p>
      )}
      {summary.run.missingAnswers && (
        <p className="note">{describeMissingAnswers(summary.run.missingAnswers)}</p>
      )}
      {summary.run.endings?.map((ending) => (
        <p className="note" key={`${ending.kind} ${ending.mark}`}>
          {describeEnding(ending)}
        </p>
      ))}
      <section aria-labelledby="pass">
        <h2 id="pass">pass@1</h2>
        <div className="figures">
          <div className="large">
            <Rate {...result.overall} />
            <small>
              {count(result.overall.passed)} of {count(result.overall.scored)} scored samples
              {result.notScored > 0 && `; ${formatUnscored(result)}`}
            </small>
          </div>
          {result.firstTry && (
            <div>
              <Rate {...result.firstTry} />
              <small>of first tries; all other rates are of the last</small>
            </div>
          )}
        </div>
        {Object.values(result.explanations ?? {}).map((text, n) => (
          <p className="explains" key={n}>
            {text}
          </p>
        ))}
      </section>
      <Groups groups={result.groups} />
      <Counts title="Verdicts" of={result.verdicts} />
      {failures.length > 0 ? (
        <section aria-labelledby="failures">
          <h2 id="failures">Failures</h2>
          {failures.map((section, n) => (
            <Section section={section} key={n} />
          ))}
        </section>
      ) : (
        <Counts title="Root causes" of={result.rootCauses} />
      )}
      {sections.length > 0 && (
        <section aria-labelledby="measures">
          <h2 id="measures">Measures</h2>
          {sections.map((section, n) => (
            <Section section={section} key={n} />
          ))}
        </section>
      )}
      {result.statistics && result.statistics.passAtK.length > 1 && (
        <section aria-labelledby="several">
          <h2 id="several">Several samples</h2>
          <Curve
            label="pass@k and pass^k over k"
            curves={[
              { name: 'pass@k', points: result.statistics.passAtK },
              { name: 'pass^k', points: result.statistics.passAllK },
            ]}
          />
        </section>
      )}
      {result.mutation && <Mutation mutation={result.mutation} />}
      <Effort run={summary.run} evaluation={evaluation} />
    </>
  )
}

const Groups = ({ groups }: Pick<EvaluationSummary['result'], 'groups'>) =>
  Object.entries(groups)
    .filter(([, members]) => members.length > 0)
    .map(([group, members]) => (
      <section key={group}>
        <h2>By {splitWords(group)}</h2>
        <Scrolls label={`Pass rates by ${splitWords(group)}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{splitWords(group)}</th>
                <th scope="col" className="n">
                  passed
                </th>
                <th scope="col" className="n">
                  scored
                </th>
                <th scope="col" className="n">
                  rate
                </th>
                <th scope="col">95 % interval</th>
                <td className="bar" />
              </tr>
            </thead>
            <tbody>
              {members.map(({ name, scenario, rate }, n) => (
                <tr key={n}>
                  <th scope="row">{scenario ? `${scenario} ${name}` : name}</th>
                  <td className="n">{count(rate.passed)}</td>
                  <td className="n">{count(rate.scored)}</td>
                  <td className="n">
                    <RateText {...rate} />
                  </td>
                  <td>{formatIntervalLocal(rate.interval)}</td>
                  <td className="bar">
                    <RateBar {...rate} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      </section>
    ))

/** Counts by name, those that occur; with bars of the largest. */
function Counts({ title, of }: { title: string; of: Readonly<Record<string, number>> }) {
  const rows = Object.entries(of).filter(([, n]) => n > 0)
  if (rows.length === 0) return null
  const largest = Math.max(...rows.map(([, n]) => n))
  return (
    <section>
      <h2>{title}</h2>
      <Scrolls label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col" className="n">
                samples
              </th>
              <td className="bar" />
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, n]) => (
              <tr key={name}>
                <th scope="row">{splitWords(name)}</th>
                <td className="n">{count(n)}</td>
                <td className="bar">
                  <RateBar rate={n / largest} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </section>
  )
}

function Mutation({ mutation }: { mutation: NonNullable<EvaluationSummary['result']['mutation']> }) {
  return (
    <section aria-labelledby="mutation">
      <h2 id="mutation">Mutation score</h2>
      <Rate {...mutation} rate={mutation.score} />
      <p>
        The share of mutants, not equivalent to their reference, that were caught: {count(mutation.caught)}{' '}
        caught, {count(mutation.survived)} survived, {count(mutation.equivalent)} equivalent.
      </p>
      <Scrolls label="Mutation operators">
        <table>
          <thead>
            <tr>
              <th scope="col">operator</th>
              <Heads of={['by exception', 'by comparison', 'survived', 'equivalent', 'score']} numbers />
              <th scope="col">95 % interval</th>
            </tr>
          </thead>
          <tbody>
            {mutation.operators.map((one) => (
              <tr key={one.operator}>
                <th scope="row">{splitWords(one.operator)}</th>
                <td className="n">{count(one.byException)}</td>
                <td className="n">{count(one.byComparison)}</td>
                <td className="n">{count(one.survived)}</td>
                <td className="n">{count(one.equivalent)}</td>
                <td className="n">
                  <RateText {...one} rate={one.score} />
                </td>
                <td>{formatIntervalLocal(one.interval)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </section>
  )
}

function Effort({
  run,
  evaluation: { counts },
}: {
  run: EvaluationSummary['run']
  evaluation: EvaluationResource
}) {
  const { wallMs, samples, retries, usage, kept, repeated, cut, sandboxes, canaries, runtimes } = run
  const ended = counts.scored + counts.notScored
  const costs = listCosts(run)
  const total = sumKnownCosts(costs)
  const rows: [string, string][] = [
    ['wall time', formatDurationLocal(wallMs)],
    ['wall time a sample', ended > 0 ? formatDurationLocal(wallMs / ended) : '–'],
    ['cost', formatDollars(total)],
    ['cost a sample', total !== null && ended > 0 ? formatDollars(total / ended) : '–'],
    ...(costs.length > 1
      ? costs.map(({ of, tokens, usd }): [string, string] => [
          `cost of ${splitWords(of)}`,
          `${formatDollars(usd)}, ${count(tokens)} tokens`,
        ])
      : []),
    ['samples', count(samples)],
    ['requests', count(usage.requests)],
    ['prompt tokens', count(usage.promptTokens)],
    ['completion tokens', count(usage.completionTokens)],
    ...(usage.estimated
      ? [['replies with estimated tokens', count(usage.estimated)] as [string, string]]
      : []),
    ['tried again', count(retries)],
    ...(kept ? [['answers kept from before', count(kept)] as [string, string]] : []),
    ...(repeated ? [['requests repeated', count(repeated)] as [string, string]] : []),
    ...(cut ? [['answers cut short', count(cut)] as [string, string]] : []),
    ...(counts.timeouts ? [['timeouts', count(counts.timeouts)] as [string, string]] : []),
    ...Object.entries(sandboxes ?? {}).map(([name, n]): [string, string] => [`runs in ${name}`, count(n)]),
    ...(canaries ? [['canaries', formatCanaries(canaries)] as [string, string]] : []),
    ...runtimes.map((name): [string, string] => ['runtime', name]),
  ]
  return (
    <section aria-labelledby="effort">
      <h2 id="effort">Cost and time</h2>
      <Terms of={rows} />
    </section>
  )
}
