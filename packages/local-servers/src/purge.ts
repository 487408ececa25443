/**
 * Removes what one namespace stored on servers that others may use too: its databases where MONGODB_URI (and
 * SESSIONS_MONGODB_URI) are set, its streams where NATS_URL is. Usage: node purge.ts NAMESPACE
 */
import { MongoClient } from 'mongodb'
import { connect } from 'nats'

const [namespace] = process.argv.slice(2)
if (!namespace || !/^[a-z0-9-]{1,40}$/.test(namespace)) {
  console.error('usage: purge.ts NAMESPACE, of small letters, digits and hyphens')
  process.exit(2)
}
/** Another namespace may begin with this one, so only what the services add to it counts. */
const streams = ['JOBS', 'EVENTS', 'DEAD'].map((name) => `${namespace}-${name}`)
const isOurs = (database: string) =>
  database === namespace ||
  // Databases of the session service. No namespace contains an underscore.
  (database.startsWith(`${namespace}_sessions`) &&
    /^(_\d+)?$/.test(database.slice(`${namespace}_sessions`.length)))

for (const uri of new Set([process.env.MONGODB_URI, process.env.SESSIONS_MONGODB_URI])) {
  if (!uri) continue
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 })
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true })
    for (const { name } of databases.filter(({ name }) => isOurs(name))) {
      await client.db(name).dropDatabase()
      console.log(`dropped database ${name}`)
    }
  } finally {
    await client.close()
  }
}

if (process.env.NATS_URL) {
  const connection = await connect({ servers: process.env.NATS_URL.split(','), maxReconnectAttempts: 3 })
  try {
    const manager = await connection.jetstreamManager()
    for (const name of streams) {
      const there = await manager.streams.delete(name).catch((error: { api_error?: { code?: number } }) => {
        if (error.api_error?.code === 404) return false
        throw error
      })
      if (there) console.log(`removed stream ${name}`)
    }
  } finally {
    await connection.close()
  }
}
