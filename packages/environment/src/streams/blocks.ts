/**
 * Blocks of streams: made when first needed, cached while in use, and made again with the same bytes after
 * removal. One replica makes a block while the others wait; if it dies, another takes over. Two replicas
 * that make the same block store the same bytes.
 */
import { ProblemError, streamBlockSize } from '@stateeval/contracts'
import {
  qualifyName,
  waitForInsert,
  pauseUnlessAborted,
  type ServicePlatform,
  removeNamed,
  type FixedDocuments,
  type RevisedDocuments,
  type PendingCleanup,
  runSealed,
} from '@stateeval/service-kit'
import { LRUCache } from 'lru-cache'
import { createGate } from '../episodes/gate.ts'
import type { BenchmarkSets } from '@stateeval/sets'
import { getBlockNumber, getPlaceInBlock, formatSetName } from './layout.ts'
import { type MakerParts, makeBlock } from './make-block.ts'
import { isSealed, type KnownStream, type StoredStream } from './stored.ts'

interface BlockParts extends MakerParts, Pick<ServicePlatform, 'mongo' | 'now' | 'newId' | 'log'> {
  sets: BenchmarkSets
  /** The digest of each block that was ever made here, by its set. */
  blockDigests: FixedDocuments<string>
  streams: Pick<RevisedDocuments<StoredStream>, 'get'>
  tidy: Pick<PendingCleanup, 'collectAt'>
}

export interface StreamBlocks {
  /** The set that holds a task, which is there now. Throws a problem where it cannot be. */
  holding(stream: KnownStream, index: number): Promise<string>
  /** Begins to make a block that will be needed. */
  ahead(stream: KnownStream, block: number): void
  /** Removes blocks that were not used since, and the oldest where there are too many; gives how many. */
  sweep(before?: Date): Promise<number>
  close(): void
}

interface StoredBlock {
  usedAt: Date
  /** Why the block can't be made. */
  error?: string
}

/** Blocks that a process makes at once. */
const maxMaking = 2
/** A request waits so long for a block, in milliseconds. */
const patienceMs = 20_000
/**
 * Time within which a replica that makes a block renews its claim, and time between looks of others, in
 * milliseconds.
 */
const [claimMs, lookMs] = [15_000, 200]
/** A block's use is noted so often, in milliseconds. */
const noteEveryMs = 60_000
const hourMs = 3_600_000
/** Blocks of a project that are kept, and how long each at least after its last use, in milliseconds. */
const [maxKept, keptMs] = [256, 30 * 60_000]

/** `versionsHere`: the versions of everything that generates the tasks of a stream. */
export function openBlocks(
  context: BlockParts,
  versionsHere: (stream: KnownStream) => Promise<Record<string, string>>,
): StreamBlocks {
  const { mongo, now, sets, log, tidy } = context
  const closing = new AbortController()
  const stored = () => mongo.collection<StoredBlock>('stream-blocks')
  const makers = () => mongo.collection<{ until: Date }>('stream-makers')
  const making = new Map<string, Promise<void>>()
  const gate = createGate(maxMaking)
  /** Sets whose use was noted lately. */
  const noted = new LRUCache<string, true>({ max: 10_000, ttl: noteEveryMs })
  /** The block that was asked for last, by stream. */
  const latest = new LRUCache<string, number>({ max: 10_000 })

  /** Tells whether the block is stored, and notes its use. */
  async function isThere(set: string): Promise<boolean> {
    if (noted.get(qualifyName(set))) return true
    const block = await stored().findOne({ _id: set })
    if (!block) return false
    if (block.error !== undefined) throw new ProblemError('unprocessable', block.error)
    await stored().updateOne({ _id: set }, { $set: { usedAt: now() } })
    noted.set(qualifyName(set), true)
    return true
  }

  async function claimed(set: string): Promise<boolean> {
    const until = new Date(now().getTime() + claimMs)
    if (await waitForInsert(makers().insertOne({ _id: set, until }))) return true
    const taken = await makers().updateOne({ _id: set, until: { $lt: now() } }, { $set: { until } })
    return taken.modifiedCount > 0
  }

  async function makeHere(stream: KnownStream, block: number, set: string): Promise<void> {
    const renewal = setInterval(() => {
      const until = new Date(now().getTime() + claimMs)
      void makers()
        .updateOne({ _id: set }, { $set: { until } })
        .catch(() => undefined)
    }, claimMs / 3).unref()
    /** Jobs that bring about generations, which are separate resources. */
    const generations: string[] = []
    try {
      // The claim may be free because another replica has just made the block.
      if (await isThere(set)) return
      const made = await runSealed(isSealed(stream.stored), () =>
        makeBlock(context, stream, block, closing.signal, generations),
      )
      const isFirst = await context.blockDigests.put(set, made.digest)
      if (!isFirst && (await context.blockDigests.get(set)) !== made.digest)
        throw new ProblemError(
          'internal',
          `block ${block} of ${stream.id} differs from its earlier generation; create another stream with its seed`,
        )
      await sets.store(set, made, { sealed: isSealed(stream.stored) })
      await removeJobs(set, generations)
      // Last: a block that is available has its tasks, and nothing of its jobs is left.
      await waitForInsert(stored().insertOne({ _id: set, usedAt: now() }))
      // Its removal may not have seen what was stored just now.
      if ((await context.streams.get(stream.id)) === null) return await removeNamed(mongo, stream.id)
      log.info({ stream: stream.id, block }, 'a block of tasks was made')
    } catch (error) {
      // For good: nobody makes it again, so nothing of its jobs may stay either.
      if (error instanceof ProblemError && error.code === 'unprocessable') {
        await removeJobs(set, generations)
        await waitForInsert(stored().insertOne({ _id: set, usedAt: now(), error: error.message }))
      }
      throw error
    } finally {
      clearInterval(renewal)
      await makers().deleteOne({ _id: set })
    }
  }

  /** Removes the results of a block's jobs: programs, references and runs, which nobody may read. */
  async function removeJobs(set: string, generations: readonly string[]): Promise<void> {
    for (const job of new Set(generations)) await removeNamed(mongo, context.newId('gen', job))
    for (const prefix of listMarksOfJobs(generations)) await removeNamed(mongo, `${set}/${prefix}`)
    // At a full hour, so that one collection serves many blocks; by then nobody uses their artifacts.
    await tidy.collectAt(new Date((Math.floor(now().getTime() / hourMs) + 2) * hourMs))
  }

  async function make(stream: KnownStream, block: number): Promise<void> {
    const set = formatSetName(stream.id, block)
    checkVersions(stream, await versionsHere(stream))
    while (!(await isThere(set))) {
      if (closing.signal.aborted)
        throw new ProblemError('unavailable', 'the service is stopping; send the request again')
      if (await claimed(set)) await gate(() => makeHere(stream, block, set))
      else await pauseUnlessAborted(lookMs, closing.signal)
    }
  }

  /** Makes a block, unless that is under way here. */
  function begin(stream: KnownStream, block: number): Promise<void> {
    const place = qualifyName(formatSetName(stream.id, block))
    const underWay = making.get(place)
    if (underWay) return underWay
    const work = make(stream, block).finally(() => making.delete(place))
    making.set(place, work)
    // Whoever asked may have gone away.
    work.catch(() => undefined)
    return work
  }

  const blocks: StreamBlocks = {
    async holding(stream, index) {
      const block = getBlockNumber(index)
      const set = formatSetName(stream.id, block)
      if (!(await isThere(set))) {
        const over = new AbortController()
        const late = pauseUnlessAborted(patienceMs, over.signal).then(() => {
          if (over.signal.aborted) return
          throw new ProblemError(
            'unavailable',
            `block ${block} of ${stream.id} is being made; send the request again`,
            undefined,
            2,
          )
        })
        try {
          await Promise.race([begin(stream, block), late])
        } finally {
          over.abort()
        }
      }
      // Whoever reads on, and not at random, will need the next one.
      const name = qualifyName(stream.id)
      if (latest.get(name) === block && getPlaceInBlock(index) >= streamBlockSize / 2)
        blocks.ahead(stream, block + 1)
      latest.set(name, block)
      return set
    },
    ahead(stream, block) {
      if (noted.get(qualifyName(formatSetName(stream.id, block)))) return
      void begin(stream, block).catch((error: unknown) =>
        log.warn(
          { stream: stream.id, block, err: error },
          'a block of tasks could not be generated in advance',
        ),
      )
    },
    async sweep(before) {
      const kept = new Date(now().getTime() - keptMs)
      const all = await stored()
        .find({}, { projection: { usedAt: 1 } })
        .toArray()
      const newestFirst = all.sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime())
      const old = newestFirst.filter(
        ({ usedAt }, at) => usedAt < kept && (at >= maxKept || (before && usedAt < before)),
      )
      for (const { _id } of old) {
        // First the mark: what is left without it is stored again.
        await stored().deleteOne({ _id })
        await sets.remove(_id)
      }
      return old.length
    },
    close: () => closing.abort(),
  }
  return blocks
}

/** The marks that jobs of a block are named by: the part after the set. */
const listMarksOfJobs = (jobs: readonly string[]) => new Set(jobs.map((job) => job.split('/')[2] ?? ''))

function checkVersions({ id, stored }: KnownStream, here: Record<string, string>): void {
  const other = Object.keys({ ...stored.versions, ...here }).find(
    (name) => stored.versions[name] !== here[name],
  )
  if (other === undefined) return
  throw new ProblemError(
    'conflict',
    `the stream ${id} was created with ${other} ${stored.versions[other] ?? 'of another kind'}, and this installation has ${here[other] ?? 'none'}: further tasks would differ; create another stream`,
  )
}
