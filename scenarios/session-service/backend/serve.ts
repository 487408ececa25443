/** The session service on its own: a listening server with a database. */
import { randomBytes } from 'node:crypto'
import { createLog, keepConnected } from '@stateeval/service-kit'
import { MongoClient } from 'mongodb'
import { createApp } from './app.ts'
import type { SessionServiceConfig } from './config.ts'
import { createClockIds } from './ids.ts'
import { info } from './openapi-info.ts'

interface RunningSessionService {
  url: string
  stop(): Promise<void>
}

/**
 * Resolves when it listens; a database that is away makes requests 503, it never keeps the service from
 * starting.
 */
export async function serveSessions({
  http,
  log,
  mongo,
}: SessionServiceConfig): Promise<RunningSessionService> {
  const client = new MongoClient(mongo.uri, {
    serverSelectionTimeoutMS: 2000,
    connectTimeoutMS: 2000,
    appName: 'session-service',
  })
  const disconnect = keepConnected(client)
  const now = () => new Date()
  const app = createApp({
    db: client.db(mongo.database),
    newId: createClockIds(randomBytes(5), now),
    now,
    log: createLog('session-service', { level: log.level }),
    version: info.info.version,
  })
  const url = await app.listen({ host: http.host, port: http.port })
  return {
    url,
    async stop() {
      await app.close()
      await disconnect()
    },
  }
}
