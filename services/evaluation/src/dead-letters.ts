/** Dead letters of all services: searched page by page, and queued again. */
import { type DeadLetter, type DeadLetterFilter, type JobSubject, type Redriven } from '@stateeval/contracts'
import type { Bus, DeadLetterEntry } from '@stateeval/service-kit'
import { type Engine, parseStep } from '@stateeval/workflow'
import type { LetterIds } from './letter-ids.ts'
import type { Owner } from './owners/owner.ts'
import type { Owners } from './owners/owners.ts'

interface Ids {
  letterIds: LetterIds
}

/** What is looked at in one request at most: filters may match little of what is there. */
const maxLooked = 2000

/** The owner of a job: a job of an item is named after the step that waits for it. */
export function ownerIdOf({ id, replyTo, payload }: DeadLetterEntry): string | undefined {
  const inline =
    'inline' in payload ? (payload.inline as { start?: unknown; correlation?: unknown } | null) : null
  // A reply to a step has an id of its own, and says which step it is for.
  const steps = [replyTo?.correlation, id.replace(/#[0-9a-f]+$/, ''), inline?.start, inline?.correlation]
  for (const step of steps) {
    const read = typeof step === 'string' ? parseStep(step) : null
    if (read) return read.item.workflow
  }
  return undefined
}

export async function shownLetter(entry: DeadLetterEntry, { letterIds }: Ids): Promise<DeadLetter> {
  const owner = ownerIdOf(entry)
  return {
    id: await letterIds.idOf(entry.sequence),
    kind: kindOf(entry.subject),
    job: entry.id,
    error: entry.error,
    attempts: entry.attempts,
    diedAt: entry.at.toISOString(),
    ...(owner !== undefined && { owner }),
  }
}
export const kindOf = (subject: JobSubject) => subject.slice('jobs.'.length)
const subjectOf = (kind: string) => `jobs.${kind}` as JobSubject

const matches = (entry: DeadLetterEntry, { kind, job, owner, error }: DeadLetterFilter) =>
  (kind === undefined || kindOf(entry.subject) === kind) &&
  (job === undefined || entry.id === job) &&
  (owner === undefined || ownerIdOf(entry) === owner) &&
  (error === undefined || entry.error.includes(error))

/** The matching letters after a position, and the position for the next page; absent on the last page. */
export async function searchLetters(
  { dead }: Pick<Bus, 'dead'>,
  filter: DeadLetterFilter,
  { after, limit }: { after: number; limit: number },
): Promise<{ entries: DeadLetterEntry[]; next?: number }> {
  const entries: DeadLetterEntry[] = []
  const subject = filter.kind === undefined ? undefined : subjectOf(filter.kind)
  let last = after
  for (let looked = 0; ; looked++) {
    const entry = await dead.next(last + 1, subject)
    if (!entry) return { entries }
    if (entries.length === limit || looked === maxLooked) return { entries, next: last }
    last = entry.sequence
    if (matches(entry, filter)) entries.push(entry)
  }
}

export interface Redriver extends Ids {
  bus: Pick<Bus, 'dead' | 'publishJob' | 'check'>
  owners: Owners
  engine: Pick<Engine<Owner, unknown>, 'remind'>
}

/**
 * Queues the job again under its id, then forgets the dead letter. After an interruption in between, the
 * letter is still listed, and the next try queues no duplicate.
 */
export async function redrive(context: Redriver, entry: DeadLetterEntry): Promise<Redriven> {
  const { bus, owners, engine, letterIds } = context
  const { id, subject, payload, replyTo, sequence, version } = entry
  const letter = await letterIds.idOf(sequence)
  bus.check()
  // First of all: an outcome for somebody who has ended is dropped.
  const owner = await continueOwner(owners, ownerIdOf(entry))
  await bus.publishJob(subject, {
    ...{ id, payload, redrive: letter },
    ...(replyTo && { replyTo }),
    // Replicas that do not know it leave it to newer ones, as before.
    ...(version !== undefined && { version }),
  })
  await bus.dead.remove(sequence)
  // Items that stood still besides, at the same failure.
  if (owner?.resumed) await engine.remind(owner.value)
  return {
    id: letter,
    kind: kindOf(subject),
    job: id,
    ...(owner && { owner: { id: owner.value.id, status: owner.value.status, resumed: owner.resumed } }),
  }
}

async function continueOwner(
  owners: Owners,
  id: string | undefined,
): Promise<{ value: Owner; resumed: boolean } | null> {
  const owner = id === undefined ? null : await owners.get(id)
  if (!owner) return null
  if (owner.status !== 'failed' || owner.error?.startsWith(cannotContinue) !== true)
    return { value: owner, resumed: false }
  const reopened = await owners.reopen(owner.id)
  return reopened ? { value: reopened, resumed: true } : { value: owner, resumed: false }
}

/**
 * The start of an owner's error if one of its jobs was given up. Other errors have reasons that a new job
 * cannot fix.
 */
export const cannotContinue = 'cannot continue'
