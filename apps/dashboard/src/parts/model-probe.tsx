/** A model's settings, the findings of a probe about its endpoint, and a button that probes it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ProbeFinding, ModelProbe, ModelSettings } from '@stateeval/contracts'
import { getApi } from '../data/api.ts'
import { createModelQuery } from '../data/queries.ts'
import { count, formatMoment } from '../pure/format.ts'
import { Failure } from './states.tsx'
import { Terms } from './terms.tsx'

const getRemedy = (finding: ProbeFinding) => ('remedy' in finding && finding.remedy) || null
const formatFinding = (finding: ProbeFinding) =>
  finding.found === 'unknown'
    ? `unknown: ${finding.reason}`
    : [finding.found, finding.how, finding.value].filter((part) => part !== undefined).join(', ')

export function ModelProbing({ name }: { name: string }) {
  const client = useQueryClient()
  const model = useQuery(createModelQuery(name))
  const begin = useMutation({
    mutationFn: () => getApi().probeModel({ params: { name } }),
    onSuccess: (probed) => client.setQueryData(createModelQuery(name).queryKey, probed),
  })
  const found = model.data?.probe
  return (
    <div className="probe">
      <button type="button" disabled={begin.isPending} onClick={() => begin.mutate()}>
        {begin.isPending ? 'Probing …' : found ? 'Probe again' : 'Probe the endpoint'}
      </button>
      {begin.error && <Failure error={begin.error} />}
      {model.data?.settings && <Settings of={model.data.settings} />}
      {found ? <Findings probe={found} /> : <small>A dozen cheap questions find out what it does.</small>}
    </div>
  )
}

const Settings = ({ of }: { of: ModelSettings }) => (
  <details>
    <summary>Settings</summary>
    <Terms of={Object.entries(of)} />
  </details>
)

function Findings({ probe: { at, findings, usage } }: { probe: ModelProbe }) {
  const remedies = findings.flatMap((finding) => getRemedy(finding) ?? [])
  return (
    <>
      <small>
        {`Probed ${formatMoment(at)}, ${count(usage.promptTokens + usage.completionTokens)} tokens. `}
        {remedies.length === 0 && 'Nothing is off.'}
      </small>
      <Remedies of={remedies} />
      <details>
        <summary>All findings</summary>
        <Terms of={findings.map((finding) => [finding.id, formatFinding(finding)])} />
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
