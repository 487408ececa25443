/**
 * Services show a real nats-server who they are by an NKey, or by the JWT of an operator's account; others
 * are refused.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { subjects } from '@stateeval/contracts'
import { namespace, type NatsServer, natsServerBinary, startNatsServer, until } from '@stateeval/testkit'
import { connect, nkeyAuthenticator, nkeys } from 'nats'
import { permissionsText } from '../../../scripts/nats-permissions.ts'
import { readNatsConfig } from '../src/bus/credentials.ts'
import { type MessageBus, createLog, runInProject, openBus } from '../src/index.ts'

type Pair = ReturnType<typeof nkeys.createUser>
let missing: string | undefined
let folder: string
let nats: NatsServer | undefined
const buses: MessageBus[] = []

beforeAll(async () => {
  missing = await natsServerBinary().then(
    () => undefined,
    (error: unknown) => `no nats-server, and none can be built: ${String(error)}`,
  )
  folder = await mkdtemp(join(tmpdir(), 'stateeval-nats-'))
})
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()))
  await nats?.stop()
  nats = undefined
})
afterAll(() => rm(folder, { recursive: true }))

const onServer = (name: string, run: () => Promise<void>) =>
  test(name, async () => (missing ? console.log(`skipped: ${missing}`) : run()))

async function start(name: string, config: string, env: Record<string, string> = {}): Promise<NatsServer> {
  const file = join(folder, `${name}.conf`)
  await writeFile(file, config)
  await mkdir(join(folder, name))
  return (nats = await startNatsServer(file, join(folder, name), env))
}
const seedOf = (pair: Pair) => Buffer.from(pair.getSeed()).toString()
async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}
function busOf(
  ns: string,
  service: string,
  credentials: { NATS_NKEY_FILE?: string; NATS_CREDENTIALS_FILE?: string },
): MessageBus {
  const bus = openBus({
    nats: readNatsConfig({ NATS_URL: `nats://127.0.0.1:${nats!.port}`, ...credentials }),
    namespace: ns,
    name: service,
    log: createLog(service, { level: 'silent' }),
  })
  buses.push(bus)
  return bus
}
/** A job goes from one service to the other. */
async function works(from: MessageBus, to: MessageBus): Promise<void> {
  await Promise.all([from.ready(), to.ready()])
  const ids: string[] = []
  const consuming = to.consume(subjects.score, { concurrency: 1 }, async (delivery) => {
    ids.push(delivery.message?.id ?? '')
    delivery.ack()
  })
  await from.publishJob(subjects.score, { id: 'one', payload: { inline: null } })
  await until(() => ids.length > 0)
  expect(ids).toEqual(['one'])
  await consuming.stop()
  await consuming.finished
}

onServer('by an NKey, with the rights that the work needs', async () => {
  const ns = namespace()
  const users = ['trace-generation', 'translation', 'execution', 'scoring', 'evaluation', 'operator']
  const pairs = Object.fromEntries(users.map((user) => [user, nkeys.createUser()]))
  const env = Object.fromEntries(
    users.map((user) => [`NATS_${user.toUpperCase().replace('-', '_')}_NKEY`, pairs[user]!.getPublicKey()]),
  )
  const server = await start('nkeys', permissionsText(ns, 'nkey'), env)
  const busAs = async (user: string, pair = pairs[user]!) =>
    busOf(ns, user, { NATS_NKEY_FILE: await fileOf(`${user}.nk`, `${seedOf(pair)}\n`) })
  const [evaluation, scoring] = [await busAs('evaluation'), await busAs('scoring')]
  await works(evaluation, scoring)
  await runInProject('deleted', () => evaluation.forgetEvents())
  expect(server.output).not.toMatch(/Violation/)
  await expect(scoring.publishJob(subjects.execute, { id: 'x', payload: { inline: null } })).rejects.toThrow()
  await until(() => server.output.includes('Publish Violation'))
  // An operator adds to a stream, such as replicas: every service starts again nevertheless.
  const seed = pairs['operator']!.getSeed()
  const operator = await connect({
    servers: `127.0.0.1:${server.port}`,
    authenticator: nkeyAuthenticator(seed),
  })
  const { streams } = await operator.jetstreamManager()
  await streams.update(`${ns}-JOBS`, { max_bytes: 2 ** 30 })
  for (const user of ['scoring', 'evaluation']) {
    const again = await busAs(user)
    await again.ready(AbortSignal.timeout(15_000))
    expect([user, again.connected]).toEqual([user, true])
  }
  expect((await streams.info(`${ns}-JOBS`)).config.max_bytes).toBe(2 ** 30)
  await operator.close()
  // Who may not read jobs that wait knows how many they are.
  await evaluation.publishJob(subjects.score, { id: 'two', payload: { inline: null } })
  expect(await scoring.queue(subjects.score)).toMatchObject({ waiting: 1, inFlight: 0, lagMs: null })
  expect(await evaluation.queue(subjects.score)).toMatchObject({ waiting: 1, lagMs: expect.any(Number) })
  expect(server.output).not.toMatch(/Publish Violation.*MSG.GET/)
  const stranger = await busAs('scoring', nkeys.createUser())
  await until(() => /[Aa]uthentication error/.test(server.output))
  expect(stranger.connected).toBe(false)
})

/**
 * A claim as nats-server reads it:
 * https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt
 */
function jwt(by: Pair, about: Pair, type: 'operator' | 'account' | 'user', claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = {
    jti: Buffer.from(about.getPublicKey()).toString('hex'),
    iat: 1_700_000_000,
    ...{ iss: by.getPublicKey(), sub: about.getPublicKey(), name: type },
    nats: { ...claims, type, version: 2 },
  }
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(body)}`
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`
}
const credsText = (token: string, pair: Pair) => `-----BEGIN NATS USER JWT-----
${token}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seedOf(pair)}
------END USER NKEY SEED------
`

onServer('by the JWT of an account (.creds)', async () => {
  const ns = namespace()
  const operator = nkeys.createOperator()
  const [system, account, user] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()]
  const unlimited = {
    subs: -1,
    data: -1,
    payload: -1,
    imports: -1,
    exports: -1,
    conn: -1,
    leaf: -1,
    wildcards: true,
  }
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const accountJwt = jwt(operator, account, 'account', { limits: { ...unlimited, ...storage } })
  const systemJwt = jwt(operator, system, 'account', { limits: unlimited })
  const server = await start(
    'creds',
    `operator: ${jwt(operator, operator, 'operator', { system_account: system.getPublicKey() })}
resolver: MEMORY
resolver_preload: {
  ${account.getPublicKey()}: ${accountJwt}
  ${system.getPublicKey()}: ${systemJwt}
}
`,
  )
  const permissions = { subs: -1, data: -1, payload: -1 }
  const token = jwt(account, user, 'user', permissions)
  const NATS_CREDENTIALS_FILE = await fileOf('services.creds', credsText(token, user))
  await works(
    busOf(ns, 'evaluation', { NATS_CREDENTIALS_FILE }),
    busOf(ns, 'scoring', { NATS_CREDENTIALS_FILE }),
  )
  // Signed by an account that the operator doesn't know.
  const forged = jwt(nkeys.createAccount(), user, 'user', permissions)
  const stranger = busOf(ns, 'scoring', {
    NATS_CREDENTIALS_FILE: await fileOf('forged.creds', credsText(forged, user)),
  })
  await until(() => /[Aa]uthentication error/.test(server.output))
  expect(stranger.connected).toBe(false)
})
