/** Shows what a build for a specification would ask for; no model is asked. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { BenchmarkKind, SpecificationPlan } from '@stateeval/contracts'
import { useState } from 'react'
import { getApi } from '../data/api.ts'
import { kindsQuery } from '../data/queries.ts'
import { OptionsForm } from '../parts/options-form.tsx'
import { Scrolls } from '../parts/scrolls.tsx'
import { Heading } from '../parts/shell.tsx'
import { Loaded } from '../parts/states.tsx'
import { count } from '../pure/format.ts'

export function PlanSpecification() {
  const kinds = useQuery(kindsQuery)
  return (
    <>
      <Heading>Plan a benchmark of an API</Heading>
      <Loaded of={kinds} what="kinds of benchmarks">
        {(all) => <Form kinds={all.filter(({ writing }) => writing)} />}
      </Loaded>
    </>
  )
}

function Form({ kinds }: { kinds: readonly BenchmarkKind[] }) {
  const [specification, setSpecification] = useState('')
  const plan = useMutation({
    mutationFn: (values: ReadonlyMap<string, string>) => {
      const server = values.get('server')
      return getApi().planBenchmark({
        body: {
          kind: values.get('kind') ?? '',
          id: 'api',
          specification: values.get('specification') ?? '',
          ...(server && { server }),
        },
      })
    },
  })
  return (
    <>
      <OptionsForm action="Plan" sending={plan} onSubmit={(values) => plan.mutate(values)}>
        <label>
          Kind
          <select name="kind">
            {kinds.map(({ kind, title }) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          A file
          <input
            type="file"
            accept=".yaml,.yml,.json"
            onChange={({ target }) => void target.files?.[0]?.text().then(setSpecification)}
          />
        </label>
        <label>
          Specification: OpenAPI 3.0 or 3.1, or Swagger 2.0, in YAML or JSON
          <textarea
            name="specification"
            rows={12}
            required
            value={specification}
            onChange={({ target }) => setSpecification(target.value)}
          />
        </label>
        <label>
          Server (default: the first of the specification)
          <input name="server" type="url" />
        </label>
      </OptionsForm>
      {plan.data && <Plan plan={plan.data} />}
    </>
  )
}

const locations = ['path', 'query', 'header', 'cookie', 'body'] as const

const Plan = ({ plan: { endpoints, usable, questions, promptTokens } }: { plan: SpecificationPlan }) => (
  <section aria-label="Plan">
    <p>
      {count(usable)} of {count(endpoints.length)} endpoints are usable: {count(questions)} questions to a
      model
      {promptTokens === undefined ? '' : `, about ${count(promptTokens)} prompt tokens`}, without repetitions.
    </p>
    <Scrolls label="Endpoints">
      <table>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            {locations.map((one) => (
              <th scope="col" key={one}>
                {one}
              </th>
            ))}
            <th scope="col">Authentication</th>
            <th scope="col">Skipped because</th>
          </tr>
        </thead>
        <tbody>
          {endpoints.map((one) => (
            <tr key={one.case}>
              <th scope="row">{one.name}</th>
              {locations.map((place) => (
                <td key={place}>{one.arguments?.[place].join(', ')}</td>
              ))}
              <td>{one.security?.join(', or ')}</td>
              <td>{[one.skipped, one.detail].filter(Boolean).join(': ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  </section>
)
