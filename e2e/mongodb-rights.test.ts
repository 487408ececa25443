/**
 * Every command that services send to MongoDB is granted by the roles of deploy/mongodb/users.js, and no role
 * grants what nobody needs. No MongoDB with users is among the tests, so commands are recorded, and the
 * actions that each needs are those of its manual. Part of the long tests.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { evaluationOperations, serviceNames } from '@stateeval/contracts'
import { writeInstallationBackup } from '@stateeval/local-servers/installation'
import { isLong, startServers, type Servers, startSuite, type Suite, until } from '@stateeval/testkit'
import { type CommandStartedEvent, MongoClient } from 'mongodb'

const whenLong = isLong ? test : test.skip

/** https://www.mongodb.com/docs/manual/reference/privilege-actions/; an insert may make its collection. */
const actionsOf: Readonly<Record<string, readonly string[]>> = {
  find: ['find'],
  aggregate: ['find'],
  count: ['find'],
  distinct: ['find'],
  insert: ['insert', 'createCollection'],
  update: ['update'],
  delete: ['remove'],
  findAndModify: ['find', 'update'],
  create: ['createCollection'],
  createIndexes: ['createIndex'],
  drop: ['dropCollection'],
  dropDatabase: ['dropDatabase'],
  listCollections: ['listCollections'],
  listIndexes: ['listIndexes'],
  collStats: ['collStats'],
  // Of a cursor that is the user's own, of the connection, of the driver's sessions.
  ...Object.fromEntries(
    ['getMore', 'killCursors', 'ping', 'hello', 'endSessions', 'abortTransaction'].map((name) => [name, []]),
  ),
}

const users = [...serviceNames, 'backup'] as const
interface Sent {
  user: string
  database: string
  collection: string
  command: string
  actions: readonly string[]
}
const sent: Sent[] = []
// eslint-disable-next-line @typescript-eslint/unbound-method -- called on the client that it was called on
const { emit } = MongoClient.prototype
/** Listens to all clients of this process, also to those that worlds open. */
function record(this: MongoClient, ...args: Parameters<typeof emit>): boolean {
  const [name, event] = args as [string, CommandStartedEvent]
  if (name === 'commandStarted') {
    const { commandName, command, databaseName } = event
    const named = command[commandName] as unknown
    const isUpsert =
      command['upsert'] === true ||
      (command['updates'] as { upsert?: boolean }[] | undefined)?.some(({ upsert }) => upsert)
    const actions = actionsOf[commandName] ?? [`unknown: ${commandName}`]
    sent.push({
      user: users.find((user) => user === this.options.appName) ?? 'sessions',
      database: databaseName,
      collection: typeof named === 'string' ? named : '',
      command: commandName,
      actions: isUpsert ? [...actions, 'insert', 'createCollection'] : actions,
    })
  }
  return Reflect.apply(emit, this, args) as boolean
}

interface Privilege {
  /** All where they are empty. */
  resource: { db: string; collection: string }
  actions: string[]
}
interface CreatedRole {
  role: string
  privileges: Privilege[]
}

/** Privileges by user. */
function granted(namespace: string): Map<string, Privilege[]> {
  const script = readFileSync(join(import.meta.dirname, '../deploy/mongodb/users.js'), 'utf8')
  const rights = new Map<string, Privilege[]>()
  const admin = {
    getUser: () => null,
    getRole: () => null,
    createUser: () => undefined,
    createRole: ({ role, privileges }: CreatedRole) =>
      rights.set(role.slice(namespace.length + 1), privileges),
  }
  for (const sessions of [false, true]) {
    const passwords = [...users, 'sessions'].map((name) => [
      `${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`,
      'x',
    ])
    const env = {
      ...(Object.fromEntries(passwords) as object),
      STATEEVAL_NAMESPACE: namespace,
      ...(sessions && { SESSIONS: '1' }),
    }
    runInNewContext(script, {
      process: { env },
      db: { getSiblingDB: () => admin },
      print: () => undefined,
    })
  }
  return rights
}

const adminKey = 'an-admin-key-that-is-long-enough-for-a-test'
let servers: Servers
let suite: Suite
beforeAll(async () => {
  if (whenLong === test.skip) return
  MongoClient.prototype.emit = record as typeof emit
  servers = await startServers()
  const uri = `${servers.mongoUri}/?monitorCommands=true`
  suite = await startSuite({
    servers,
    env: { MONGODB_URI: uri, SESSIONS_MONGODB_URI: uri, STATEEVAL_ADMIN_KEY: adminKey },
  })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
})
afterAll(async () => {
  MongoClient.prototype.emit = emit
  await suite?.stop()
  await servers?.stop()
})

async function send<T>(key: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${suite.urls['evaluation']}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect([method, path, response.ok ? '' : text]).toEqual([method, path, ''])
  return (/^[{[]/.test(text) ? JSON.parse(text) : {}) as T
}
async function ended(key: string, path: string, body: object): Promise<string> {
  const { id } = await send<{ id: string }>(key, 'POST', path, body)
  await until(async () => {
    const { status } = await send<{ status: string }>(key, 'GET', `${path}/${id}`)
    return !/queued|running/.test(status)
  })
  return id
}

whenLong('roles grant what services send to MongoDB, and nothing more', async () => {
  await send(adminKey, 'POST', '/v1/projects', { id: 'acme' })
  const body = { name: 'a', project: 'acme', scopes: ['admin'] }
  const { key, id: keyId } = await send<{ key: string; id: string }>(adminKey, 'POST', '/v1/keys', body)
  for (const caller of [adminKey, key]) {
    const { example: folder } = evaluationOperations.importBenchmark
    const set = await send<{ id: string }>(caller, 'POST', '/v1/benchmarks/import', folder)
    await ended(caller, '/v1/evaluations', { benchmark: set.id, model: 'reference' })
    const build = { scenario: 'session-service', strategy: 'coverage', programs: 2, keep: 1, seed: 3 }
    const benchmark = await ended(caller, '/v1/benchmarks', { build })
    const evaluation = await ended(caller, '/v1/evaluations', { benchmark, model: 'reference' })
    await send(caller, 'GET', `/v1/evaluations/${evaluation}/report`)
    await send(caller, 'DELETE', `/v1/evaluations/${evaluation}`)
    await send(caller, 'DELETE', `/v1/benchmarks/${benchmark}`)
    await send(caller, 'GET', '/v1/audit')
    await send(caller, 'GET', `/v1/projects/${caller === key ? 'acme' : 'default'}/usage`)
  }
  const { items } = await send<{ items: { name: string }[] }>(adminKey, 'GET', '/v1/projects/acme/backup')
  for (const { name } of items) await send(adminKey, 'GET', `/v1/projects/acme/backup/${name}`)
  const address = {
    mongodb: `${servers.mongoUri}/?monitorCommands=true&appName=backup`,
    nats: { NATS_URL: servers.natsUrl },
    namespace: suite.env['STATEEVAL_NAMESPACE']!,
  }
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-rights-'))
  try {
    const options = { passphrase: 'twenty characters at least', by: 'test', tell: () => undefined }
    expect(
      (await writeInstallationBackup(address, join(folder, 'backup.age'), options)).lines,
    ).toBeGreaterThan(9)
  } finally {
    await rm(folder, { recursive: true })
  }
  await send(adminKey, 'DELETE', `/v1/keys/${keyId}`)
  await send(adminKey, 'DELETE', '/v1/projects/acme')
  await until(() => sent.some(({ command }) => command === 'drop'))
  // Sweeps have looked at everything meanwhile; worlds that were kept warm are closed.
  const namespace = suite.env['STATEEVAL_NAMESPACE']!
  await suite.stop()

  const rights = granted(namespace)
  const missing = sent.flatMap(({ user, database, collection, command, actions }) => {
    const holds = ({ resource }: Privilege) =>
      [database, ''].includes(resource.db) && [collection, ''].includes(resource.collection)
    const allowed = rights.get(user)!.filter(holds)
    const lacking = actions.filter((action) => !allowed.some((one) => one.actions.includes(action)))
    return lacking.length > 0 ? [`${user}: ${command} on ${database}.${collection} (${lacking.join()})`] : []
  })
  expect([...new Set(missing)]).toEqual([])
  const used = (user: string) =>
    new Set(sent.filter((one) => one.user === user).flatMap(({ actions }) => actions))
  for (const user of ['evaluation', 'execution', 'sessions']) expect(used(user).size).toBeGreaterThan(3)
  expect([...used('backup')].sort()).toEqual(['createCollection', 'find', 'insert', 'listCollections'])
  // What was never needed is granted to nobody.
  const needed = new Set(sent.flatMap(({ actions }) => actions))
  const spare = new Set(
    [...rights.values()]
      .flat()
      .flatMap(({ actions }) => actions)
      .filter((action) => !needed.has(action)),
  )
  expect([...spare].sort()).toEqual([])
})
