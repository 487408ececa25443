/**
 * Removes a project's old resources: those that ended before a given time, unless a kept resource needs
 * them.
 */
import type { ComparisonResource } from '@stateeval/contracts'
import {
  listEveryItem,
  type FixedDocuments,
  type ServicePlatform,
  type RevisedDocuments,
  removeRange,
} from '@stateeval/service-kit'
import { type EvaluationEnvironment, expireEpisodes } from '@stateeval/environment'
import {
  isEnded,
  type JobOwner,
  type OwnerStore,
  removeBenchmark,
  type RemovalParts,
  removeOwner,
} from '@stateeval/jobs'
import type { StoredRecording } from '../recordings/recordings.ts'

interface ExpiryParts extends RemovalParts, Pick<ServicePlatform, 'audit' | 'quota'> {
  environment: EvaluationEnvironment
  mongo: ServicePlatform['mongo']
  owners: OwnerStore
  comparisons: Pick<RevisedDocuments<ComparisonResource>, 'page' | 'remove'>
  recordings: Pick<FixedDocuments<StoredRecording>, 'get' | 'remove'>
}

/** Owners and comparisons are read so many at a time. */
const together = 100

export async function expire(context: ExpiryParts, before: Date, signal: AbortSignal): Promise<number> {
  const { owners, comparisons, audit, environment } = context
  const isOld = (owner: JobOwner) =>
    isEnded(owner) && new Date(owner.finishedAt ?? owner.createdAt).getTime() < before.getTime()
  const references = {
    benchmarks: new Set<string>(),
    recordings: new Set<string>(),
    streams: new Set<string>(),
  }
  const keep = (owner: JobOwner) => {
    if (owner.entity === 'evaluation') references.benchmarks.add(owner.benchmark)
    for (const [id] of JSON.stringify(owner).matchAll(/rec_[0-9a-f]{64}/g)) references.recordings.add(id)
  }
  let removed = await expireEpisodes(
    { ...context, ...environment, ...environment.documents },
    before,
    signal,
    ({ benchmark, stream }) => {
      references.benchmarks.add(benchmark)
      if (stream) references.streams.add(stream.id)
    },
  )
  await environment.streams.blocks.sweep(before)
  for await (const { id, value } of listEveryItem(
    (cursor, limit) => environment.documents.streams.page(cursor, limit),
    together,
  )) {
    if (signal.aborted) return removed
    if (!value.revealedAt || new Date(value.revealedAt) >= before || references.streams.has(id)) continue
    await environment.streams.places.remove(id)
    removed++
  }
  for await (const evaluation of listEveryItem(
    (cursor, limit) => owners.page('evaluation', cursor, limit),
    together,
  )) {
    if (signal.aborted) return removed
    // The list may be a moment old.
    const now = isOld(evaluation) ? await owners.get(evaluation.id) : evaluation
    if (now && !isOld(now)) keep(now)
    else if (now) {
      await removeOwner(context, now.id)
      removed++
    }
  }
  for await (const benchmark of listEveryItem(
    (cursor, limit) => owners.page('benchmark', cursor, limit),
    together,
  )) {
    if (signal.aborted) return removed
    if (
      isOld(benchmark) &&
      !references.benchmarks.has(benchmark.id) &&
      (await removeBenchmark(context, benchmark.id)) === null
    )
      removed++
    else keep(benchmark)
  }
  for await (const { id, evaluations } of listEveryItem(
    async (cursor, limit) => (await comparisons.page(cursor, limit)).map(({ value }) => value),
    together,
  )) {
    const there = await Promise.all(evaluations.map((one) => owners.evaluation(one.id)))
    if (there.includes(null)) await comparisons.remove(id)
  }
  await expireRecordings(context, before, references.recordings)
  await audit.removeBefore(before)
  return removed
}

/** Recordings of that age which nothing kept repeats, with their answers. */
async function expireRecordings(
  { mongo, recordings }: ExpiryParts,
  before: Date,
  recordingsInUse: ReadonlySet<string>,
): Promise<void> {
  const cursor = mongo.collection('recordings').find({}, { projection: { _id: 1 } })
  for await (const { _id } of cursor) {
    const importedAt = recordingsInUse.has(_id) ? undefined : (await recordings.get(_id))?.importedAt
    if (importedAt === undefined || new Date(importedAt) >= before) continue
    await recordings.remove(_id)
    await removeRange(mongo.shared('answers'), `${_id}/`, `${_id}0`)
  }
}
