/** Evaluations: listed, watched, cancelled. */
import { ProblemError } from '@stateeval/contracts'
import { buildPage, pauseUnlessAborted, type ServerEvent } from '@stateeval/service-kit'
import type { ChangeFeed } from '../changes.ts'
import { type EvaluationOwner, isEnded } from '../owner.ts'
import { type RemovalParts, removeOwner } from '../removal.ts'
import type { ResourceReader } from '../stage.ts'
import { requireEvaluation, type OwnerSource } from '../existing.ts'
import { describeEvaluation } from '../resources.ts'
import type { EvaluationRoute } from '../route.ts'

type EvaluationReader = OwnerSource & ResourceReader
export const listEvaluations: EvaluationRoute<'listEvaluations', EvaluationReader> = async (
  { query: { limit = 50, cursor, tag } },
  context,
) => {
  const owners =
    tag === undefined
      ? await context.owners.page('evaluation', cursor, limit + 1)
      : await withTag(context, tag, cursor, limit + 1)
  const { items, ...rest } = buildPage(owners, limit)
  const resources = await Promise.all(items.map((owner) => describeEvaluation(context, owner)))
  return { status: 200, body: { items: resources, ...rest } }
}

/** Evaluations looked at in one go. */
const together = 500

/** The first of those after the cursor that have the tag. */
async function withTag(
  { owners }: OwnerSource,
  tag: string,
  cursor: string | undefined,
  wanted: number,
): Promise<EvaluationOwner[]> {
  const found: EvaluationOwner[] = []
  for (let after = cursor; ;) {
    const some = await owners.page('evaluation', after, together)
    found.push(...some.filter(({ tags }) => tags?.includes(tag)))
    after = some.at(-1)?.id
    if (some.length < together || found.length >= wanted) return found.slice(0, wanted)
  }
}

export const getEvaluation: EvaluationRoute<'getEvaluation', EvaluationReader> = async (
  { params },
  context,
) => ({
  status: 200,
  body: await describeEvaluation(context, await requireEvaluation(context, params.id)),
})

export const cancelEvaluation: EvaluationRoute<'cancelEvaluation', EvaluationReader> = async (
  { params: { id } },
  context,
) => {
  await requireEvaluation(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await describeEvaluation(context, await requireEvaluation(context, id)) }
}

/**
 * Between two looks at the store: any replica can tell how far an evaluation is, and a reader that comes back
 * misses nothing.
 */
const everyMs = 700

async function* streamProgress(
  id: string,
  context: EvaluationReader,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let last = ''
  while (!signal.aborted) {
    const owner = await requireEvaluation(context, id)
    const resource = await describeEvaluation(context, owner)
    const text = JSON.stringify(resource)
    if (text !== last) yield { event: 'progress', data: resource }
    last = text
    if (isEnded(owner)) {
      yield { event: 'end', data: { status: owner.status } }
      return
    }
    await pauseUnlessAborted(everyMs, signal)
  }
}

export const getEvaluationEvents: EvaluationRoute<'getEvaluationEvents', EvaluationReader> = async (
  { params: { id }, signal },
  context,
) => {
  await requireEvaluation(context, id)
  return { status: 200, events: streamProgress(id, context, signal) }
}

export const followEvaluations: EvaluationRoute<
  'followEvaluations',
  EvaluationReader & { changes: ChangeFeed }
> = async ({ query: { seconds = 600 }, headers, signal }, context) => {
  const since = parseEventTime(headers['last-event-id'])
  const events = context.changes.follow({
    ...(since && { since }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
    show: (owner) => describeEvaluation(context, owner),
  })
  return { status: 200, events }
}

function parseEventTime(id: string | string[] | undefined): Date | undefined {
  if (id === undefined || id === '') return undefined
  const time = typeof id === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,16}Z$/.test(id) ? new Date(id) : undefined
  if (time && !Number.isNaN(time.getTime())) return time
  throw new ProblemError(
    'validation-failed',
    'Last-Event-ID is not the id of an event of this stream; send such an id, or leave it out',
    'Last-Event-ID',
  )
}

export const changeEvaluationTags: EvaluationRoute<'changeEvaluationTags', EvaluationReader> = async (
  { params: { id }, body },
  context,
) => {
  const { add = [], remove = [] } = body
  const both = add.find((tag) => remove.includes(tag))
  if (both !== undefined)
    throw new ProblemError(
      'unprocessable',
      `the tag ${both} is both added and removed; name it once`,
      '/remove',
    )
  await requireEvaluation(context, id)
  await context.owners.tag(id, body)
  return { status: 200, body: await describeEvaluation(context, await requireEvaluation(context, id)) }
}

export const deleteEvaluation: EvaluationRoute<'deleteEvaluation', OwnerSource & RemovalParts> = async (
  { params: { id } },
  context,
) => {
  if (!isEnded(await requireEvaluation(context, id)))
    throw new ProblemError('conflict', `the evaluation ${id} is running; cancel it first`)
  await removeOwner(context, id)
  return { status: 204 }
}
