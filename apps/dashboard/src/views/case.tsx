/** One sample: the question, the answer, the effect of its code, and the reasons of the verdict. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EvaluationResource, Observation, ReferenceAnswer, SampleDetail } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { lazy, Suspense } from 'react'
import { inFile } from 'virtual:contract'
import { createEvaluationQuery, createReferenceQuery, sampleQuery } from '../data/queries.ts'
import { Heads } from '../parts/heads.tsx'
import { Difference } from '../parts/difference.tsx'
import { Evidence, Verdict } from '../parts/evidence.tsx'
import { Matches } from '../parts/matches.tsx'
import { Paired, PairedCalls } from '../parts/paired.tsx'
import { Playground } from '../parts/playground.tsx'
import { DataFlow, Instruction } from '../parts/program.tsx'
import { Heading } from '../parts/shell.tsx'
import { CodeLoading, Loaded } from '../parts/states.tsx'
import { Transcript } from '../parts/transcript.tsx'
import { extractCode } from '../pure/code.ts'
import { getLeftovers } from '../pure/difference.ts'
import { count } from '../pure/format.ts'
import { type PlayedInput, listPlayedInputs } from '../pure/played.ts'
import { Scrolls } from '../parts/scrolls.tsx'

const Merge = lazy(async () => ({ default: (await import('../parts/editor.tsx')).Merge }))
const route = getRouteApi('/evaluations/$id/cases/$place')

export function CaseView() {
  const { id, place } = route.useParams()
  const evaluation = useQuery(createEvaluationQuery(id))
  const sample = useQuery(sampleQuery(id, Number(place)))
  const both =
    evaluation.data && sample.data ? { evaluation: evaluation.data, sample: sample.data } : undefined
  const reference = useQuery({
    ...createReferenceQuery(
      both?.evaluation.benchmark ?? '',
      both?.sample.scored.case ?? '',
      both?.evaluation.options.language,
    ),
    enabled: both !== undefined,
  })
  // Shown at once, so that nothing moves when the rest comes; where the set was deleted, there is none.
  const data = both && !reference.isPending ? { ...both, reference: reference.data } : undefined
  return (
    <Loaded of={{ data, error: evaluation.error ?? sample.error }} what="the sample">
      {(shown) => <Whole {...shown} key={place} />}
    </Loaded>
  )
}

interface CaseProps {
  evaluation: EvaluationResource
  sample: SampleDetail
}

function Whole({ evaluation, sample, reference }: CaseProps & { reference: ReferenceAnswer | undefined }) {
  const { scored, candidate } = sample
  const search = route.useSearch()
  const attempts = candidate && candidate.said.kind !== 'dialogue' ? candidate.said.attempts : []
  const attempt = attempts[search.attempt ?? attempts.length - 1]
  const policy = scored.score?.policies ? evaluation.options.policy : undefined
  const reading = attempt?.readings.find((one) => one.policy === policy) ?? attempt?.readings[0]
  const played = listPlayedInputs(sample, reading?.run)
  const failure = scored.score?.evidence
  const current = played.find(({ input }) => input === (search.input ?? failure?.input)) ?? played[0]
  const isLast = attempt === attempts.at(-1)
  const code = reading?.code
  return (
    <>
      <div className="head">
        <Heading>{scored.case}</Heading>
        <Neighbours sample={sample} evaluation={evaluation} />
      </div>
      <p>
        <Link to="/evaluations/$id/cases" params={{ id: evaluation.id }}>
          All cases of {evaluation.model}
        </Link>
      </p>
      <Verdict {...scored} />
      {scored.score && <Evidence score={scored.score} />}
      {sample.details && (
        <details open={!failure?.rootCause}>
          <summary>As the report describes it</summary>
          <pre tabIndex={0}>{sample.details.join('\n')}</pre>
        </details>
      )}
      {scored.mutant && (
        <p>
          Mutant: {splitWords(scored.mutant.operator)} at {scored.mutant.site},{' '}
          {splitWords(scored.mutant.outcome)}
        </p>
      )}
      {scored.secondOpinion && 'cause' in scored.secondOpinion && (
        <p>
          Second opinion: {splitWords(scored.secondOpinion.cause)}: {scored.secondOpinion.because}
        </p>
      )}
      {reference && (
        <section aria-labelledby="instruction">
          <h2 id="instruction">Instruction</h2>
          <Instruction reference={reference} step={search.step} />
        </section>
      )}
      {failure?.matches && <Matches matches={failure.matches} />}
      {reference && <DataFlow reference={reference} step={search.step} />}
      <Attempts attempts={attempts} sample={sample} current={search.attempt ?? attempts.length - 1} />
      {code !== undefined && reference && (
        <section aria-labelledby="code">
          <h2 id="code">Reference and candidate</h2>
          <Suspense fallback={<CodeLoading code={code} />}>
            <Merge
              language={evaluation.options.language}
              reference={extractCode(reference.answer ?? '')}
              candidate={code}
              error={isLast ? failure?.error : undefined}
            />
          </Suspense>
        </section>
      )}
      {reading?.none && <p className="note">Nothing ran: {reading.none}</p>}
      {reading?.calls && (
        <section aria-labelledby="calls">
          <h2 id="calls">Calls</h2>
          <pre tabIndex={0}>
            {reading.calls.map((call) => `${call.label ?? ''} ${call.name}(${call.arguments})`).join('\n')}
          </pre>
        </section>
      )}
      {current && <Runs played={played} current={current} />}
      {candidate && candidate.transcripts.length > 0 && (
        <section aria-labelledby="dialogue">
          <h2 id="dialogue">Dialogue</h2>
          {candidate.transcripts.map((transcript, n) => (
            <Transcript
              // One of another input begins anew.
              key={`${n} ${current?.transcript === n}`}
              transcript={transcript}
              open={current?.transcript === n}
            />
          ))}
        </section>
      )}
      {!inFile && code !== undefined && candidate?.said.kind === 'program' && (
        <Playground evaluation={evaluation} name={scored.case} code={code} />
      )}
    </>
  )
}

/** The samples of the case, and those before and after this one. */
function Neighbours({ sample: { place, samples, scored }, evaluation: { id, options } }: CaseProps) {
  const first = place - scored.sample
  const link = (to: number, text: string) => (
    <Link key={text} to="/evaluations/$id/cases/$place" params={{ id, place: String(to) }}>
      {text}
    </Link>
  )
  return (
    <nav aria-label="Samples" className="who">
      {place > 0 && link(place - 1, 'Previous')}
      {options.samples > 1 &&
        options.samples <= 32 &&
        Array.from({ length: options.samples }, (_, n) =>
          n === scored.sample ? (
            <span key={n} aria-current="true">
              #{n + 1}
            </span>
          ) : (
            link(first + n, `#${n + 1}`)
          ),
        )}
      {place + 1 < samples && link(place + 1, 'Next')}
    </nav>
  )
}

interface AttemptsProps {
  attempts: readonly unknown[]
  sample: SampleDetail
  current: number
}
function Attempts({ attempts, sample: { scored }, current }: AttemptsProps) {
  const navigate = route.useNavigate()
  if (attempts.length < 2) return null
  return (
    <label>
      Attempt{' '}
      <select
        value={current}
        onChange={({ target }) =>
          void navigate({ search: (before) => ({ ...before, attempt: Number(target.value) }), replace: true })
        }
      >
        {attempts.map((_, n) => (
          <option key={n} value={n}>
            {`${n + 1}: ${splitWords(scored.score?.attempts?.[n]?.verdict ?? '')}`}
          </option>
        ))}
      </select>
    </label>
  )
}

interface RunsProps {
  played: readonly PlayedInput[]
  current: PlayedInput
}
function Runs({ played, current: { input: at, observation: observed, oracle, pairs } }: RunsProps) {
  const navigate = route.useNavigate()
  if (played.every(({ observation }) => observation === undefined)) return null
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      {played.length > 1 && (
        <label>
          Input{' '}
          <select
            value={at}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, input: Number(target.value) }),
                replace: true,
              })
            }
          >
            {played.map(({ input, observation }) => (
              <option key={input} value={input}>
                {`${input + 1}: ${splitWords(observation?.ending.status ?? 'not observed')}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {observed ? (
        <Observed observed={observed} oracle={oracle} pairs={pairs} />
      ) : (
        <p className="note">The dialogue ended before its world was observed.</p>
      )}
    </section>
  )
}

interface ObservedProps extends Pick<PlayedInput, 'oracle' | 'pairs'> {
  observed: Observation
}
/** Shows what one run left, called and printed. */
function Observed({ observed, oracle, pairs }: ObservedProps) {
  return (
    <>
      <Ended observation={observed} />
      <h3>What it left</h3>
      {pairs ? (
        <Paired run={pairs} />
      ) : (
        <Difference
          expected={oracle ? getLeftovers(oracle) : getLeftovers(observed)}
          found={getLeftovers(observed)}
        />
      )}
      {pairs?.calls && pairs.calls.length > 0 && (
        <>
          <h3>Calls</h3>
          <PairedCalls calls={pairs.calls} />
        </>
      )}
      {observed.log.length > 0 && (
        <>
          <h3>Requests</h3>
          <Scrolls label="Requests">
            <table>
              <thead>
                <tr>
                  <Heads of={['method', 'path', 'status', 'sent', 'answered']} />
                </tr>
              </thead>
              <tbody>
                {observed.log.map((request, n) => (
                  <tr key={n}>
                    <td>{request.method}</td>
                    <td>{request.path}</td>
                    <td className={request.status >= 400 ? 'failed' : ''}>{request.status}</td>
                    <td>
                      <code>{request.requestBody}</code>
                    </td>
                    <td>
                      <code>{request.responseBody}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolls>
        </>
      )}
      {observed.output !== '' && (
        <>
          <h3>Console</h3>
          <pre tabIndex={0}>{observed.output}</pre>
        </>
      )}
    </>
  )
}

function Ended({ observation: { ending, wallMs, sandbox } }: { observation: Observation }) {
  return (
    <p>
      {splitWords(ending.status)} after {count(Math.round(wallMs))} ms in {sandbox}
      {'error' in ending && `: ${ending.error.name}: ${ending.error.message}`}
      {'reason' in ending && `: ${ending.reason}`}
    </p>
  )
}
