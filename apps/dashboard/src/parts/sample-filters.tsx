/** Filters and sorting of a table of samples. The address contains them. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EvaluationResource, SampleTable } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { inFile } from 'virtual:contract'
import { evaluationsQuery } from '../data/queries.ts'
import { count, formatMoment } from '../pure/format.ts'
import { differences, passings, type SampleSearch, searchedIn } from '../pure/samples.ts'

const route = getRouteApi('/evaluations/$id/cases')

/** Between the last letter of a search and the search, in milliseconds. */
const typingMs = 250

type FilterChange = { [K in keyof SampleSearch]?: string }

interface FiltersProps {
  search: SampleSearch
  /** The last answer; undefined before the first. */
  table: SampleTable | undefined
  evaluation: EvaluationResource | undefined
}
export function SampleFilters({ search, table, evaluation }: FiltersProps) {
  const navigate = route.useNavigate()
  // While others are looked for, or a search has failed, the choices stay.
  const [known, setKnown] = useState(table)
  if (table && table !== known) setKnown(table)
  const set = (change: FilterChange) =>
    void navigate({
      search: (before) => {
        const { at: _at, ...rest } = { ...before, ...change }
        return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
      },
      replace: true,
    })
  const choices: ['verdict' | 'cause' | 'group', string, Readonly<Record<string, number>>][] = [
    ['verdict', 'Verdict', known?.verdicts ?? {}],
    ['cause', 'Root cause', known?.causes ?? {}],
    ['group', 'Group', known?.groups ?? {}],
  ]
  return (
    <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Typed label="Words" value={search.search} onText={(text) => set({ search: text })} />
      {!inFile && (
        <>
          <Typed
            label="Regular expression"
            value={search.pattern}
            onText={(text) => set({ pattern: text })}
          />
          <Choice label="Look in" value={search.in} onChoice={(value) => set({ in: value })} none="all texts">
            {searchedIn.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Choice>
        </>
      )}
      <Choice label="Passed" value={search.passed} onChoice={(value) => set({ passed: value })} none="all">
        {passings.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </Choice>
      {choices.map(([name, label, counts]) => (
        <Choice
          key={name}
          label={label}
          value={search[name]}
          onChoice={(value) => set({ [name]: value })}
          none="any"
        >
          {Object.entries({ ...(search[name] !== undefined && { [search[name]]: 0 }), ...counts }).map(
            ([value, n]) => (
              <option key={value} value={value}>
                {`${splitWords(value)} (${count(n)})`}
              </option>
            ),
          )}
        </Choice>
      ))}
      {!inFile && evaluation && (
        <Baselines ready={known !== undefined} search={search} evaluation={evaluation} set={set} />
      )}
    </form>
  )
}

interface BaselinesProps {
  /** Not before the rows have come, which a reader waits for. */
  ready: boolean
  search: SampleSearch
  evaluation: EvaluationResource
  set: (change: FilterChange) => void
}
function Baselines({ ready, search, evaluation, set }: BaselinesProps) {
  const { data: all = [] } = useQuery({ ...evaluationsQuery, enabled: ready })
  const alike = all.filter(({ id, digest }) => digest === evaluation.digest && id !== evaluation.id)
  if (alike.length === 0 && search.baseline === undefined) return null
  return (
    <>
      <Choice
        label="Baseline"
        value={search.baseline}
        onChoice={(value) => set({ baseline: value, differs: value === '' ? '' : (search.differs ?? 'any') })}
        none="none"
      >
        {alike.map(({ id, model, createdAt }) => (
          <option key={id} value={id}>
            {`${model}, ${formatMoment(createdAt)}`}
          </option>
        ))}
      </Choice>
      {search.baseline !== undefined && (
        <Choice
          label="Than the baseline"
          value={search.differs}
          onChoice={(value) => set({ differs: value })}
          none="all cases"
        >
          {Object.entries(differences).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Choice>
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string | undefined
  onChoice: (value: string) => void
  /** Label of the first option, which stands for “no choice”. */
  none: string
  children: ReactNode
}
const Choice = ({ label, value = '', onChoice, none, children }: ChoiceProps) => (
  <label>
    {label}
    <select value={value} onChange={({ target }) => onChoice(target.value)}>
      <option value="">{none}</option>
      {children}
    </select>
  </label>
)

interface TypedProps {
  label: string
  value: string | undefined
  onText: (text: string) => void
}
/** A text that is taken once typing rests. */
function Typed({ label, value = '', onText }: TypedProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <label>
      {label}
      <input
        type="search"
        defaultValue={value}
        maxLength={200}
        spellCheck={false}
        onChange={({ target }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => onText(target.value), typingMs)
        }}
      />
    </label>
  )
}
