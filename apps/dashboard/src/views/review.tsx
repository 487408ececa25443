/**
 * Models' work for a benchmark, one at a time. A person accepts, edits or rejects it, also by keyboard
 * while the focus is on the case.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Review, ReviewDecision } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { getApi } from '../data/api.ts'
import { saveDownload } from '../data/download.ts'
import { callerQuery, createReviewsQuery } from '../data/queries.ts'
import { ListEnd } from '../parts/list-end.tsx'
import { Heading } from '../parts/shell.tsx'
import { Failure, Loaded } from '../parts/states.tsx'
import { formatDecisionLines, countOpen } from '../pure/decisions.ts'
import { count, formatMoment } from '../pure/format.ts'
import { reviewStatuses } from '../pure/search.ts'

const route = getRouteApi('/benchmarks/$id/review')

export function ReviewView() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const reviews = useQuery(createReviewsQuery(id))
  return (
    <>
      <Heading>Review</Heading>
      <p>
        <Link to="/benchmarks/$id" params={{ id }}>
          {id}
        </Link>
      </p>
      <Loaded of={reviews} what="what models wrote">
        {(all) => {
          const shown = all.filter(({ status }) => !search.status || status === search.status)
          const at = Math.min(search.at ?? 0, Math.max(0, shown.length - 1))
          const current = shown[at]
          const go = (to: number) =>
            void navigate({
              search: (before) => ({ ...before, at: Math.max(0, Math.min(shown.length - 1, to)) }),
              replace: true,
            })
          return (
            <>
              <form className="filters" onSubmit={(event) => event.preventDefault()}>
                <label>
                  Status
                  <select
                    value={search.status ?? ''}
                    onChange={({ target }) =>
                      void navigate({
                        search: target.value === '' ? {} : { status: target.value as Review['status'] },
                        replace: true,
                      })
                    }
                  >
                    <option value="">all</option>
                    {reviewStatuses.map((status) => (
                      <option key={status} value={status}>
                        {splitWords(status)}
                      </option>
                    ))}
                  </select>
                </label>
                <button
                  type="button"
                  onClick={() =>
                    saveDownload(`decisions-${id}.jsonl`, formatDecisionLines(id, all), 'application/jsonl')
                  }
                >
                  Export the decisions
                </button>
                <Apply id={id} />
              </form>
              <p role="status">
                {current ? `${count(at + 1)} of ${count(shown.length)}` : 'None fits'};{' '}
                {count(countOpen(all))} need a decision
              </p>
              <ListEnd of={all} what="cases" />
              {current && (
                <One
                  key={current.case}
                  id={id}
                  review={current}
                  onPrevious={() => go(at - 1)}
                  onNext={() => go(at + 1)}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** The set that follows the decisions. */
function Apply({ id }: { id: string }) {
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const apply = useMutation({
    mutationFn: () => getApi().createReviewedBenchmark({ params: { id } }),
    async onSuccess(made) {
      await client.invalidateQueries({ queryKey: ['benchmarks'] })
      await navigate({ to: '/benchmarks/$id', params: { id: made.id } })
    },
  })
  return (
    <>
      <button type="button" disabled={apply.isPending} onClick={() => apply.mutate()}>
        Make the set that follows them
      </button>
      {apply.error && <Failure error={apply.error} />}
    </>
  )
}

interface OneProps {
  id: string
  review: Review
  onPrevious: () => void
  onNext: () => void
}

function One({ id, review, onPrevious, onNext }: OneProps) {
  const { case: name, target, status, reason, instruction, task, code, questions = [], decisions } = review
  const client = useQueryClient()
  const caller = useQuery(callerQuery).data
  const box = useRef<HTMLDivElement>(null)
  const edited = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(instruction ?? '')
  const [solution, setSolution] = useState(task === undefined ? '' : JSON.stringify(task, null, 2))
  const [because, setBecause] = useState('')
  const [answers, setAnswers] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => box.current?.focus(), [])

  const decide = useMutation({
    mutationFn(decision: ReviewDecision['decision']) {
      const isEdit = decision === 'edit'
      const body: ReviewDecision = {
        decision,
        by: caller?.subject ?? 'dashboard',
        because: because.trim() || defaultReasons[decision],
        ...(isEdit && text !== (instruction ?? '') && { instruction: text }),
        ...(isEdit &&
          task !== undefined &&
          solution !== JSON.stringify(task, null, 2) && {
            task: JSON.parse(solution) as unknown,
          }),
        ...(decision !== 'reject' &&
          questions.length > 0 && {
            answers: Object.fromEntries(questions.map((one) => [one.id, answers.has(one.id)])),
          }),
      }
      return getApi().decideReview({ params: { id, case: name }, body })
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['reviews', id] })
      onNext()
    },
  })
  const keys: Readonly<Record<string, () => void>> = {
    a: () => decide.mutate('accept'),
    r: () => decide.mutate('reject'),
    e: () => edited.current?.focus(),
    j: onNext,
    k: onPrevious,
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return box.current?.focus()
    const isTyping = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || decide.isPending) return
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div
      className="review"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={`The case ${name}`}
      onKeyDown={onKeyDown}
    >
      <p className="explains">
        Keys while the case has the focus: <kbd>a</kbd> accept, <kbd>r</kbd> reject, <kbd>e</kbd> edit,{' '}
        <kbd>j</kbd> next, <kbd>k</kbd> previous, <kbd>Escape</kbd> leaves a field.
      </p>
      <h2>
        {name}
        {target !== undefined && ` for ${target}`}
      </h2>
      <p>
        {splitWords(status)}
        {reason !== undefined && `: ${reason}`}
      </p>
      <label>
        Instruction
        <textarea ref={edited} rows={6} value={text} onChange={({ target: to }) => setText(to.value)} />
      </label>
      {task !== undefined && (
        <label>
          Solution
          <textarea rows={8} value={solution} onChange={({ target: to }) => setSolution(to.value)} />
        </label>
      )}
      {questions.length > 0 && (
        <fieldset className="checks">
          <legend>Questions</legend>
          {questions.map((one) => (
            <label key={one.id} className="check">
              <input
                type="checkbox"
                checked={answers.has(one.id)}
                onChange={({ target: to }) =>
                  setAnswers((before) => {
                    const after = new Set(before)
                    if (to.checked) after.add(one.id)
                    else after.delete(one.id)
                    return after
                  })
                }
              />{' '}
              {one.asks}
            </label>
          ))}
        </fieldset>
      )}
      <label>
        Reason
        <input value={because} onChange={({ target: to }) => setBecause(to.value)} maxLength={4000} />
      </label>
      <p className="who">
        {(['accept', 'edit', 'reject'] as const).map((decision) => (
          <button
            type="button"
            key={decision}
            disabled={decide.isPending}
            onClick={() => decide.mutate(decision)}
          >
            {buttons[decision]}
          </button>
        ))}
        <button type="button" onClick={onPrevious}>
          Previous
        </button>
        <button type="button" onClick={onNext}>
          Next
        </button>
      </p>
      {decide.error && <Failure error={decide.error} />}
      <Evidence review={review} />
      {code !== '' && (
        <>
          <h3>Reference code</h3>
          <pre tabIndex={0}>{code}</pre>
        </>
      )}
      {decisions.length > 0 && (
        <>
          <h3>Decisions</h3>
          <ul>
            {decisions.map((one, n) => (
              <li key={n}>
                {formatMoment(one.at)}: {one.decision} by {one.by}: {one.because}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const buttons = { accept: 'Accept', edit: 'Keep the edit', reject: 'Reject' } as const
/** Default reasons, for decisions without one. */
const defaultReasons = {
  accept: 'Read and accepted in the dashboard',
  edit: 'Edited in the dashboard',
  reject: 'Read and rejected in the dashboard',
} as const

function Evidence({ review: { dialogue, tries } }: { review: Review }) {
  return (
    <>
      {dialogue.length > 0 && (
        <details>
          <summary>Dialogue of the agents: {count(dialogue.length)} messages</summary>
          {dialogue.map(({ by, round, says }, n) => (
            <div key={n}>
              <h3>
                Round {round}, {by}
              </h3>
              <pre tabIndex={0}>{says}</pre>
            </div>
          ))}
        </details>
      )}
      {tries.length > 0 && (
        <details>
          <summary>Code written from the instruction alone: {count(tries.length)} tries</summary>
          {tries.map(({ verdict, says, code }, n) => (
            <div key={n}>
              <h3>
                Try {n + 1}: {splitWords(verdict)}
              </h3>
              {says !== undefined && <p>{says}</p>}
              <pre tabIndex={0}>{code ?? 'no code'}</pre>
            </div>
          ))}
        </details>
      )}
    </>
  )
}
