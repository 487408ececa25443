/** Starts a build: its kind, its scenario, and its options. */
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { BenchmarkKind, BuildRequest, Model } from '@stateeval/contracts'
import { useState } from 'react'
import { agentOptions, buildOptions } from 'virtual:contract'
import { getApi } from '../data/api.ts'
import { kindsQuery, modelsQuery } from '../data/queries.ts'
import { Field } from '../parts/field.tsx'
import { Heading } from '../parts/shell.tsx'
import { OptionsForm } from '../parts/options-form.tsx'
import { Loaded } from '../parts/states.tsx'
import { listAgentFields, buildFields, buildRequest } from '../pure/build.ts'

const route = getRouteApi('/benchmarks/new')

export function NewBenchmark() {
  const [kinds, models] = useQueries({ queries: [kindsQuery, modelsQuery] })
  const all =
    kinds.data && models.data
      ? { kinds: kinds.data.filter(({ scenarios }) => scenarios.length > 0), models: models.data }
      : undefined
  return (
    <>
      <Heading>Build a benchmark</Heading>
      <Loaded of={{ data: all, error: kinds.error ?? models.error }} what="kinds of benchmarks">
        {(data) => <Form {...data} />}
      </Loaded>
    </>
  )
}

interface BenchmarkChoices {
  kinds: readonly BenchmarkKind[]
  models: readonly Model[]
}

function Form({ kinds, models }: BenchmarkChoices) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [translator, setTranslator] = useState('template')
  const kind = kinds.find((one) => one.kind === search.kind) ?? kinds[0]
  const begin = useMutation({
    mutationFn: (body: { kind: string; build: BuildRequest }) => getApi().createBenchmark({ body }),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: ['benchmarks'] })
      await navigate({ to: '/benchmarks/$id', params: { id } })
    },
  })
  if (!kind) return <p>No kind of benchmark in this version is built from programs.</p>
  const scenario =
    search.scenario === 'all' || kind.scenarios.some(({ id }) => id === search.scenario)
      ? (search.scenario as string)
      : (kind.scenarios[0]?.id ?? 'all')
  const agents = translator === 'agents' ? listAgentFields(agentOptions) : []
  const fields = buildFields(buildOptions, kind, scenario)
  const set = (change: { kind?: string; scenario?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const submit = (values: ReadonlyMap<string, string>) =>
    begin.mutate({ kind: kind.kind, build: buildRequest([...fields, ...agents], values, scenario) })
  return (
    <OptionsForm action="Build" sending={begin} onSubmit={submit}>
      <label>
        Kind
        <select value={kind.kind} onChange={({ target }) => set({ kind: target.value })}>
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Scenario
        <select value={scenario} onChange={({ target }) => set({ scenario: target.value })}>
          {kind.scenarios.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          <option value="all">all of them</option>
        </select>
      </label>
      <fieldset key={scenario}>
        <legend>Options</legend>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            {...(field.name === 'translator' && { onChange: setTranslator })}
          />
        ))}
      </fieldset>
      {translator === 'agents' && (
        <fieldset>
          <legend>Agents that write the instructions</legend>
          {(
            [
              ['generator', 'Writes the instructions; required'],
              ['evaluator', 'Judges them; the generator by default'],
              ['coder', 'Writes code from an instruction alone; the generator by default'],
            ] as const
          ).map(([part, help]) => (
            <Field
              key={part}
              field={{
                name: `agents.${part}`,
                help,
                usual: '',
                choices: ['', ...models.filter((one) => one.kind === 'endpoint').map(({ name }) => name)],
              }}
            />
          ))}
          {agents.map((field) => (
            <Field key={field.name} field={field} />
          ))}
        </fieldset>
      )}
      <p className="explains">
        The coverage of what is generated shows as soon as the build has its programs, before they run.
      </p>
    </OptionsForm>
  )
}
