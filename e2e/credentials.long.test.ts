/**
 * The suite with what strangers are kept out by: a real nats-server with a user and its rights for each
 * service (deploy/nats/permissions.conf), TLS with client certificates to NATS, MongoDB, and over HTTP. A
 * benchmark is built and evaluated; nothing is refused that is needed, everything else is.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { readFileSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { serviceNames, subjects } from '@stateeval/contracts'
import {
  isLong,
  type Authority,
  type Certificate,
  makeAuthority,
  namespace as newNamespace,
  type NatsServer,
  natsServerBinary,
  patience,
  type Servers,
  startNatsServer,
  startServers,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import { connect, type NatsConnection, StringCodec } from 'nats'
import { runProgram } from './command.ts'
import { permissionsText } from '../scripts/nats-permissions.ts'

const password = 'a-password-of-the-test'
const namespace = newNamespace()
const passwords = Object.fromEntries(
  [...serviceNames, 'operator'].map((name) => [
    `NATS_${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`,
    password,
  ]),
)
let missing: string | undefined
let folder: string
let authority: Authority
let certificate: Certificate
let nats: NatsServer
let servers: Servers
let mongo: Server
let suite: Suite
const open: NatsConnection[] = []

beforeAll(async () => {
  missing = await natsServerBinary().then(
    () => undefined,
    (error: unknown) => `no nats-server, and none can be built: ${String(error)}`,
  )
  if (missing) return
  folder = await mkdtemp(join(tmpdir(), 'stateeval-credentials-'))
  authority = await makeAuthority(folder)
  certificate = await authority.issue('service')
  const config = join(folder, 'nats.conf')
  await writeFile(join(folder, 'permissions.conf'), permissionsText(namespace))
  await writeFile(
    config,
    `include "permissions.conf"
tls: { cert_file: "${certificate.certFile}", key_file: "${certificate.keyFile}", ca_file: "${authority.caFile}", verify: true }
`,
  )
  await mkdir(join(folder, 'data'))
  nats = await startNatsServer(config, join(folder, 'data'), passwords)
  servers = await startServers()
  // The embedded MongoDB server speaks no TLS itself.
  mongo = createServer(
    {
      ...{ cert: readFileSync(certificate.certFile), key: readFileSync(certificate.keyFile) },
      ...{ ca: readFileSync(authority.caFile), requestCert: true, rejectUnauthorized: true },
    },
    (near) => {
      const far = dial(Number(new URL(servers.mongoUri).port), '127.0.0.1')
      near.pipe(far).pipe(near)
      for (const socket of [near, far])
        socket.on('error', () => undefined).once('close', () => (near.destroy(), far.destroy()))
    },
  )
  await new Promise<void>((resolve) => mongo.listen(0, '127.0.0.1', resolve))
  const address = mongo.address()
  const mongoPort = typeof address === 'object' && address ? address.port : 0
  const options = new URLSearchParams({
    ...{ tls: 'true', tlsCAFile: authority.caFile, tlsCertificateKeyFile: certificate.bothFile },
  })
  suite = await startSuite({
    servers,
    env: {
      MONGODB_URI: `mongodb://127.0.0.1:${mongoPort}/?directConnection=true&${options.toString()}`,
      NATS_URL: `tls://localhost:${nats.port}`,
      NATS_PASSWORD: password,
      NATS_CA_FILE: authority.caFile,
      NATS_CERT_FILE: certificate.certFile,
      NATS_KEY_FILE: certificate.keyFile,
      STATEEVAL_TLS_CERT_FILE: certificate.certFile,
      STATEEVAL_TLS_KEY_FILE: certificate.keyFile,
      STATEEVAL_TLS_CLIENT_CA_FILE: authority.caFile,
      STATEEVAL_NAMESPACE: namespace,
    },
  })
})
afterAll(async () => {
  for (const connection of open) await connection.close()
  await suite?.stop()
  await new Promise((resolve) => (mongo ? mongo.close(resolve) : resolve(undefined)))
  await servers?.stop()
  await nats?.stop()
  if (folder) await rm(folder, { recursive: true })
})

/** A test where there is a nats-server. */
const secured = (name: string, run: () => Promise<void>) =>
  test(name, async () => {
    if (missing) return console.log(`skipped: ${missing}`)
    await run()
  })

interface Called {
  status: number
  text: string
  body: { id: string; status: string; error?: unknown; result?: { overall: { passed: number } } }
}
/** Over HTTPS; without a certificate of the caller's where `shown` is null. */
const call = (
  path: string,
  body?: object,
  clientCertificate: Certificate | null = certificate,
  base = suite.urls['evaluation'],
): Promise<Called> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${base}${path}`,
      {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json' },
        ca: readFileSync(authority.caFile),
        ...(clientCertificate && {
          cert: readFileSync(clientCertificate.certFile),
          key: readFileSync(clientCertificate.keyFile),
        }),
      },
      (response) => {
        let text = ''
        response.on('data', (part: Buffer) => (text += part.toString()))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            body: JSON.parse(text.startsWith('{') ? text : '{}') as Called['body'],
          }),
        )
      },
    )
    sent.once('error', reject)
    sent.end(body && JSON.stringify(body))
  })
const ended = async (path: string) =>
  until(async () => {
    const { body } = await call(path)
    return !['queued', 'running'].includes(body.status) && body
  })

secured('a benchmark is built and evaluated, and NATS refuses nothing of it', async () => {
  const before = nats.output.length
  await until(async () => (await call('/health/ready')).status === 200)
  const options = { scenario: 'session-service', strategy: 'coverage', programs: 3, keep: 2, seed: 3 }
  const { body: build } = await call('/v1/benchmarks', { build: options })
  expect(await ended(`/v1/benchmarks/${build.id}`)).toMatchObject({ status: 'succeeded' })
  const { body: begun } = await call('/v1/evaluations', { benchmark: build.id, model: 'reference' })
  expect(await ended(`/v1/evaluations/${begun.id}`)).toMatchObject({ status: 'succeeded' })
  // What happens reaches readers of events over NATS.
  const events = call(`/v1/evaluation-events?seconds=${Math.ceil(patience(3000) / 1000)}`)
  await call(`/v1/evaluations/${begun.id}/tags`, { add: ['tagged'] })
  expect((await events).text).toMatch(/event: evaluation\ndata: .*"tags":\["tagged"\]/)
  const { body: report } = await call(`/v1/evaluations/${begun.id}/report`)
  expect(report.result?.overall.passed).toBe(2)
  expect((await call('/v1/dead-letters')).status).toBe(200)
  for (const url of Object.values(suite.urls))
    expect((await call('/metrics', undefined, null, url)).status).toBe(200)
  // The coordinator says of all queues how long jobs wait.
  const { text: metrics } = await call('/metrics', undefined, null)
  for (const kind of Object.values(subjects))
    expect(metrics).toContain(`stateeval_queue_lag_seconds{kind="${kind.slice('jobs.'.length)}",`)
  const refusals = nats.output
    .slice(before)
    .split('\n')
    .filter((text) => text.includes('Violation'))
  expect(refusals).toEqual([])
})

secured('without a certificate of the authority nobody is served but those who ask for health', async () => {
  expect((await call('/health/live', undefined, null)).status).toBe(200)
  expect((await call('/v1/benchmarks', undefined, null)).status).toBe(401)
  const stranger = await (await makeAuthority(folder, 'stranger')).issue('service')
  expect((await call('/v1/benchmarks', undefined, stranger)).status).toBe(401)
  const options = { servers: `localhost:${nats.port}`, user: 'scoring', pass: password }
  const withCa = { caFile: authority.caFile }
  await expect(connect({ ...options, reconnect: false, timeout: 20_000, tls: withCa })).rejects.toThrow()
  await expect(
    connect({
      ...{ ...options, pass: 'another', reconnect: false, timeout: 20_000 },
      tls: { ...withCa, certFile: certificate.certFile, keyFile: certificate.keyFile },
    }),
  ).rejects.toThrow(/Authorization/i)
})

secured('commands show a certificate where one is named', async () => {
  const main = join(import.meta.dirname, '../apps/cli/src/main.ts')
  const run = (env: NodeJS.ProcessEnv, file: string, ...args: string[]) =>
    runProgram(file, args, {
      STATEEVAL_URL: suite.urls['evaluation'],
      NODE_EXTRA_CA_CERTS: authority.caFile,
      ...env,
    })
  const list = (env: NodeJS.ProcessEnv) => run(env, process.execPath, main, 'list', 'benchmarks')
  const STATEEVAL_CLIENT_CERT_FILE = certificate.certFile
  const shown = { STATEEVAL_CLIENT_CERT_FILE, STATEEVAL_CLIENT_KEY_FILE: certificate.keyFile }
  expect(await list(shown)).toMatchObject({ code: 0 })
  expect(await list({})).toMatchObject({ code: 2, text: expect.stringMatching(/client certificate/) })
  expect(await list({ STATEEVAL_CLIENT_CERT_FILE })).toMatchObject({
    code: 2,
    text: expect.stringMatching(/belong together/),
  })
  if (!isLong) return
  const test = join(import.meta.dirname, '../deploy/helm/stateeval/files/test.sh')
  expect(await run({ ...shown, STATEEVAL_CLI: main }, 'sh', test)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/100/),
  })
})

secured('an installation is backed up by a user with all rights, and by no other', async () => {
  const main = join(import.meta.dirname, '../apps/cli/src/main.ts')
  const { MONGODB_URI, NATS_URL, NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE } = suite.env
  const run = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    runProgram(process.execPath, [main, ...args, '--json'], {
      ...{ MONGODB_URI, NATS_URL, NATS_CA_FILE, NATS_CERT_FILE, NATS_KEY_FILE },
      ...{ STATEEVAL_NAMESPACE: namespace, STATEEVAL_BACKUP_PASSPHRASE: 'twenty characters at least' },
      ...{ STATEEVAL_HOME: folder, ...env },
    })
  const file = join(folder, 'installation.age')
  const letter = { id: 'a-job', payload: { inline: null } }
  const { bus } = suite.services['scoring']!.platform
  await bus.ready()
  await bus.publishDead(subjects.score, letter, { error: '', attempts: 3 })
  const made = await run({ NATS_PASSWORD: password }, 'backup-installation', '--out', file)
  expect(made).toMatchObject({ code: 0 })
  const { lines } = JSON.parse(made.text) as { lines: number }
  const STATEEVAL_NAMESPACE = newNamespace()
  const restored = await run({ NATS_PASSWORD: password, STATEEVAL_NAMESPACE }, 'restore-installation', file)
  expect(restored).toMatchObject({ code: 0 })
  expect(JSON.parse(restored.text)).toEqual({ drill: false, lines })
  const wrong = [
    [{}, /cannot be used \(.*Authorization.*\)\. Check NATS_URL/i],
    [{ NATS_PASSWORD: 'another' }, /cannot be used \(.*Authorization.*\)\. Check NATS_URL/i],
    [{ NATS_NKEY_FILE: join(folder, 'missing') }, /cannot be used \(.*\)\. Check NATS_URL/],
    [{ NATS_URL: 'nowhere' }, /cannot be used \(.*NATS_URL.*\)\. Check NATS_URL/s],
  ] as const
  // Each is a process.
  for (const [env, reason] of isLong ? wrong : wrong.slice(1, 2)) {
    const refused = await run(env, 'backup-installation', '--out', join(folder, 'refused.age'))
    expect([env, refused]).toEqual([env, { code: 2, text: expect.stringMatching(reason) }])
  }
})

secured('a service is refused what its work does not need', async () => {
  const as = async (user: string) => {
    const connection = await connect({
      ...{ servers: `localhost:${nats.port}`, user, pass: password, inboxPrefix: `_INBOX.${user}` },
      tls: { caFile: authority.caFile, certFile: certificate.certFile, keyFile: certificate.keyFile },
    })
    open.push(connection)
    return connection
  }
  const text = StringCodec()
  const publishing = async (user: string, subject: string) => {
    const connection = await as(user)
    return connection.request(subject, text.encode('{}'), { timeout: 60_000 }).then(
      () => 'taken',
      (error: { code?: string }) => error.code,
    )
  }
  const listening = async (user: string, subject: string) => {
    const connection = await as(user)
    const refused = new Promise<string>((resolve) =>
      connection.subscribe(subject, { callback: (error) => resolve(error?.code ?? 'heard') }),
    )
    await connection.flush()
    return refused
  }
  const jobs = `${namespace}-JOBS`
  for (const [user, subject] of [
    ['scoring', `${namespace}.jobs.execution.execute.x`],
    ['execution', `${namespace}.jobs.translation.translate.x`],
    ['execution', `${namespace}.dead.scoring.score.x`],
    ['trace-generation', `$JS.API.CONSUMER.MSG.NEXT.${jobs}.execution-execute`],
    ['scoring', `$JS.API.CONSUMER.CREATE.${jobs}.spy.${namespace}.jobs.>`],
    ['scoring', `$JS.API.STREAM.MSG.GET.${jobs}`],
    ['translation', `$JS.API.STREAM.DELETE.${jobs}`],
    ['evaluation', `$JS.API.STREAM.PURGE.${jobs}`],
    ['execution', `$JS.API.STREAM.MSG.DELETE.${namespace}-DEAD`],
    ['execution', '$SYS.REQ.SERVER.PING'],
    ['execution', 'another-installation.jobs.execution.execute.x'],
  ] as const)
    expect([user, subject, await publishing(user, subject)]).toEqual([user, subject, 'PERMISSIONS_VIOLATION'])
  for (const [user, subject] of [
    ['execution', `${namespace}.jobs.>`],
    ['execution', '_INBOX.evaluation.>'],
    ['scoring', '>'],
    ['scoring', `${namespace}.ask.execution.worlds`],
  ] as const)
    expect([user, subject, await listening(user, subject)]).toEqual([user, subject, 'PERMISSIONS_VIOLATION'])
})
