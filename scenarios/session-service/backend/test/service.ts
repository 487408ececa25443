/**
 * The session service on a real MongoDB-compatible server, for tests: listens on a free port, with a database
 * of its own.
 */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from '@jest/globals'
import { type Servers, startServers } from '@stateeval/testkit'
import { MongoClient } from 'mongodb'
import { createApp, type SessionServiceParts } from '../app.ts'
import { createIds } from '../ids.ts'

export interface TestDatabase {
  client: MongoClient
  servers: Servers
  stop(): Promise<void>
}

export async function startDatabase(): Promise<TestDatabase> {
  const servers = await startServers()
  const client = await new MongoClient(servers.mongoUri).connect()
  return {
    client,
    servers,
    async stop() {
      await client.close()
      await servers.stop()
    },
  }
}

/** A service with an empty database; `stop` drops it. */
export async function startService({ client }: TestDatabase, parts: Partial<SessionServiceParts> = {}) {
  const db = client.db(`test_${randomBytes(6).toString('hex')}`)
  const app = createApp({ db, newId: createIds(randomBytes(16), 'added'), now: () => new Date(), ...parts })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    db,
    port,
    async stop() {
      await app.close()
      await db.dropDatabase()
    },
  }
}

/** One service for all tests of a file: started before them, stopped after. */
export function serviceOfTests(parts: Partial<SessionServiceParts> = {}): { readonly port: number } {
  let database: TestDatabase
  let service: Awaited<ReturnType<typeof startService>>
  beforeAll(async () => {
    database = await startDatabase()
    service = await startService(database, parts)
  })
  afterAll(async () => {
    await service?.stop()
    await database?.stop()
  })
  return {
    get port() {
      return service.port
    },
  }
}
