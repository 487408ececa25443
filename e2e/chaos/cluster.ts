/**
 * NATS and MongoDB as processes of their own, and several replicas of each service, each behind two TCP
 * proxies: everything that a fault needs a hand on.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServiceName, serviceNames } from '@stateeval/contracts'
import {
  namespace as newNamespace,
  type ServerKind,
  type ServerProcess,
  serverProcess,
  type ServiceProcess,
  type SmallDisk,
  startProcess,
  startSmallDisk,
  startTcpProxy,
  type TcpProxy,
} from '@stateeval/testkit'

const testkit = (file: string) =>
  pathToFileURL(join(import.meta.dirname, '../../packages/testkit/src', file)).href
const kinds: readonly ServerKind[] = ['mongodb', 'nats']
const diskMiB = 768

export interface Replica {
  service: ServiceName
  number: number
  process: ServiceProcess
  links: Record<ServerKind, TcpProxy>
  /** Lets its wall clock jump to so many milliseconds from the true time. */
  setClock(offsetMs: number): Promise<void>
  /** So far. */
  clockMs: number
}

export interface Cluster {
  namespace: string
  natsUrl: string
  servers: Record<ServerKind, ServerProcess>
  /** null where this system mounts none. */
  disks: Record<ServerKind, SmallDisk | null>
  replicas: Replica[]
  replica(of: { service: ServiceName; replica: number }): Replica
  /** Where the replicas of a service listen. */
  urls(service: ServiceName): string[]
  /** Resolves when all replicas are ready. */
  stop(): Promise<void>
}
interface ClusterOptions {
  replicas: number
  /** Base URL of the live API of dialogues. */
  facts: string
  /** Whether the servers' disks are small ones. */
  smallDisks: boolean
  env?: Record<string, string>
  /** What services log. */
  onLog?: (replica: string, text: string) => void
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-chaos-'))
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of undo.reverse()) await end()
  }
  try {
    return await startIn(folder, options, undo, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function startIn(
  folder: string,
  { replicas: count, facts, smallDisks, env = {}, onLog = () => {} }: ClusterOptions,
  undo: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Cluster> {
  const servers = {} as Record<ServerKind, ServerProcess>
  const disks: Cluster['disks'] = { mongodb: null, nats: null }
  for (const kind of kinds) {
    const data = join(folder, kind)
    await mkdir(data)
    if (smallDisks)
      disks[kind] = await startSmallDisk(data, diskMiB, (reason) => console.log(`no small disk: ${reason}`))
    const disk = disks[kind]
    if (disk) undo.push(() => disk.close())
    const server = await serverProcess(kind, { data, ...(disk && { within: disk.within }) })
    undo.push(() => server.end())
    await server.start()
    servers[kind] = server
  }
  const apis = join(folder, 'apis.json')
  await writeFile(apis, JSON.stringify({ facts: { baseUrl: facts } }))
  const namespace = newNamespace()
  const imports = [testkit('jumping-clock.ts'), testkit('dialogue/register.ts')]
  const replicas: Replica[] = []
  const start = async (service: ServiceName, number: number) => {
    const links = {} as Record<ServerKind, TcpProxy>
    for (const kind of kinds) {
      const proxy = await startTcpProxy(() => ({ host: '127.0.0.1', port: servers[kind].port }))
      undo.push(() => proxy.close())
      links[kind] = proxy
    }
    const clock = join(folder, `${service}-${number}.clock`)
    const isKnowing = service === 'evaluation' || service === 'scoring'
    const process = await startProcess(
      service,
      {
        MONGODB_URI: `mongodb://127.0.0.1:${links.mongodb.port}/?directConnection=true`,
        NATS_URL: `nats://127.0.0.1:${links.nats.port}`,
        STATEEVAL_NAMESPACE: namespace,
        STATEEVAL_MODEL_NETWORKS: 'loopback',
        STATEEVAL_GRACE_SECONDS: '5',
        STATEEVAL_TEST_CLOCK: clock,
        LOG_LEVEL: 'warn',
        NODE_OPTIONS: (isKnowing ? imports : imports.slice(0, 1)).map((url) => `--import=${url}`).join(' '),
        ...(service === 'evaluation' && { STATEEVAL_LIVE_APIS_FILE: apis }),
        ...env,
      },
      (text) => onLog(`${service}-${number}`, text),
    )
    undo.push(() => process.kill())
    const replica: Replica = {
      ...{ service, number, process, links, clockMs: 0 },
      async setClock(offsetMs) {
        replica.clockMs = offsetMs
        await writeFile(clock, String(offsetMs))
      },
    }
    replicas.push(replica)
  }
  const instances = Array.from({ length: count }, (_, number) =>
    serviceNames.map((name) => [name, number] as const),
  )
  await Promise.all(instances.flat().map(([name, number]) => start(name, number)))
  return {
    namespace,
    natsUrl: `nats://127.0.0.1:${servers.nats.port}`,
    servers,
    disks,
    replicas,
    replica: ({ service, replica }) =>
      replicas.find((one) => one.service === service && one.number === replica)!,
    urls: (service) => replicas.filter((one) => one.service === service).map(({ process }) => process.url),
    stop,
  }
}
