/** Failed jobs that are no longer retried: listed, read, discarded, queued again. */
import { type DeadLetterFilter, ProblemError } from '@stateeval/contracts'
import type { MessageBus, DeadLetterEntry } from '@stateeval/service-kit'
import {
  type LetterReader,
  getJobKind,
  redriveLetter,
  type LetterRedriver,
  searchLetters,
  describeLetter,
} from '../dead-letters.ts'
import type { EvaluationRoute } from '@stateeval/jobs'

interface LetterParts extends LetterReader {
  bus: MessageBus
}
/** Queued again, or discarded, by one request at most. */
const together = 500

export const listDeadLetters: EvaluationRoute<'listDeadLetters', LetterParts> = async (
  { query: { limit = 50, cursor, ...filter } },
  context,
) => {
  const { letters } = context
  const after = cursor === undefined ? 0 : await letters.placeOf(cursor)
  if (after === null)
    throw new ProblemError('validation-failed', 'cursor is not the `next` of a page of this list', 'cursor')
  const { entries, next } = await searchLetters(context, filter, { after, limit })
  const items = await Promise.all(entries.map((entry) => describeLetter(entry, context)))
  return {
    status: 200,
    body: { items, ...(next !== undefined && { next: await letters.idOf(next) }) },
  }
}

async function requireLetter({ bus, letters }: LetterParts, id: string) {
  const place = await letters.placeOf(id)
  const entry = place === null ? null : await bus.dead.get(place)
  if (entry) return entry
  throw new ProblemError(
    'not-found',
    `there is no dead letter ${id}: it was queued again or discarded, or it is older than 30 days; GET /v1/dead-letters lists them`,
  )
}

export const getDeadLetter: EvaluationRoute<'getDeadLetter', LetterParts> = async (
  { params: { id } },
  context,
) => {
  const entry = await requireLetter(context, id)
  const { payload, replyTo } = entry
  const letter = await describeLetter(entry, context)
  if ((await context.letters.findSealedStream(entry.id)) !== null) return { status: 200, body: letter }
  return {
    status: 200,
    body: {
      ...letter,
      ...('inline' in payload ? { payload: payload.inline } : { artifact: payload.artifact }),
      ...(replyTo &&
        'subject' in replyTo && {
          replyTo: { kind: getJobKind(replyTo.subject), step: replyTo.correlation },
        }),
    },
  }
}

export const discardDeadLetter: EvaluationRoute<'discardDeadLetter', LetterParts> = async (
  { params: { id } },
  context,
) => {
  await context.bus.dead.remove((await requireLetter(context, id)).sequence)
  return { status: 204 }
}

export const redriveDeadLetter: EvaluationRoute<'redriveDeadLetter', LetterParts & LetterRedriver> = async (
  { params: { id } },
  context,
) => ({ status: 202, body: await redriveLetter(context, await requireLetter(context, id)) })

/** Works on matching letters one by one, a number of them at most. */
async function processMatching<T>(
  context: LetterParts,
  filter: DeadLetterFilter,
  work: (entry: DeadLetterEntry) => Promise<T>,
): Promise<{ done: T[]; more: boolean }> {
  const done: T[] = []
  let after = 0
  while (done.length < together) {
    const { entries, next } = await searchLetters(context, filter, { after, limit: together - done.length })
    for (const entry of entries) done.push(await work(entry))
    if (next === undefined) return { done, more: false }
    after = next
  }
  return { done, more: true }
}

export const redriveDeadLetters: EvaluationRoute<'redriveDeadLetters', LetterParts & LetterRedriver> = async (
  { body: filter },
  context,
) => {
  const { done, more } = await processMatching(context, filter, (entry) => redriveLetter(context, entry))
  return { status: 202, body: { redriven: done, more } }
}

export const discardDeadLetters: EvaluationRoute<'discardDeadLetters', LetterParts> = async (
  { body: filter },
  context,
) => {
  const { bus, letters } = context
  const { done, more } = await processMatching(context, filter, async ({ sequence }) => {
    await bus.dead.remove(sequence)
    return letters.idOf(sequence)
  })
  return { status: 200, body: { discarded: done, more } }
}
