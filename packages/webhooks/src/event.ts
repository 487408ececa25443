/** Changes of evaluations and benchmarks as CloudEvents 1.0, in structured JSON. */
import { type EntityChange, pingEventType } from '@stateeval/contracts'
import { getCurrentProject } from '@stateeval/service-kit'
import { getModelName, type JobOwner } from '@stateeval/jobs'

export interface AnnouncedEvent {
  id: string
  type: string
  subject: string
  at: string
  body: string
}
interface EventParts extends Omit<AnnouncedEvent, 'body'> {
  traceparent?: string | undefined
  data: Record<string, unknown>
}

/** The `content-type` of every event. */
export const contentType = 'application/cloudevents+json; charset=utf-8'

async function buildWebhookEvent({
  id,
  type,
  subject,
  at,
  traceparent,
  data,
}: EventParts): Promise<AnnouncedEvent> {
  const { CloudEvent, HTTP } = await import('cloudevents')
  const project = getCurrentProject()
  const event = new CloudEvent({
    ...{ id, type, subject, time: at, project, data },
    source: `/v1/projects/${project}`,
    datacontenttype: 'application/json',
    // The extension for distributed tracing.
    ...(traceparent !== undefined && { traceparent }),
  })
  return { id, type, subject, at, body: HTTP.structured(event).body as string }
}

/** `n` determines the id, so the same change always has the same id. */
export function buildChangeEvent(
  owner: JobOwner,
  { what, n, at }: { what: EntityChange; n: number | string; at: string },
): Promise<AnnouncedEvent> {
  const { id, entity, trace: traceparent } = owner
  return buildWebhookEvent({
    id: `${id}-${n}`,
    type: `stateeval.${entity}.${what}`,
    subject: id,
    at,
    traceparent,
    data: describeChange(owner, what),
  })
}

export const buildPingEvent = (id: string, webhook: string, at: string): Promise<AnnouncedEvent> =>
  buildWebhookEvent({ id, type: pingEventType, subject: webhook, at, data: { id: webhook } })

/** Describes what a receiver needs to choose its next step; the links lead to everything else. */
function describeChange(owner: JobOwner, what: EntityChange): Record<string, unknown> {
  const { id, entity, error } = owner
  const self = `/v1/${entity}s/${id}`
  const hasEnded = what === 'succeeded' || what === 'failed' || what === 'cancelled'
  const common = {
    id,
    // The status at the change: the owner may have changed since.
    status: what === 'started' || what === 'resumed' ? 'running' : what,
    createdAt: owner.createdAt,
    ...(hasEnded && error !== undefined && { error }),
  }
  const links = what === 'deleted' ? {} : { self }
  if (owner.entity === 'benchmark') {
    const { kind, origin, manifest } = owner
    return { ...common, kind, origin, ...(manifest && { digest: manifest.digest }), links }
  }
  const { benchmark, set, model, options, ended } = owner
  return {
    ...common,
    benchmark,
    digest: set.digest,
    model: getModelName(model),
    ...(hasEnded &&
      ended && {
        counts: {
          samples: set.cases * options.samples,
          scored: ended.scored,
          passed: ended.passed,
          notScored: ended.notScored,
        },
      }),
    links: { ...links, ...(hasEnded && { report: `${self}/report` }) },
  }
}
