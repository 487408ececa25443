/**
 * Restores documents of a backup as an import from a stranger: each is checked by the form, bounds and
 * references of its collection before it is stored in the project. Nothing that is stored is overwritten, and
 * nothing begins to run.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  BackupChunk,
  BackupDocument,
  type CollectionName,
  isRecord,
  ProblemError,
  type RestoreResult,
} from '@stateeval/contracts'
import type { AnswerStore, KeptAnswer } from '@stateeval/models'
import {
  type ArtifactChunk,
  type DocumentStore,
  hasMoreParts,
  runInProject,
  isAway,
  mostParts,
  type ServicePlatform,
  putChunk,
  JsonWritten,
} from '@stateeval/service-kit'
import { getShortName, type StoredCollections } from './backup.ts'
import { DocumentFault, readJson, throwDocumentFault, requireForm, StrayDocument } from './form.ts'

export interface RestoreParts extends Pick<ServicePlatform, 'mongo' | 'artifacts'> {
  collections: StoredCollections
  answers: AnswerStore
  store: DocumentStore
}

/** Bytes of a document's text: a little less than MongoDB's limit. */
const maxTextBytes = 16 * 2 ** 20 - 4096

/** A document, checked: how to store it, and what is stored. */
interface CheckedDocument {
  id: string
  value: unknown
  /** False where there is one of that id. */
  put(): Promise<boolean>
  stored(): Promise<unknown>
}

/**
 * Restores documents of a collection, in their order. Throws a problem that names the first document at fault
 * and its field; those before it are restored.
 */
export const putBack = (
  parts: RestoreParts,
  project: string,
  name: CollectionName,
  lines: readonly string[],
): Promise<RestoreResult> =>
  runInProject(project, async () => {
    const counts = { inserted: 0, present: 0, leftOut: 0 }
    for (const [at, line] of lines.entries()) {
      const document = await checkLine(parts, name, line, at)
      if (document === null) counts.leftOut++
      else if (await document.put()) counts.inserted++
      else if (isDeepStrictEqual(await document.stored(), document.value)) counts.present++
      else
        throw new ProblemError(
          'conflict',
          `the project ${project} has another document ${document.id} in ${name}; restore into an empty project`,
          `/documents/${at}`,
        )
    }
    return counts
  })

/** The document of a line; null if it belongs to nothing. A fault in it becomes a problem that names it. */
async function checkLine(
  parts: RestoreParts,
  name: CollectionName,
  line: string,
  at: number,
): Promise<CheckedDocument | null> {
  let id = ''
  try {
    const value = parseBoundedJson(line)
    id = readId(value)
    return name === 'artifacts' ? await restoreChunk(parts, value) : await restoreDocument(parts, name, value)
  } catch (error) {
    if (error instanceof StrayDocument) return null
    const found = findRestoreFault(error)
    if (!found) throw error
    throw new ProblemError(
      'unprocessable',
      `document ${at} of ${name}${id === '' ? '' : `, ${id}`}: ${found.field || 'it'} ${found.message}; restore the lines of a backup unchanged, in the order of its collections`,
      `/documents/${at}`,
    )
  }
}

/** A fault of a document, or of what it names; null for all else, such as a server's absence. */
function findRestoreFault(error: unknown): { field: string; message: string } | null {
  if (error instanceof DocumentFault) return error
  if (error instanceof ProblemError && !isAway(error))
    return { field: '', message: `cannot be used: ${error.message}` }
  return null
}

/** Reads the id of a document, to name it in a fault. */
const readId = (value: unknown) =>
  isRecord(value) && typeof value['id'] === 'string' ? value['id'].slice(0, 500) : ''

function parseBoundedJson(text: string): unknown {
  if (hasMoreParts(Buffer.from(text), mostParts))
    throwDocumentFault('', `has more than ${mostParts} values and names of members`)
  const read = readJson(text)
  return 'value' in read ? read.value : throwDocumentFault(read.field, read.says)
}

async function restoreChunk({ mongo, artifacts }: RestoreParts, value: unknown): Promise<CheckedDocument> {
  const { id, of, data } = requireForm(BackupChunk, value)
  const [hash = '', n] = id.split(':')
  if (Number(n) >= of) throwDocumentFault('/of', `must be more than ${n}, the number of the piece`)
  const bytes = Buffer.from(data, 'base64')
  const chunks = mongo.shared<ArtifactChunk>('artifacts')
  return {
    id,
    value: { of, data },
    async put() {
      // The document that names it is restored later.
      await artifacts.keep([hash])
      return putChunk(mongo, id, { of, bytes })
    },
    async stored() {
      const chunk = await chunks.findOne({ _id: id })
      return chunk && { of: chunk.of, data: chunk.data.toString('base64') }
    },
  }
}

async function restoreDocument(
  parts: RestoreParts,
  name: Exclude<CollectionName, 'artifacts'>,
  document: unknown,
): Promise<CheckedDocument> {
  const { id, text } = requireForm(BackupDocument, document)
  if (Buffer.byteLength(text) > maxTextBytes)
    throwDocumentFault('/text', `has more than ${maxTextBytes} bytes`)
  const { kept, check, until } = parts.collections[name]
  if (until !== undefined && id >= until) throwDocumentFault('', 'is no part of a backup')
  const value = await check(id, parseBoundedJson(text))
  const { answers, store } = parts
  if (kept === 'answer') {
    const answer = value as KeptAnswer
    return {
      id,
      value,
      put: async () => (await answers.put(id, answer)) === answer,
      stored: () => answers.get(id),
    }
  }
  const documents = kept === 'fixed' ? store.fixed<unknown>(getShortName(name)) : null
  const revised = store.revised<unknown>(getShortName(name))
  return {
    id,
    value,
    // The text of what never changes is kept as it is: a value may lose 1.0.
    put: () => documents?.put(id, new JsonWritten(text)) ?? revised.create(id, value),
    stored: () => (documents ?? revised).get(id),
  }
}
