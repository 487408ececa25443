/** Findings of a probe about a model's endpoint, and a button that probes it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ProbeFinding, ModelProbe } from '@stateeval/contracts'
import { words } from '@stateeval/program/format'
import { api } from '../data/api.ts'
import { modelQuery } from '../data/queries.ts'
import { count, moment } from '../pure/format.ts'
import { Failure } from './states.tsx'

const remedyOf = (finding: ProbeFinding) => ('remedy' in finding && finding.remedy) || null
const foundText = (finding: ProbeFinding) =>
  finding.found === 'unknown'
    ? `unknown: ${finding.reason}`
    : [finding.found, finding.how, finding.value].filter((part) => part !== undefined).join(', ')

export function ModelProbing({ name }: { name: string }) {
  const client = useQueryClient()
  const model = useQuery(modelQuery(name))
  const begin = useMutation({
    mutationFn: () => api().probeModel({ params: { name } }),
    onSuccess: (probed) => client.setQueryData(modelQuery(name).queryKey, probed),
  })
  const found = model.data?.probe
  return (
    <div className="probe">
      <button type="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
        {begin.isPending ? 'Probing …' : found ? 'Probe again' : 'Probe the endpoint'}
      </button>
      {begin.error && <Failure error={begin.error} />}
      {found ? <Findings probe={found} /> : <small>A dozen cheap questions find out what it does.</small>}
    </div>
  )
}

function Findings({ probe: { at, findings, usage } }: { probe: ModelProbe }) {
  const remedies = findings.flatMap((finding) => remedyOf(finding) ?? [])
  return (
    <>
      <small>
        {`Probed ${moment(at)}, ${count(usage.promptTokens + usage.completionTokens)} tokens. `}
        {remedies.length === 0 && 'Nothing is off.'}
      </small>
      <Remedies of={remedies} />
      <details>
        <summary>All findings</summary>
        <dl className="options">
          {findings.map((finding) => (
            <div key={finding.id}>
              <dt>{words(finding.id)}</dt>
              <dd>{foundText(finding)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

/** Sentences about what is off. */
export const Remedies = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? null : (
    <ul className="explains">
      {of.map((one) => (
        <li key={one}>{one}</li>
      ))}
    </ul>
  )
