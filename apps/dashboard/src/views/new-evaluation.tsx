/** Starts an evaluation: the set, the model, and its options. */
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { BenchmarkKind, BenchmarkResource, EvaluationRequest, Model } from '@stateeval/contracts'
import { splitWords } from '@stateeval/program/format'
import { useState } from 'react'
import { evaluationOptions } from 'virtual:contract'
import { getApi } from '../data/api.ts'
import { benchmarksQuery, kindsQuery, modelsQuery } from '../data/queries.ts'
import { Field } from '../parts/field.tsx'
import { Heading } from '../parts/shell.tsx'
import { ListEnd } from '../parts/list-end.tsx'
import { ModelProbing } from '../parts/model-probe.tsx'
import { OptionsForm } from '../parts/options-form.tsx'
import { Loaded } from '../parts/states.tsx'
import { count } from '../pure/format.ts'
import { parseTags } from '../pure/listed.ts'
import { budgetFields, createOptionFields, buildEvaluationRequest } from '../pure/options.ts'

const route = getRouteApi('/evaluations/new')

export function NewEvaluation() {
  const [benchmarks, models, kinds] = useQueries({ queries: [benchmarksQuery, modelsQuery, kindsQuery] })
  const all =
    benchmarks.data && models.data && kinds.data
      ? { benchmarks: benchmarks.data, models: models.data, kinds: kinds.data }
      : undefined
  return (
    <>
      <Heading>New evaluation</Heading>
      <Loaded
        of={{ data: all, error: benchmarks.error ?? models.error ?? kinds.error }}
        what="benchmarks and models"
      >
        {(data) => <Form {...data} />}
      </Loaded>
    </>
  )
}

interface EvaluationChoices {
  benchmarks: readonly BenchmarkResource[]
  models: readonly Model[]
  kinds: readonly BenchmarkKind[]
}

function Form({ benchmarks, models, kinds }: EvaluationChoices) {
  const { benchmark: chosen, model } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const ready = benchmarks.filter(({ status }) => status === 'succeeded').toReversed()
  const benchmark = ready.find(({ id }) => id === chosen) ?? ready[0]
  const kind = kinds.find((one) => one.kind === benchmark?.kind)
  const [prompting, setPrompting] = useState<string>()
  const [modelName, setModelName] = useState(model ?? models[0]?.name)
  const chosenModel = models.find(({ name }) => name === modelName)
  const begin = useMutation({
    mutationFn: (body: EvaluationRequest) => getApi().createEvaluation({ body }),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey: ['evaluations'] })
      await navigate({ to: '/evaluations/$id', params: { id } })
    },
  })
  if (!benchmark || !kind)
    return (
      <p>
        There is no benchmark yet. <code>npx stateeval build --scenario session-service</code> builds one.
      </p>
    )
  const fields = createOptionFields(evaluationOptions, kind, prompting)
  const submit = (values: ReadonlyMap<string, string>) =>
    begin.mutate(
      buildEvaluationRequest(fields, values, {
        benchmark: benchmark.id,
        model: values.get('model'),
        tags: parseTags(values.get('tags') ?? ''),
      }),
    )
  return (
    <OptionsForm action="Start" sending={begin} onSubmit={submit}>
      <ListEnd of={benchmarks} what="benchmarks" />
      <label>
        Benchmark
        <select
          name="benchmark"
          value={benchmark.id}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, benchmark: target.value }), replace: true })
          }
        >
          {ready.map(({ id, kind, manifest }) => (
            <option key={id} value={id}>
              {`${kind}, ${count(manifest?.counts.kept ?? 0)} cases, ${id}`}
            </option>
          ))}
        </select>
      </label>
      <label>
        Model
        <select name="model" defaultValue={model} onChange={({ target }) => setModelName(target.value)}>
          {models.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {chosenModel?.kind === 'endpoint' && <ModelProbing key={chosenModel.name} name={chosenModel.name} />}
      <label>
        Tags
        <input name="tags" spellCheck={false} placeholder="nightly, team:search" />
        <small>Words to find the evaluation by, with commas between them. They can be changed later.</small>
      </label>
      <fieldset key={kind.kind}>
        <legend>Options</legend>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            {...(field.name === 'prompting' && { onChange: setPrompting })}
          />
        ))}
      </fieldset>
      <details>
        <summary>Further parts and budget</summary>
        <div className="fields">
          {['judge', 'user', 'embeddings', 'secondOpinion'].map((name) => (
            <Party key={name} name={name} models={models} />
          ))}
          {budgetFields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
          <label className="check">
            <input type="checkbox" name="fresh" value="1" /> Ask anew also what was answered before
          </label>
        </div>
      </details>
    </OptionsForm>
  )
}

/** Models that may play a part. */
function Party({ name, models }: { name: string; models: readonly Model[] }) {
  return (
    <label>
      {splitWords(name)}
      <select name={name} defaultValue="">
        <option value="">nobody</option>
        {models
          .filter(({ kind }) => kind === 'endpoint')
          .map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
      </select>
    </label>
  )
}
