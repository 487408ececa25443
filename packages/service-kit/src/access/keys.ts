/**
 * API keys. A key is `stateeval_<id>_<secret>`. The secret has 256 random bits and is stored as its
 * SHA-256: it cannot be guessed, so a slow hash would protect nothing. Documents are inserted and never
 * changed; a revocation is a separate document.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Scope, sha256 } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { waitForInsert, type MongoStore } from '../mongo.ts'
import { believedMs } from './projects.ts'

export interface StoredKey {
  _id: string
  /** SHA-256 of the secret. */
  hash: string
  name: string
  project: string
  scopes: readonly Scope[]
  createdAt: Date
  /** The subject of who made it. */
  createdBy: string
  expiresAt?: Date
}
/** A key as shown to people. */
export interface KeyView extends Omit<StoredKey, 'hash'> {
  revokedAt?: Date
  lastUsedAt?: Date
}
export interface KeyStore {
  /** Stores a key and gives its text, which is shown once and kept nowhere. */
  create(key: Omit<StoredKey, '_id' | 'hash'>): Promise<{ view: KeyView; text: string }>
  find(id: string): Promise<KeyView | null>
  /** Lists keys of one project, or of all, in the order of ids after the cursor. */
  page(project: string | null, cursor: string, limit: number): Promise<KeyView[]>
  /** From now on it is refused: here at once, by other processes within a second. */
  revoke(id: string, at: Date): Promise<void>
  /** The key of this text, unless it is unknown, revoked or expired. Notes that it was used. */
  verify(text: string): Promise<StoredKey | null>
  /** All of a project, whose deletion ends with them. */
  removeOf(project: string): Promise<void>
}

const form = /^stateeval_([0-9a-z]{16})_([0-9A-Za-z_-]{43})$/
export const hasKeyForm = (text: string): boolean => text.startsWith('stateeval_')

/** How exactly the last use is known, in milliseconds: not every request writes. */
const noteEveryMs = 60_000

export function openKeyStore(mongo: Pick<MongoStore, 'ofInstallation'>, now: () => Date): KeyStore {
  const keys = mongo.ofInstallation<StoredKey>('access.keys')
  const revocations = mongo.ofInstallation<{ _id: string; at: Date }>('access.key-revocations')
  const uses = mongo.ofInstallation<{ _id: string; at: Date }>('access.key-uses')
  const cache = new LRUCache<string, StoredKey>({ max: 1000, ttl: believedMs })
  const noted = new LRUCache<string, true>({ max: 1000, ttl: noteEveryMs })

  const viewOf = async ({ hash: _, ...key }: StoredKey): Promise<KeyView> => {
    const [revocation, use] = await Promise.all([
      revocations.findOne({ _id: key._id }),
      uses.findOne({ _id: key._id }),
    ])
    return { ...key, ...(revocation && { revokedAt: revocation.at }), ...(use && { lastUsedAt: use.at }) }
  }
  const note = (_id: string) => {
    if (noted.has(_id)) return
    noted.set(_id, true)
    void uses.updateOne({ _id }, { $set: { at: now() } }, { upsert: true }).catch(() => noted.delete(_id))
  }
  return {
    async create(parts) {
      const _id = drawKeyId(now())
      const secret = randomBytes(32).toString('base64url')
      const key = { _id, hash: sha256(secret), ...parts }
      await keys.insertOne(key)
      return { view: await viewOf(key), text: `stateeval_${_id}_${secret}` }
    },
    async find(id) {
      const key = await keys.findOne({ _id: id })
      return key && viewOf(key)
    },
    async page(project, cursor, limit) {
      const records = await keys
        .find({ _id: { $gt: cursor }, ...(project !== null && { project }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray()
      return Promise.all(records.map(viewOf))
    },
    async revoke(id, at) {
      await waitForInsert(revocations.insertOne({ _id: id, at }))
      cache.delete(id)
    },
    async verify(text) {
      const [, id, secret] = form.exec(text) ?? []
      if (id === undefined || secret === undefined) return null
      const hit = cache.get(id)
      const key = hit ?? (await keys.findOne({ _id: id }))
      if (!key || !isEqual(key.hash, sha256(secret))) return null
      if (!hit && (await revocations.findOne({ _id: id }))) return null
      if (key.expiresAt && key.expiresAt <= now()) return null
      if (!hit) cache.set(id, key)
      note(id)
      return key
    },
    async removeOf(project) {
      for (const { _id } of await keys.find({ project }, { projection: { _id: 1 } }).toArray()) {
        await waitForInsert(revocations.insertOne({ _id, at: now() }))
        await Promise.all([keys.deleteOne({ _id }), uses.deleteOne({ _id }), revocations.deleteOne({ _id })])
        cache.delete(_id)
      }
    },
  }
}

/** Sorts by time. */
const drawKeyId = (now: Date) => {
  const random = BigInt(`0x${randomBytes(5).toString('hex')}`).toString(36)
  return `${now.getTime().toString(36).padStart(8, '0')}${random.padStart(8, '0')}`
}

/** Compares hashes of the same length in constant time. */
export const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
