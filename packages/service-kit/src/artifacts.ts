/**
 * Content-addressed storage: bytes by their SHA-256, in chunk documents `_id: '<sha256>:<n>'` of at most 1
 * MiB. Shared by all services of a namespace; each project has its own, so that nobody learns what others
 * stored. Putting the same bytes twice changes nothing. Stored compressed: what we keep is mostly JSON, a
 * tenth of its size then, and the embedded server takes 0.1 s for a MiB.
 */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { maxInlineBytes, type PayloadParts, ProblemError } from '@stateeval/contracts'
import { Binary } from 'mongodb'
import { openArtifactUses } from './artifact-uses.ts'
import { openInstallationKey } from './installation-key.ts'
import { waitForInsert, type MongoStore } from './mongo.ts'
import { isSealing } from './sealing.ts'
import { type SecretBox, createSecretBox } from './secret-box.ts'
import type { ThreadPool } from './threads/index.ts'
import { hasHashInTurns, hashInTurns, serializeInTurns } from './turns.ts'
import { writeObject, JsonWritten } from './written.ts'

const chunkBytes = 2 ** 20
/**
 * Limit of one artifact, unpacked: as long as a text can be. A restored backup may hold what unpacks to more.
 */
const maxBytes = 512 * 2 ** 20

/** A piece of an artifact, as a document; its _id is `<sha256>:<n>`. */
export interface ArtifactChunk {
  /** Number of chunks of the whole. */
  of: number
  data: Binary
}
export interface ProjectArtifacts {
  /** Says that these are about to be used: they are not collected for an hour. */
  keep(hashes: readonly string[]): Promise<void>
  /** Stores bytes and gives their hash. What is there already is kept, or replaced where it is damaged. */
  put(bytes: Uint8Array): Promise<string>
  /**
   * The bytes of a hash, checked against it; null where there are none. Throws a problem that names what is
   * damaged.
   */
  get(hash: string): Promise<Uint8Array | null>
  putJson(value: unknown): Promise<string>
  getJson(hash: string): Promise<unknown>
  /**
   * A payload for a message, as text: inline, or an artifact where it is sealed, or larger than a message may
   * be. The value may be written already.
   */
  pack(value: unknown): Promise<JsonWritten>
  /** Parts that were packed by hand, with nothing inline while it is sealed. */
  packParts(parts: PayloadParts): Promise<PayloadParts>
  /** The value of a payload, in one piece; a problem names an artifact that is missing. */
  unpack(payload: PayloadParts): Promise<unknown>
}

/** A value that a handler has packed in pieces, because it may be too large for one text. */
export class PackedValue {
  readonly parts: PayloadParts
  constructor(parts: PayloadParts) {
    this.parts = parts
  }
}

/** Stores a piece of an artifact as it was read elsewhere; false where there is one. */
export const putChunk = (
  mongo: Pick<MongoStore, 'shared'>,
  id: string,
  { of, bytes }: { of: number; bytes: Uint8Array },
): Promise<boolean> =>
  waitForInsert(mongo.shared<ArtifactChunk>('artifacts').insertOne({ _id: id, of, data: new Binary(bytes) }))

const remedy = 'import or create the resource that names it again'

/** Marks an artifact that names no other, so that a collector needn't read it. */
const plainMark = 'plain'

/** JSON of more bytes is parsed in a thread. */
const maxParsedHere = 2 ** 20

interface ArtifactOptions {
  maxInline?: number
  now?: () => Date
  /** The pool of threads/parse.ts. Default: everything is parsed in place. */
  parsing?: Pick<ThreadPool, 'run'>
}

/**
 * Collections in which artifacts are stored: the first holds all but those of sealed work, which no backup
 * has.
 */
export const artifactCollections = ['artifacts', 'sealed-artifacts'] as const

interface ArtifactStore {
  /** null where there are none; throws a problem where they are damaged. */
  read(hash: string): Promise<Uint8Array | null>
  write(hash: string, bytes: Uint8Array, how?: { isDamaged: boolean }): Promise<void>
}

/** Artifacts of one collection; encrypted where there is a box, piece by piece. */
function openArtifactStore(
  mongo: Pick<MongoStore, 'shared'>,
  name: (typeof artifactCollections)[number],
  box?: SecretBox,
): ArtifactStore {
  const chunks = mongo.shared<ArtifactChunk>(name)
  /** Beside the chunks, so that who lists them sees the marks. */
  const marks = mongo.shared(name)
  const opened = async ({ _id, data }: ArtifactChunk & { _id: string }) =>
    box ? ((await box.openBytes(data.buffer, _id)) ?? Buffer.alloc(0)) : data.buffer
  return {
    async read(hash) {
      const first = await chunks.findOne({ _id: `${hash}:0` })
      if (!first) return null
      const parts = [await opened(first)]
      // One that lacks a chunk is damaged, whatever number of chunks the first one claims.
      for (let n = 1; n < first.of; n++) {
        const chunk = await chunks.findOne({ _id: `${hash}:${n}` })
        if (!chunk) break
        parts.push(await opened(chunk))
      }
      const unpacking = promisify(gunzip)(Buffer.concat(parts), { maxOutputLength: maxBytes })
      const bytes = await unpacking.catch(() => null)
      if (bytes === null || (await hashInTurns(bytes)) !== hash)
        throw new ProblemError(
          'internal',
          `the artifact ${hash} is damaged in the store: its hash does not match, or it is too large; ${remedy}`,
        )
      return bytes
    },
    async write(hash, bytes, { isDamaged } = { isDamaged: false }) {
      const packed = await promisify(gzip)(bytes, { level: 1 })
      const count = Math.ceil(packed.length / chunkBytes)
      // The first chunk comes last: where it is, all are.
      for (let n = count - 1; n >= 0; n--) {
        const _id = `${hash}:${n}`
        const piece = packed.subarray(n * chunkBytes, (n + 1) * chunkBytes)
        const chunk = { of: count, data: new Binary(box ? await box.sealBytes(piece, _id) : piece) }
        if (isDamaged) await chunks.replaceOne({ _id }, chunk, { upsert: true })
        else await waitForInsert(chunks.insertOne({ _id, ...chunk }))
      }
      if (!(await hasHashInTurns(bytes)))
        await waitForInsert(marks.insertOne({ _id: `${hash}:${plainMark}` }))
    },
  }
}

export function openArtifacts(
  mongo: Pick<MongoStore, 'shared' | 'ofInstallation'>,
  { maxInline = maxInlineBytes, now = () => new Date(), parsing }: ArtifactOptions = {},
): ProjectArtifacts {
  const open = openArtifactStore(mongo, 'artifacts')
  const sealed = openArtifactStore(
    mongo,
    'sealed-artifacts',
    createSecretBox(openInstallationKey(mongo, 'artifacts')),
  )
  const uses = openArtifactUses(mongo, now)
  const artifacts: ProjectArtifacts = {
    async keep(hashes) {
      await Promise.all(hashes.map((hash) => uses.note(hash)))
    },
    async put(bytes) {
      if (bytes.length > maxBytes)
        throw new ProblemError(
          'unprocessable',
          `${bytes.length} bytes are too many for one artifact; at most ${maxBytes} are stored`,
        )
      const hash = await hashInTurns(bytes)
      // Before the look: what is found is not collected then.
      await uses.note(hash)
      // Text that others store openly needs no seal; sealed text tells them nothing.
      for (const store of isSealing() ? [open, sealed] : [open])
        try {
          if ((await store.read(hash)) !== null) return hash
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error
          await store.write(hash, bytes, { isDamaged: true })
          return hash
        }
      await (isSealing() ? sealed : open).write(hash, bytes)
      return hash
    },
    get: async (hash) => (await open.read(hash)) ?? (await sealed.read(hash)),
    putJson: async (value) => artifacts.put(await serializeInTurns(value)),
    async getJson(hash) {
      const bytes = await artifacts.get(hash)
      if (!bytes) throw new ProblemError('internal', `there is no artifact ${hash} in the store; ${remedy}`)
      if (!parsing || bytes.length <= maxParsedHere)
        return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown
      return parsing.run('parse', bytes, { isGivenAway: true })
    },
    async pack(value) {
      const most = isSealing() ? -1 : maxInline
      if (value instanceof JsonWritten && value.text.length <= most)
        return writeObject(
          Buffer.byteLength(value.text) <= most
            ? { inline: value }
            : { artifact: await artifacts.put(Buffer.from(value.text)) },
        )
      const bytes = value instanceof JsonWritten ? Buffer.from(value.text) : await serializeInTurns(value)
      return writeObject(
        bytes.length <= most
          ? { inline: new JsonWritten(bytes.toString()) }
          : { artifact: await artifacts.put(bytes) },
      )
    },
    async packParts(parts) {
      if (!isSealing() || 'artifact' in parts) return parts
      if ('inline' in parts) return { artifact: await artifacts.putJson(parts.inline) }
      if ('list' in parts) {
        const list: PayloadParts[] = []
        for (const part of parts.list) list.push(await artifacts.packParts(part))
        return { list }
      }
      const object: Record<string, PayloadParts> = {}
      for (const [name, part] of Object.entries(parts.object)) object[name] = await artifacts.packParts(part)
      return { object }
    },
    async unpack(payload) {
      if ('inline' in payload) return payload.inline
      if ('artifact' in payload) return artifacts.getJson(payload.artifact)
      // One after the other: together they would all be there three times, packed, as text and as values.
      if ('list' in payload) {
        const values: unknown[] = []
        for (const part of payload.list) values.push(await artifacts.unpack(part))
        return values
      }
      const members: Record<string, unknown> = {}
      for (const [name, part] of Object.entries(payload.object)) members[name] = await artifacts.unpack(part)
      return members
    },
  }
  return artifacts
}
