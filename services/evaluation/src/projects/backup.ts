/**
 * Backs up and restores a project's documents. Memory holds one page at a time, for any size of project.
 */
import { collectionPattern, ProblemError, type Restored } from '@stateeval/contracts'
import {
  documentIn,
  documentText,
  inProject,
  inProjectName,
  isDuplicate,
  type Platform,
} from '@stateeval/service-kit'

type Parts = Pick<Platform, 'mongo' | 'artifacts'>
interface Stored {
  _id: string
}

const pageDocuments = 500
/** Of the lines of a page, in characters; one document at least. */
const pageLength = 4 * 2 ** 20
const backedUp = new RegExp(collectionPattern)
/**
 * Keys, secrets and projects of the installation, which the default project has no prefix to tell from its
 * own, and what the server keeps for itself.
 */
const ofInstallation = /^(access|system)\./

/** Names of collections without the project's prefix, with the number of their documents. */
export async function collectionsToBackUp(
  { mongo }: Parts,
  project: string,
): Promise<{ name: string; documents: number }[]> {
  const prefix = inProject(project, () => inProjectName(''))
  const all = await mongo.db.listCollections({}, { nameOnly: true }).toArray()
  const names = all
    .map(({ name }) => name)
    .filter((name) => (prefix === '' ? !name.includes('@') : name.startsWith(prefix)))
    .map((name) => name.slice(prefix.length))
    .filter((name) => backedUp.test(name) && !ofInstallation.test(name))
    .sort()
  const counted: { name: string; documents: number }[] = []
  for (const name of names)
    counted.push({ name, documents: await mongo.db.collection(prefix + name).countDocuments() })
  return counted
}

/** A collection that a backup lists; a problem where it is none. */
function collectionOf({ mongo }: Parts, project: string, name: string) {
  if (!backedUp.test(name) || ofInstallation.test(name))
    throw new ProblemError(
      'not-found',
      `backups have no collection ${name}; name one that the list of the backup has`,
    )
  return mongo.db.collection<Stored>(inProject(project, () => inProjectName(name)))
}

export async function documentsAfter(
  parts: Parts,
  project: string,
  name: string,
  cursor: string | undefined,
): Promise<{ items: string[]; next?: string }> {
  const documents = collectionOf(parts, project, name)
    .find(cursor === undefined ? {} : { _id: { $gt: cursor } })
    .sort({ _id: 1 })
    .limit(pageDocuments + 1)
    .batchSize(16)
  const items: string[] = []
  let length = 0
  let last: string | undefined
  try {
    for await (const document of documents) {
      const line = documentText(document)
      if (last !== undefined && (items.length === pageDocuments || length + line.length > pageLength))
        return { items, next: last }
      items.push(line)
      length += line.length
      last = document._id
    }
    return { items }
  } finally {
    await documents.close()
  }
}

/**
 * Restores documents. Throws a problem that names the first line that is not a document, or that differs
 * from the stored one.
 */
export async function putBack(
  parts: Parts,
  project: string,
  name: string,
  lines: readonly string[],
): Promise<Restored> {
  const collection = collectionOf(parts, project, name)
  const counts = { inserted: 0, present: 0 }
  for (const [at, line] of lines.entries()) {
    const document = documentAt(line, at)
    // What names it is restored later.
    if (name === 'artifacts')
      await inProject(project, () => parts.artifacts.keep([document._id.slice(0, document._id.indexOf(':'))]))
    try {
      await collection.insertOne(document)
      counts.inserted++
    } catch (error) {
      if (!isDuplicate(error)) throw error
      const there = await collection.findOne({ _id: document._id })
      if (!there || documentText(there) !== line)
        throw new ProblemError(
          'conflict',
          `the project ${project} has another document ${document._id} in ${name}; restore into an empty project`,
          `/documents/${at}`,
        )
      counts.present++
    }
  }
  return counts
}

function documentAt(line: string, at: number): Stored {
  const fault = (says: string) =>
    new ProblemError('unprocessable', `document ${at} ${says}`, `/documents/${at}`)
  let value: unknown
  try {
    value = documentIn(line)
  } catch {
    throw fault('is not Extended JSON; send the lines of a backup unchanged')
  }
  const { _id } = (value ?? {}) as Partial<Stored>
  if (typeof _id !== 'string') throw fault('has no string _id')
  return value as Stored
}
