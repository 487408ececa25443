/** Dead letters of all services: searched page by page, and queued again. */
import {
  type DeadLetter,
  type DeadLetterFilter,
  type JobSubject,
  type RedriveResult,
} from '@stateeval/contracts'
import { type MessageBus, type DeadLetterEntry, hiddenError, runSealed } from '@stateeval/service-kit'
import { type WorkflowEngine, parseStep } from '@stateeval/workflow'
import type { LetterIds } from './letter-ids.ts'
import { cannotContinue, type JobOwner, type OwnerStore } from '@stateeval/jobs'

/** What letters are called, and which of them tell nothing. */
export interface LetterNames extends LetterIds {
  /**
   * The sealed stream that a job makes tasks of, or scores an answer of; null for other jobs. Its payload has
   * oracles, its error may quote them, and the job of a block is named by the seed.
   */
  findSealedStream: (job: string) => Promise<string | null>
}
export interface LetterReader {
  letters: LetterNames
}

/** Limit of the letters that one request looks at: filters may match few of them. */
const maxLooked = 2000

/**
 * The evaluation or build that a job is for: a job of an item is named after the step that waits for it, and
 * so are those of episodes, which have no owner.
 */
function getOwnerId({ id, replyTo, payload }: DeadLetterEntry): string | undefined {
  const inline =
    'inline' in payload ? (payload.inline as { start?: unknown; correlation?: unknown } | null) : null
  // A reply to a step has its own id, and says which step it is for.
  const steps = [replyTo?.correlation, id.replace(/#[0-9a-f]+$/, ''), inline?.start, inline?.correlation]
  for (const step of steps) {
    const read = typeof step === 'string' ? parseStep(step) : null
    if (read && /^(ev|bm)_/.test(read.item.workflow)) return read.item.workflow
  }
  return undefined
}

/** Creates the part of a letter that callers may read and search. */
async function createReadableLetter(
  reader: LetterReader,
  entry: DeadLetterEntry,
): Promise<Pick<DeadLetter, 'job' | 'error'>> {
  const sealed = await reader.letters.findSealedStream(entry.id)
  return sealed === null ? { job: entry.id, error: entry.error } : { job: sealed, error: hiddenError }
}

export async function describeLetter(entry: DeadLetterEntry, reader: LetterReader): Promise<DeadLetter> {
  const owner = getOwnerId(entry)
  return {
    id: await reader.letters.idOf(entry.sequence),
    kind: getJobKind(entry.subject),
    ...(await createReadableLetter(reader, entry)),
    attempts: entry.attempts,
    diedAt: entry.at.toISOString(),
    ...(owner !== undefined && { owner }),
  }
}
export const getJobKind = (subject: JobSubject) => subject.slice('jobs.'.length)
const getJobSubject = (kind: string) => `jobs.${kind}` as JobSubject

async function isMatchingLetter(
  reader: LetterReader,
  entry: DeadLetterEntry,
  { kind, job, owner, error }: DeadLetterFilter,
): Promise<boolean> {
  if (kind !== undefined && getJobKind(entry.subject) !== kind) return false
  if (owner !== undefined && getOwnerId(entry) !== owner) return false
  if (job === undefined && error === undefined) return true
  const seen = await createReadableLetter(reader, entry)
  return (job === undefined || seen.job === job) && (error === undefined || seen.error.includes(error))
}

/** The matching letters after a position, and the position for the next page; absent on the last page. */
export async function searchLetters(
  { bus: { dead }, ...reader }: LetterReader & { bus: Pick<MessageBus, 'dead'> },
  filter: DeadLetterFilter,
  { after, limit }: { after: number; limit: number },
): Promise<{ entries: DeadLetterEntry[]; next?: number }> {
  const entries: DeadLetterEntry[] = []
  const subject = filter.kind === undefined ? undefined : getJobSubject(filter.kind)
  let last = after
  for (let looked = 0; ; looked++) {
    const entry = await dead.next(last + 1, subject)
    if (!entry) return { entries }
    if (entries.length === limit || looked === maxLooked) return { entries, next: last }
    last = entry.sequence
    if (await isMatchingLetter(reader, entry, filter)) entries.push(entry)
  }
}

export interface LetterRedriver extends LetterReader {
  bus: Pick<MessageBus, 'dead' | 'publishJob' | 'check'>
  owners: OwnerStore
  engine: Pick<WorkflowEngine<JobOwner, unknown>, 'remind'>
}

/**
 * Queues the job again under its id, then forgets the dead letter. After an interruption in between, the
 * letter is still listed, and the next try queues no duplicate.
 */
export async function redriveLetter(context: LetterRedriver, entry: DeadLetterEntry): Promise<RedriveResult> {
  const { bus, owners, engine, letters } = context
  const { id, subject, payload, replyTo, sequence, version, sealed } = entry
  const letter = await letters.idOf(sequence)
  bus.check()
  // First of all: an outcome for somebody who has ended is dropped.
  const owner = await continueOwner(owners, getOwnerId(entry))
  const publish = () =>
    bus.publishJob(subject, {
      ...{ id, payload, redrive: letter },
      ...(replyTo && { replyTo }),
      // Replicas that do not know it leave it to newer ones, as before.
      ...(version !== undefined && { version }),
    })
  await runSealed(sealed === true, publish)
  await bus.dead.remove(sequence)
  // Items that stood still besides, at the same failure.
  if (owner?.resumed) await engine.remind(owner.value)
  return {
    id: letter,
    kind: getJobKind(subject),
    job: (await createReadableLetter(context, entry)).job,
    ...(owner && { owner: { id: owner.value.id, status: owner.value.status, resumed: owner.resumed } }),
  }
}

async function continueOwner(
  owners: OwnerStore,
  id: string | undefined,
): Promise<{ value: JobOwner; resumed: boolean } | null> {
  const owner = id === undefined ? null : await owners.get(id)
  if (!owner) return null
  if (owner.status !== 'failed' || owner.error?.startsWith(cannotContinue) !== true)
    return { value: owner, resumed: false }
  const reopened = await owners.reopen(owner.id)
  return reopened ? { value: reopened, resumed: true } : { value: owner, resumed: false }
}
