/** Backups of an installation: everything that it stores, in one encrypted file. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { readCredentials, type NatsSettings, readNatsConfig } from '@stateeval/service-kit/nats-credentials'
import { MongoClient, MongoError } from 'mongodb'
import { connect, type NatsConnection } from 'nats'
import { type InstallationStore, isEmpty, readRecordLines, storeLines } from './records.ts'
import { readSealed, writeSealed } from './sealed-lines.ts'

export { partialEnd, SealedFileError } from './sealed-lines.ts'

export interface InstallationAddress {
  mongodb: string
  nats: NatsSettings
  namespace: string
}
export interface StoredLines {
  lines: number
}

/** The installation that is to be restored stores something already. */
export class NotEmptyError extends Error {}
/** A server cannot be used with these settings. */
export class ServerAccessError extends Error {
  readonly server: 'MongoDB' | 'NATS'
  constructor(server: 'MongoDB' | 'NATS', { message }: Error) {
    super(`${server} cannot be used (${message})`)
    this.server = server
  }
}

/** Has all rights in deploy/nats. */
const natsUser = 'operator'

async function connectNats(settings: NatsSettings): Promise<NatsConnection> {
  try {
    return await connect({ ...readCredentials(readNatsConfig(settings), natsUser), maxReconnectAttempts: 3 })
  } catch (error) {
    throw new ServerAccessError('NATS', error as Error)
  }
}

async function withStore<T>(
  { mongodb, nats, namespace }: InstallationAddress,
  work: (store: InstallationStore) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(mongodb, { serverSelectionTimeoutMS: 5000 })
  try {
    const connection = await connectNats(nats)
    try {
      return await work({ db: client.db(namespace), nats: connection, namespace })
    } finally {
      await connection.close()
    }
  } catch (error) {
    throw error instanceof MongoError ? new ServerAccessError('MongoDB', error) : error
  } finally {
    await client.close()
  }
}

/** Counts what passes; `tell` hears of it. */
async function* countLines(lines: AsyncIterable<string>, sum: StoredLines, tell: (lines: number) => void) {
  for await (const line of lines) {
    yield line
    tell(++sum.lines)
  }
}

/** Writes a backup to a new file, and an entry to the audit log of whoever operates the installation. */
export const writeInstallationBackup = (
  address: InstallationAddress,
  file: string,
  { passphrase, by, tell }: { passphrase: string; by: string; tell: (lines: number) => void },
): Promise<StoredLines> =>
  withStore(address, async (store) => {
    const sum = { lines: 0 }
    await writeSealed(file, countLines(readRecordLines(store), sum, tell), passphrase)
    const at = new Date()
    await store.db.collection<{ _id: string }>('audit').insertOne({
      _id: `${at.getTime().toString(36).padStart(9, '0')}${randomBytes(6).toString('hex')}`,
      at,
      ...{ service: 'command', operation: 'backUpInstallation', method: '', route: '', params: {} },
      ...{ subject: by, project: 'default', from: hostname(), request: '', status: 200, outcome: 'done' },
    } as { _id: string })
    return sum
  })

/**
 * Restores a backup.
 * @param options.withoutWork leaves out documents that make services continue unfinished work
 * @throws NotEmptyError, SealedFileError
 */
export const restoreInstallation = (
  address: InstallationAddress,
  file: string,
  options: { passphrase: string; withoutWork: boolean; tell: (lines: number) => void },
): Promise<StoredLines> =>
  withStore(address, async (store) => {
    if (!(await isEmpty(store))) throw new NotEmptyError(`${address.namespace} is not empty`)
    const sum = { lines: 0 }
    await storeLines(store, countLines(readSealed(file, options.passphrase), sum, options.tell), options)
    return sum
  })
