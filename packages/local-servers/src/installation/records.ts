/**
 * All that an installation stores, as lines of text: the documents of its database, and its dead letters.
 * Queued jobs are left out, as services ask again for what has not ended; so are events, which only tell of
 * what documents hold, and marks of running processes.
 */
import { BSON, type Db, type Document } from 'mongodb'
import type { JetStreamManager, NatsConnection } from 'nats'

/** The databases of an installation. */
export interface InstallationStore {
  db: Db
  nats: NatsConnection
  namespace: string
}
interface DocumentRecord {
  collection: string
  document: Document
}
interface DeadLetterRecord {
  /** Without the namespace. */
  subject: string
  /** Bytes as base64. */
  data: string
}
type InstallationRecord = DocumentRecord | DeadLetterRecord

const { EJSON } = BSON
/** Transient collections, by the name behind project and service. */
const transient = new Set(['probes', 'claims', 'rates', 'episode-leases', 'stream-makers'])
/** Collections in which services find work that has not ended. */
const unended = new Set(['active', 'open'])
/**
 * Collections that documents of others name, in the order of reading: a document is stored after those that
 * it names.
 */
const named = ['cases', 'results', 'records', 'answers', 'artifacts', 'sealed-artifacts']

const getLastPart = (collection: string) => collection.split(/[.@]/).at(-1)!

/** The collections of an installation that keep something, those that name others first. */
async function listCollections(db: Db): Promise<string[]> {
  const all = await db.listCollections({}, { nameOnly: true }).toArray()
  const rank = (name: string) => named.indexOf(getLastPart(name))
  return all
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.') && !transient.has(getLastPart(name)))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Lines, each of one record. They may be read while services work. */
export async function* readRecordLines(store: InstallationStore): AsyncGenerator<string> {
  for (const collection of await listCollections(store.db))
    for await (const document of store.db.collection(collection).find())
      yield `${EJSON.stringify({ collection, document }, { relaxed: false })}\n`
  for await (const record of readDeadLetters(store)) yield `${JSON.stringify(record)}\n`
}

async function* readDeadLetters({ nats, namespace }: InstallationStore): AsyncGenerator<DeadLetterRecord> {
  const subject = `$JS.API.STREAM.MSG.GET.${namespace}-DEAD`
  for (let seq = 1; ;) {
    const query = JSON.stringify({ seq, next_by_subj: `${namespace}.dead.>` })
    const { message, error } = (await nats.request(subject, query, { timeout: 5000 })).json<{
      message?: { subject: string; seq: number; data?: string }
      error?: { code: number; description: string }
    }>()
    // No more, or no service has ever made the stream.
    if (error?.code === 404) return
    if (!message) throw new Error(`NATS did not return the dead letters: ${error?.description}`)
    yield { subject: message.subject.slice(namespace.length + 1), data: message.data ?? '' }
    seq = message.seq + 1
  }
}

/** Tells whether an installation has nothing that a restore could overwrite. */
export async function isEmpty({ db, nats, namespace }: InstallationStore): Promise<boolean> {
  for (const collection of await listCollections(db))
    if (await db.collection(collection).findOne()) return false
  const manager = await nats.jetstreamManager()
  return (await countMessages(manager, `${namespace}-DEAD`)) === 0
}

const countMessages = (manager: JetStreamManager, stream: string): Promise<number> =>
  manager.streams.info(stream).then(
    ({ state }) => state.messages,
    () => 0,
  )

/** Limits of documents that are inserted with one command. */
const [mostDocuments, mostCharacters] = [500, 4 * 2 ** 20]

/**
 * Stores lines.
 * @param options.withoutWork leaves out documents that make services continue unfinished work
 */
export async function storeLines(
  store: InstallationStore,
  lines: AsyncIterable<string>,
  { withoutWork = false } = {},
): Promise<void> {
  const manager = await store.nats.jetstreamManager()
  const stream = `${store.namespace}-DEAD`
  const jetStream = store.nats.jetstream()
  let made: Promise<unknown> | undefined
  // Services make it too, and set its bounds when they start.
  const hasStream = () =>
    (made ??= manager.streams
      .info(stream)
      .catch(() => manager.streams.add({ name: stream, subjects: [`${store.namespace}.dead.>`] })))
  let batch: { collection: string; documents: Document[]; characters: number } | undefined
  const flush = async () => {
    if (batch) await store.db.collection(batch.collection).insertMany(batch.documents, { ordered: false })
    batch = undefined
  }
  for await (const line of lines) {
    const record = EJSON.parse(line, { relaxed: false }) as InstallationRecord
    if ('subject' in record) {
      await hasStream()
      await jetStream.publish(`${store.namespace}.${record.subject}`, Buffer.from(record.data, 'base64'))
      continue
    }
    const { collection, document } = record
    if (withoutWork && unended.has(getLastPart(collection))) continue
    const isFull = batch && (batch.documents.length >= mostDocuments || batch.characters >= mostCharacters)
    if (batch?.collection !== collection || isFull) await flush()
    batch ??= { collection, documents: [], characters: 0 }
    batch.documents.push(document)
    batch.characters += line.length
  }
  await flush()
}
