/**
 * Backs up what a project has made, and the artifacts that this names. Work in progress, caches and marks of
 * the services are no part of a backup, nor are tasks of streams, which a sealed seed keeps secret. Memory
 * holds one page at a time, for any size of project.
 */
import {
  backupCollections,
  type BackupChunk,
  type BackupDocument,
  type BackupPage,
  type CollectionName,
} from '@stateeval/contracts'
import {
  type ArtifactChunk,
  type DocumentStore,
  runInProject,
  qualifyName,
  collectNamedArtifacts,
  type ServicePlatform,
} from '@stateeval/service-kit'
import type { LRUCache } from 'lru-cache'

export interface StoredCollection {
  /** `fixed` documents are written once, `revised` ones change. */
  kept: 'fixed' | 'revised' | 'answer'
  /** The value to store. Throws a fault that names the field. */
  check: (id: string, value: unknown) => Promise<unknown>
  /** Documents from this id on are no part of a backup. */
  until?: string
}
/** How the documents of each collection of a backup are checked and kept. */
export type StoredCollections = Readonly<Record<Exclude<CollectionName, 'artifacts'>, StoredCollection>>

/** The name of a collection of this service within it. */
export const getShortName = (name: CollectionName) => name.slice('evaluation.'.length)

export interface BackupParts extends Pick<ServicePlatform, 'mongo' | 'artifacts'> {
  store: DocumentStore
  collections: StoredCollections
  /** Hashes of the artifacts that a project's documents name, while somebody backs it up. */
  backedUpArtifacts: LRUCache<string, Promise<ReadonlySet<string>>>
}

const pageDocuments = 500
/** Length of a page's lines, in characters; a page has at least one document. */
const pageLength = 4 * 2 ** 20

/** The collections of a backup, with the number of documents that the project has in each. */
export const listBackupCollections = (
  { mongo, collections }: BackupParts,
  project: string,
): Promise<{ name: CollectionName; documents: number }[]> =>
  runInProject(project, async () => {
    const counted: { name: CollectionName; documents: number }[] = []
    for (const name of backupCollections)
      counted.push({
        name,
        documents: await mongo.shared(name).countDocuments(buildRange(collections, name, undefined)),
      })
    return counted
  })

/** A page of a collection. */
export const readDocumentPage = (
  parts: BackupParts,
  project: string,
  name: CollectionName,
  cursor: string | undefined,
): Promise<BackupPage> =>
  runInProject(project, async () => {
    const items: string[] = []
    let length = 0
    let last: string | undefined
    const documents = name === 'artifacts' ? readChunkPage(parts, cursor) : readTextPage(parts, name, cursor)
    for await (const document of documents) {
      const line = JSON.stringify(document)
      if (last !== undefined && (items.length === pageDocuments || length + line.length > pageLength))
        return { items, next: last }
      items.push(line)
      length += line.length
      last = document.id
    }
    return { items }
  })

/** The documents of a collection that a backup has, after an id. */
function buildRange(collections: StoredCollections, name: CollectionName, after: string | undefined) {
  const until = name === 'artifacts' ? undefined : collections[name].until
  const range = { ...(after !== undefined && { $gt: after }), ...(until !== undefined && { $lt: until }) }
  return Object.keys(range).length === 0 ? {} : { _id: range }
}

async function* readTextPage(
  { mongo, store, collections }: BackupParts,
  name: Exclude<CollectionName, 'artifacts'>,
  after: string | undefined,
): AsyncGenerator<BackupDocument> {
  const revised = collections[name].kept === 'revised' ? store.revised(getShortName(name)) : null
  const documents = mongo
    .shared<{ text: string }>(name)
    .find(buildRange(collections, name, after))
    .sort({ _id: 1 })
    .batchSize(16)
  for await (const { _id: id, text } of documents) {
    if (!revised) yield { id, text }
    else {
      // The newest revision may stand elsewhere; one that was removed meanwhile is left out.
      const value = await revised.get(id)
      if (value !== null) yield { id, text: JSON.stringify(value) }
    }
  }
}

async function* readChunkPage(parts: BackupParts, after: string | undefined): AsyncGenerator<BackupChunk> {
  const named = await collectBackupArtifacts(parts, after === undefined)
  const chunks = parts.mongo
    .shared<ArtifactChunk>('artifacts')
    .find(buildRange(parts.collections, 'artifacts', after))
    .sort({ _id: 1 })
    .batchSize(4)
  for await (const { _id: id, of, data } of chunks)
    // Marks have no bytes.
    if (data && named.has(id.slice(0, id.indexOf(':')))) yield { id, of, data: data.toString('base64') }
}

/** Known from the first page on; another replica, or this one after a while, looks again. */
function collectBackupArtifacts(parts: BackupParts, isFirstPage: boolean): Promise<ReadonlySet<string>> {
  const { backedUpArtifacts } = parts
  const key = qualifyName('')
  const known = isFirstPage ? undefined : backedUpArtifacts.get(key)
  if (known) return known
  const named = collectNamedArtifacts(parts, readAllTexts(parts))
  backedUpArtifacts.set(key, named)
  named.catch(() => backedUpArtifacts.delete(key))
  return named
}

async function* readAllTexts(parts: BackupParts): AsyncGenerator<string> {
  for (const name of backupCollections)
    if (name !== 'artifacts' && name !== 'answers')
      for await (const { text } of readTextPage(parts, name, undefined)) yield text
}
