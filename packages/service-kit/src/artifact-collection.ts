/**
 * Collects artifacts that nothing names. A document names an artifact by its hash, anywhere in its text, so
 * no kind of document can be forgotten here. Kept artifacts are read as well if they may name others.
 */
import { artifactCollections, type ProjectArtifacts } from './artifacts.ts'
import { openArtifactUses, collectsWithinMs, markMs } from './artifact-uses.ts'
import type { MongoStore } from './mongo.ts'
import { listCollectionNames } from './removal.ts'

export interface CollectedArtifacts {
  removed: number
  /** Nothing names them, but they were used lately. */
  spared: number
}
interface CollectionParts {
  mongo: Pick<MongoStore, 'db' | 'shared'>
  artifacts: Pick<ProjectArtifacts, 'get'>
  now: () => Date
}
interface CollectionOptions {
  /**
   * Artifacts used since then are kept: messages on their way, and documents that are not stored yet, may
   * name them.
   */
  usedSince: Date
  /** Answers of models that were given before then are collected, too, where no kept document names them. */
  answersBefore?: Date
  /** Further texts that name artifacts: dead letters. */
  texts?: AsyncIterable<string>
  signal?: AbortSignal
}

/** Collections of the project that name no artifacts: they are large, or written all the time. */
const namesNone =
  /^(artifacts|sealed-artifacts|artifact-uses|answers|audit|usage|rates|claims|tidy|.*\.attempts)$/
const together = 50

export async function collectArtifacts(
  { mongo, artifacts, now }: CollectionParts,
  { usedSince, answersBefore, texts, signal }: CollectionOptions,
): Promise<CollectedArtifacts> {
  const uses = openArtifactUses(mongo, now)
  let lookedAt = now()
  const chunksByHash = await indexStoredArtifacts(mongo)
  const used = await uses.since(usedSince)
  const answers = await indexOldAnswers(mongo, answersBefore)
  const mentions = new ArtifactMentions(chunksByHash, answers)
  for await (const text of texts ?? []) mentions.read(text)
  for (const name of await listCollectionNames(mongo)) {
    if (namesNone.test(name)) continue
    for await (const document of mongo.shared(name).find({}, { raw: true })) {
      signal?.throwIfAborted()
      mentions.read((document as unknown as Buffer).toString('latin1'))
    }
  }
  await mentions.follow(artifacts)
  const spared = [...used].filter((hash) => mentions.add(hash)).length
  await mentions.follow(artifacts)
  const removed = await removeUnused([...chunksByHash.keys()], removeChunks)
  await removeUnused([...answers.keys()], async (hashes) => {
    const ids = hashes.flatMap((hash) => answers.get(hash)!)
    await mongo.shared('answers').deleteMany({ _id: { $in: ids } })
  })
  await uses.forget(usedSince)
  return { removed, spared }

  /** Keeps any artifact used since the last look, with those that it names. */
  async function noteLaterUses(): Promise<void> {
    const before = lookedAt
    lookedAt = now()
    for (const hash of await uses.since(before)) mentions.add(hash)
    await mentions.follow(artifacts)
  }

  /** Removes those that nothing names and nobody uses, and gives their number. */
  async function removeUnused(
    hashes: readonly string[],
    remove: (hashes: readonly string[]) => Promise<void>,
  ): Promise<number> {
    const unnamed = hashes.filter((hash) => !mentions.has(hash))
    let removed = 0
    for (let at = 0; at < unnamed.length; at += together) {
      signal?.throwIfAborted()
      // Reading all documents may take longer than a mark of the present lasts.
      if (at === 0 || now().getTime() - lookedAt.getTime() > markMs / 2) await noteLaterUses()
      const batch = unnamed.slice(at, at + together).filter((hash) => !mentions.has(hash))
      removed += await takingUnused(batch, remove)
    }
    return removed
  }

  /** Does the work for those that nobody uses now, and gives their number. Nobody uses them meanwhile. */
  async function takingUnused(
    hashes: readonly string[],
    work: (mine: readonly string[]) => Promise<void>,
  ): Promise<number> {
    const begun = performance.now()
    const releases = await Promise.all(hashes.map(async (hash) => ({ hash, release: await uses.take(hash) })))
    const mine = releases.filter(({ release }) => release !== null)
    try {
      // A process that was held up must not remove what others may use again by now.
      if (performance.now() - begun > collectsWithinMs) return 0
      await work(mine.map(({ hash }) => hash))
      return mine.length
    } finally {
      for (const { release } of mine) await release?.()
    }
  }

  async function removeChunks(hashes: readonly string[]): Promise<void> {
    const idsOf = (isFirst: boolean) =>
      hashes.flatMap((hash) => chunksByHash.get(hash)!.filter((id) => id.endsWith(':0') === isFirst))
    // The first chunk first: where it is missing, whoever stores the bytes again stores all that is missing.
    for (const chunks of artifactCollections.map((name) => mongo.shared(name))) {
      await chunks.deleteMany({ _id: { $in: idsOf(true) } })
      await chunks.deleteMany({ _id: { $in: idsOf(false) } })
    }
  }
}

/** Hashes of the stored artifacts that these texts name, with those that the artifacts name in turn. */
export async function collectNamedArtifacts(
  { mongo, artifacts }: Omit<CollectionParts, 'now'>,
  texts: AsyncIterable<string>,
): Promise<ReadonlySet<string>> {
  const mentions = new ArtifactMentions(await indexStoredArtifacts(mongo), new Map())
  for await (const text of texts) mentions.read(text)
  await mentions.follow(artifacts)
  return mentions.found
}

/** Ids of what is stored of each artifact, by hash. */
async function indexStoredArtifacts(mongo: Pick<MongoStore, 'shared'>): Promise<Map<string, string[]>> {
  const chunksByHash = new Map<string, string[]>()
  for (const name of artifactCollections)
    for await (const { _id } of mongo.shared(name).find({}, { projection: { _id: 1 } })) {
      const hash = _id.slice(0, _id.indexOf(':'))
      const ids = chunksByHash.get(hash)
      if (ids) ids.push(_id)
      else chunksByHash.set(hash, [_id])
    }
  return chunksByHash
}

/** Ids of old answers by the hash of their question. Those of recordings go with the recording. */
async function indexOldAnswers(
  mongo: Pick<MongoStore, 'shared'>,
  before: Date | undefined,
): Promise<Map<string, string[]>> {
  const answers = new Map<string, string[]>()
  if (!before) return answers
  const cursor = mongo
    .shared<{ at: Date }>('answers')
    .find({ at: { $lt: before } }, { projection: { _id: 1 } })
  for await (const { _id } of cursor) {
    const hash = /^[0-9a-f]{64}/.exec(_id)?.[0]
    if (hash !== undefined) answers.set(hash, [...(answers.get(hash) ?? []), _id])
  }
  return answers
}

/** Which artifacts and answers are named by what is kept. */
class ArtifactMentions {
  readonly #stored: ReadonlyMap<string, readonly string[]>
  readonly #answers: ReadonlyMap<string, unknown>
  readonly #found = new Set<string>()
  readonly #unread: string[] = []
  constructor(chunksByHash: ReadonlyMap<string, readonly string[]>, answers: ReadonlyMap<string, unknown>) {
    this.#stored = chunksByHash
    this.#answers = answers
  }
  get found(): ReadonlySet<string> {
    return this.#found
  }
  has(hash: string): boolean {
    return this.#found.has(hash)
  }
  /** True where it is stored, and was not named before. */
  add(hash: string): boolean {
    const ids = this.#stored.get(hash)
    if ((!ids && !this.#answers.has(hash)) || this.#found.has(hash)) return false
    this.#found.add(hash)
    if (!ids) return true
    if (!ids.some((id) => id.endsWith(':plain'))) this.#unread.push(hash)
    return true
  }
  read(text: string): void {
    for (const [digits] of text.matchAll(/[0-9a-f]{64,}/g))
      for (let at = 0; at + 64 <= digits.length; at++) this.add(digits.slice(at, at + 64))
  }
  /** Reads the artifacts that were found, and what they name in turn. */
  async follow(artifacts: Pick<ProjectArtifacts, 'get'>): Promise<void> {
    for (let hash = this.#unread.pop(); hash !== undefined; hash = this.#unread.pop()) {
      // One that is damaged names nothing that could be found.
      const bytes = await artifacts.get(hash).catch(() => null)
      if (bytes) this.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
    }
  }
}
