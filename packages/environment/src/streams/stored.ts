/**
 * Stored streams. A stream's seed is encrypted with the installation's key until it is public, so neither
 * the store nor a backup reveals it.
 */
import { ProblemError, streamBlockSize, type StreamOptions, type StreamResource } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import {
  type FixedDocuments,
  qualifyName,
  type RevisedDocuments,
  type SecretBox,
} from '@stateeval/service-kit'
import type { StoredEpisode } from '../episodes/stored.ts'

/** The seed, which together with the options determines the tasks, and the salt, which prevents guesses. */
export interface StreamSecret {
  seed: string | number
  /** 128 random bits in hexadecimal. */
  salt: string
}

export interface StoredStream {
  purpose: StreamResource['purpose']
  kind: string
  options: StreamOptions
  versions: Record<string, string>
  commitment: string
  /** The secret, encrypted. */
  sealed: string
  /** The secret, where it is public. */
  opened?: StreamSecret
  createdAt: string
  revealedAt?: string
}

/** A stream with the secret that generates its tasks. */
export interface KnownStream extends StreamSecret {
  id: string
  stored: StoredStream
}

export interface StreamParts {
  streams: RevisedDocuments<StoredStream>
  streamBox: SecretBox
}

export const isSealed = ({ opened }: StoredStream) => opened === undefined

export async function requireStream(
  { streams }: Pick<StreamParts, 'streams'>,
  id: string,
): Promise<StoredStream> {
  const stored = await streams.get(id)
  if (stored) return stored
  throw new ProblemError('not-found', `there is no stream ${id}; GET /v1/streams lists them`)
}

/** The sealed stream that a job belongs to, by its own name or by its episode's; null for other jobs. */
export async function findSealedStream(
  {
    streams,
    episodeHeads,
  }: {
    streams: Pick<RevisedDocuments<StoredStream>, 'get'>
    episodeHeads: Pick<FixedDocuments<StoredEpisode>, 'get'>
  },
  job: string,
): Promise<string | null> {
  const [owner = ''] = job.split('/')
  const stream = owner.startsWith('ep_') ? (await episodeHeads.get(owner))?.stream?.id : owner
  if (!stream?.startsWith('str_')) return null
  const stored = await streams.get(stream)
  return stored && !isSealed(stored) ? null : stream
}

export async function openSecret(
  { streamBox }: Pick<StreamParts, 'streamBox'>,
  id: string,
  stored: StoredStream,
): Promise<StreamSecret> {
  if (stored.opened) return stored.opened
  const text = await streamBox.open(stored.sealed, id)
  if (text !== null) return JSON.parse(text) as StreamSecret
  throw new ProblemError(
    'conflict',
    `another installation sealed the seed of ${id}; use the stream there, or create one with its seed here`,
  )
}

/** Streams are believed to be there, and sealed or not, for so long after they were seen, in milliseconds. */
const believedMs = 2000

/** Finds streams with their secrets; throws a problem if a stream does not exist. */
export function createStreamFinder(parts: StreamParts): (id: string) => Promise<KnownStream> {
  const known = new LRUCache<string, KnownStream>({ max: 500, ttl: believedMs })
  return async (id) => {
    const name = qualifyName(id)
    const found = known.get(name)
    if (found) return found
    const stored = await requireStream(parts, id)
    const stream = { id, stored, ...(await openSecret(parts, id, stored)) }
    known.set(name, stream)
    return stream
  }
}

export function describeStream(id: string, stored: StoredStream): StreamResource {
  const { sealed: _, opened, purpose, revealedAt, ...rest } = stored
  const self = `/v1/streams/${id}`
  return {
    id,
    status: purpose === 'training' ? 'open' : opened ? 'revealed' : 'sealed',
    purpose,
    ...rest,
    ...opened,
    ...(revealedAt && { revealedAt }),
    blockSize: streamBlockSize,
    links: { self, tasks: `${self}/tasks/{index}`, reveal: `${self}/reveal` },
  }
}
