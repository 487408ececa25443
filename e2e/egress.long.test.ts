/**
 * All services are traced while they build sets and evaluate a model: they connect to nothing but what
 * docs/security.md lists, which is all on this machine here, and write no files but where they may. Needs
 * strace.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { serviceNames } from '@stateeval/contracts'
import {
  namespace,
  type ScriptedModel,
  type Servers,
  type ServiceProcess,
  startProcess,
  startScriptedModel,
  startServers,
} from '@stateeval/testkit'
import { callerAt, solver } from '../services/evaluation/test/over-http.ts'

const strace = (file: string) => [
  // The service stays the direct child; processes in jails are traced, too.
  ...['strace', '-D', '-f', '-qq', '--seccomp-bpf', '-e', 'signal=none'],
  ...['-e', 'trace=connect,sendto,sendmsg,openat,creat', '-s', '256', '-o', file],
]
function lackingTracer(): string | undefined {
  try {
    execFileSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=connect', 'true'], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}
const missing = lackingTracer()
if (missing !== undefined) console.info(`skipped: strace does not work here: ${missing}`)
const whenTraced = missing === undefined ? test : test.skip

let folder: string
let servers: Servers
let model: ScriptedModel
let solve: ReturnType<typeof solver> | undefined
const services: ServiceProcess[] = []
const traceOf = (service: string) => join(folder, `${service}.trace`)

beforeAll(async () => {
  if (missing !== undefined) return
  folder = await mkdtemp(join(tmpdir(), 'stateeval-egress-'))
  // Jails read the sandbox's files as nobody.
  await chmod(folder, 0o755)
  for (const name of ['home', 'tmp']) await mkdir(join(folder, name))
  servers = await startServers()
  model = await startScriptedModel((request) => solve!(request))
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    STATEEVAL_MAX_LAG_MS: '0',
    LOG_LEVEL: 'warn',
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    // What would turn a library's telemetry off by itself.
    ...{ CI: undefined, ORT_DISABLE_TELEMETRY: undefined, XDG_CACHE_HOME: undefined },
  }
  for (const name of serviceNames)
    services.push(await startProcess(name, env, undefined, undefined, strace(traceOf(name))))
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()))
  await model?.close()
  await servers?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Lines of a trace that name an address of another machine. */
const elsewhere = (trace: string): string[] =>
  trace.split('\n').filter((line) => {
    const address = /(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/.exec(line)?.[1]
    return address !== undefined && !/^(?:::ffff:)?127\.|^::1?$|^0\.0\.0\.0$/.test(address)
  })

/** A jail has a root of its own, with a /tmp. */
const allowed = ['/tmp/', '/dev/', '/proc/', '/sys/fs/cgroup/', '/newroot/']

/** Files outside of the temporary folder that a trace has made. */
const strayFiles = (trace: string): string[] =>
  trace.split('\n').flatMap((line) => {
    if (!/O_CREAT|creat\(/.test(line) || line.includes(' = -1 E')) return []
    const path = /"(\/[^"]*)"/.exec(line)?.[1]
    const isStray =
      path !== undefined && ![...allowed, `${folder}/`].some((prefix) => path.startsWith(prefix))
    return isStray ? [path] : []
  })

whenTraced('services connect to nothing and write nothing that is not declared', async () => {
  const caller = callerAt(() => services[serviceNames.indexOf('evaluation')]!.url)
  const build = { strategy: 'random', programs: 2, keep: 1, length: 3, seed: 1 }
  const set = await caller.buildSet({
    ...build,
    scenario: 'session-service',
    languages: ['javascript', 'python'],
  })
  // ONNX Runtime computes these.
  const tensors = await caller.buildSet({ ...build, scenario: 'tensor-operation', languages: ['javascript'] })
  expect([set.error, tensors.error]).toEqual([undefined, undefined])
  solve = solver(await caller.cases(set.id))
  await caller.model('solver', { baseUrl: model.baseUrl, model: 's' })
  const { id } = await caller.begin({ benchmark: set.id, model: 'solver', fresh: true })
  expect((await caller.ended(id)).status).toBe('succeeded')
  const { id: tensorRun } = await caller.begin({ benchmark: tensors.id, model: 'reference' })
  expect((await caller.ended(tensorRun)).status).toBe('succeeded')
  for (const service of services) await service.stop()
  services.length = 0

  let connections = 0
  for (const name of serviceNames) {
    const trace = await readFile(traceOf(name), 'utf8')
    connections += trace.split('connect(').length - 1
    expect([name, elsewhere(trace)]).toEqual([name, []])
    expect([name, strayFiles(trace)]).toEqual([name, []])
  }
  // The trace saw something at all: two servers for each service, and the model.
  expect(connections).toBeGreaterThan(2 * serviceNames.length)
  expect(await readdir(join(folder, 'home'))).toEqual([])
})

test('the patterns find what they look for', () => {
  expect(
    elsewhere(
      `1 connect(20, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("20.42.1.2")}, 16) = -1 EINPROGRESS
2 connect(20, {sa_family=AF_INET, sin_port=htons(4222), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
3 connect(21, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2603:1030::1", &sin6_addr)}, 28) = 0
4 connect(21, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0`,
    ).map((line) => line[0]),
  ).toEqual(['1', '3'])
  expect(
    strayFiles(
      `1 openat(AT_FDCWD, "/root/.cache/x.db", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 21
2 openat(AT_FDCWD, "/root/.cache/x.db", O_RDONLY|O_CLOEXEC) = 21
3 openat(AT_FDCWD, "/tmp/x", O_RDWR|O_CREAT, 0600) = 22
4 openat(AT_FDCWD, "/etc/x", O_RDWR|O_CREAT, 0600) = -1 EACCES (Permission denied)`,
    ),
  ).toEqual(['/root/.cache/x.db'])
})
