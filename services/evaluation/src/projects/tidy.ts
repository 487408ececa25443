/** Sweeps: finishes interrupted removals, and collects artifacts that nothing names. */
import {
  collectArtifacts,
  listCollectionNames,
  getCurrentProject,
  type MongoStore,
  type ServicePlatform,
  type PendingCleanup,
} from '@stateeval/service-kit'
import { isEnded, type OwnerStore, removeBenchmark, type RemovalParts, removeOwner } from '@stateeval/jobs'
import type { StreamsContext } from '@stateeval/environment'
import { removeWebhook, type WebhooksContext } from '@stateeval/webhooks'

interface TidyParts
  extends RemovalParts, Pick<ServicePlatform, 'artifacts' | 'bus' | 'log' | 'now' | 'quota'> {
  environment: { streams: Pick<StreamsContext, 'places'> }
  webhooks: Pick<WebhooksContext, 'webhooks' | 'deliveries' | 'tidy'>
  mongo: MongoStore
  owners: Pick<OwnerStore, 'remove' | 'get' | 'evaluation'>
  tidy: PendingCleanup
}

/** An artifact used within this time is not collected: documents that name it may not be stored yet. */
const graceMs = 3_600_000

export async function removeExpired(context: TidyParts, signal: AbortSignal): Promise<void> {
  const { tidy, log, now } = context
  for (const id of await tidy.unfinished()) {
    if (id.startsWith('str_')) {
      await context.environment.streams.places.remove(id)
      continue
    }
    if (id.startsWith('wh_')) {
      await removeWebhook(context.webhooks, id)
      continue
    }
    const owner = await context.owners.get(id)
    if (owner?.entity === 'benchmark') await removeBenchmark(context, id)
    else if (!owner || isEnded(owner)) await removeOwner(context, id)
  }
  await tidy.collecting(async () => {
    const { removed, spared } = await collectUnused(context, now, signal)
    if (removed > 0) log.info({ removed }, 'unused artifacts were removed')
    if (spared > 0) await tidy.collectAt(new Date(now().getTime() + graceMs))
  })
}

/** Collects artifacts of the current project that nothing names and that were not used recently. */
export async function collectUnused(context: TidyParts, now: () => Date, signal: AbortSignal) {
  const at = now()
  const begun = await findOldestWork(context, at)
  const usedSince = new Date(begun.getTime() - graceMs)
  const { days = null } = await context.quota.rules.retention(getCurrentProject())
  return collectArtifacts(
    { ...context, now },
    {
      usedSince,
      ...(days !== null && { answersBefore: new Date(at.getTime() - days * 86_400_000) }),
      texts: readDeadLetterTexts(context),
      signal,
    },
  )
}

/** When the oldest work began that has not ended: its messages may name whatever was used since. */
async function findOldestWork({ mongo, owners }: TidyParts, at: Date): Promise<Date> {
  let oldest = at.getTime()
  const note = (begun: Date | string | undefined) => {
    if (begun !== undefined) oldest = Math.min(oldest, new Date(begun).getTime())
  }
  for await (const { _id } of mongo.collection('active').find({}, { projection: { _id: 1 } }))
    note((await owners.get(_id))?.createdAt)
  for (const name of await listCollectionNames(mongo)) {
    if (!name.endsWith('.open')) continue
    const works = mongo.shared<{ createdAt: Date }>(name.slice(0, -'.open'.length))
    for await (const { _id } of mongo.shared(name).find({}, { projection: { _id: 1 } }))
      note((await works.findOne({ _id }, { projection: { createdAt: 1 } }))?.createdAt)
  }
  return new Date(oldest)
}

async function* readDeadLetterTexts({ bus }: Pick<ServicePlatform, 'bus'>): AsyncGenerator<string> {
  for (let at = 1; ;) {
    const letter = await bus.dead.next(at)
    if (!letter) return
    yield JSON.stringify(letter)
    at = letter.sequence + 1
  }
}
