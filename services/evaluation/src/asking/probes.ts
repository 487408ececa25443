/** Probes of models: what they found, by endpoint, and the probe before an evaluation. */
import type { EvaluationProbe, ModelProbe, ModelSettings } from '@stateeval/contracts'
import {
  type SpendingAccount,
  computeCostUsd,
  computeEndpointId,
  longestProbeMs,
  type ModelClient,
  type NamedModel,
  type ProbeEnd,
} from '@stateeval/models'
import type { RevisedDocuments } from '@stateeval/service-kit'
import { type EvaluationOwner, isEnded, type OwnerStore } from '@stateeval/jobs'
import { buildAccount, type UsageBooks } from './account.ts'

/** A probe that has begun or ended, under the id of its endpoint. */
export interface StoredProbe {
  begunAt: string
  /** The owner that pays. */
  by: string
  probe?: ModelProbe
}

export interface ProbeStore {
  probes: RevisedDocuments<StoredProbe>
}
export interface ProbeParts extends ProbeStore {
  probe: (account: SpendingAccount, model: NamedModel, signal: AbortSignal) => Promise<ProbeEnd>
  modelClient: Pick<ModelClient, 'takeFindings'>
  now: () => Date
}

/** Finds the probe of the endpoint of these settings; undefined if it was not probed. */
export const findProbe = async (
  { probes }: ProbeStore,
  settings: ModelSettings,
): Promise<ModelProbe | undefined> => (await probes.get(computeEndpointId(settings)))?.probe

/** Forgets what was found about an endpoint. */
export const forgetProbe = ({ probes }: ProbeStore, settings: ModelSettings): Promise<boolean> =>
  probes.remove(computeEndpointId(settings))

/** Probes a model, and stores what was found. A failed probe leaves what an earlier one found. */
export async function probeAndStore(
  { probe, probes, modelClient, now }: ProbeParts,
  account: SpendingAccount,
  model: NamedModel,
  signal: AbortSignal,
): Promise<ProbeEnd> {
  const { settings } = model
  const begunAt = now().toISOString()
  const end = await probe(account, model, signal)
  if (!end.ok) return end
  const { findings, usage } = end
  const found: ModelProbe = {
    at: now().toISOString(),
    findings,
    usage,
    costUsd: computeCostUsd(usage, settings.prices),
  }
  await probes.replace(computeEndpointId(settings), { begunAt, by: account.by, probe: found })
  modelClient.takeFindings(settings, findings)
  return end
}

/** Sentences about what is off. */
const listRemedies = ({ findings }: Pick<ModelProbe, 'findings'>): string[] =>
  findings.flatMap((finding) => ('remedy' in finding && finding.remedy) || [])

/** An evaluation's note about the probe. Costs are added where it is shown. */
type ProbeNote = Pick<EvaluationProbe, 'status' | 'reason' | 'remedies'> & {
  usage: ProbeEnd['usage']
}
const buildProbeNote = (end: ProbeEnd): ProbeNote => {
  if (!end.ok) return { status: 'failed', reason: end.reason, usage: end.usage }
  const remedies = listRemedies(end)
  return { status: 'done', ...(remedies.length > 0 && { remedies }), usage: end.usage }
}

/** A probe that has not ended after this time never will: its replica was killed. */
const lostMs = longestProbeMs + 15_000

/**
 * Probes the model of an evaluation before its first question, unless its endpoint is known. `elsewhere`: a
 * probe of this endpoint is under way; look again later. Null if there is nothing to note.
 */
export async function probeBefore(
  context: ProbeParts & UsageBooks & { owners: Pick<OwnerStore, 'get'> },
  owner: EvaluationOwner,
): Promise<ProbeNote | 'elsewhere' | null> {
  const { id, model, probesFirst } = owner
  if (!probesFirst || model.kind !== 'endpoint') return null
  const endpoint = computeEndpointId(model.settings)
  const { probes } = context
  const now = context.now().getTime()
  const mark: StoredProbe = { begunAt: new Date(now).toISOString(), by: id }
  if (!(await probes.create(endpoint, mark))) {
    let stored: StoredProbe | undefined
    const own = await probes.update(endpoint, (current) => {
      stored = current
      return current.probe || now - Date.parse(current.begunAt) < lostMs ? null : mark
    })
    const { probe, by } = stored ?? {}
    // A kill may have come between the probe and this evaluation's note of it.
    if (probe) return by === id ? buildProbeNote({ ok: true, ...probe }) : null
    if (own?.begunAt !== mark.begunAt || own.by !== id) return 'elsewhere'
  }
  const account: SpendingAccount = {
    ...buildAccount(context, owner),
    async hasEnded() {
      const current = await context.owners.get(id)
      return current === null || isEnded(current)
    },
  }
  const end = await probeAndStore(context, account, model, new AbortController().signal)
  if (!end.ok) await probes.remove(endpoint)
  return buildProbeNote(end)
}
