/** `down --purge` on servers that others use too: only what bears the namespace goes. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startServers, type Servers } from '@stateeval/testkit'
import { MongoClient } from 'mongodb'
import { connect } from 'nats'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.stop())

test('databases and streams of another namespace stay', async () => {
  const client = new MongoClient(servers.mongoUri)
  const connection = await connect({ servers: servers.natsUrl })
  try {
    const ours = ['purge-a', 'purge-a_sessions', 'purge-a_sessions_1']
    const others = ['purge-a-b', 'purge-a-sessions', 'purge-a_sessions_old', 'purge-ab']
    for (const name of [...ours, ...others]) await client.db(name).collection('c').insertOne({ n: 1 })
    const manager = await connection.jetstreamManager()
    for (const name of ['purge-a-JOBS', 'purge-ab-JOBS'])
      await manager.streams.add({ name, subjects: [`${name}.*`] })
    await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, '../packages/local-servers/src/purge.ts'), 'purge-a'],
      {
        env: { ...process.env, ...servers.env },
      },
    )
    const left = (await client.db('admin').admin().listDatabases()).databases.map(({ name }) => name)
    expect(left.filter((name) => name.startsWith('purge-')).sort()).toEqual(others)
    expect((await manager.streams.names().next()).sort()).toContain('purge-ab-JOBS')
    await expect(manager.streams.info('purge-a-JOBS')).rejects.toThrow(/not found/)
  } finally {
    await client.close()
    await connection.close()
  }
})
