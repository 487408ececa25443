/**
 * A real API server accepts what the chart and the overlays give, with every option: by a server-side dry
 * run, and by installing, changing and removing a release. Its own admission of the restricted Pod Security
 * standard judges each pod. Runs with STATEEVAL_LONG=1 where the server, its etcd, helm and kubectl are.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parseAllDocuments, stringify } from 'yaml'
import { root } from './generated.ts'
import { type Manifest, overlays, render } from './kubernetes.ts'
import { type ControlPlane, runTool, startControlPlane } from './kubernetes/control-plane.ts'
import { definitions, missing, toolPath } from './kubernetes/tools.ts'

const reason =
  process.env['STATEEVAL_LONG'] === undefined
    ? 'scripts/test --long does it.'
    : missing('helm', 'kubectl', 'etcd', 'kube-apiserver')
if (reason !== null) console.info(`skipped: no API server is asked about the chart: ${reason}`)
const onServer = reason === null ? test : test.skip

const helm = toolPath('helm')!
const chart = join(root, 'deploy/helm/stateeval')
const serverValues = (key: string) => ({ trial: false, urlSecret: { name: 'stateeval-servers', key } })
const ownServers = {
  mongodb: { ...serverValues('mongodb'), port: 27018, peers: [{ ipBlock: { cidr: '10.20.0.0/24' } }] },
  sessions: serverValues('sessions'),
  nats: { ...serverValues('nats'), monitoring: 'nats.nats.svc:8222' },
}
const execution = (values: object) => ({ services: { execution: values } })

/** Values that use each option of the chart at least once. */
const options: Record<string, object> = {
  defaults: {},
  'KEDA and trial servers': { autoscaling: { by: 'keda' } },
  'KEDA and servers of yours': { ...ownServers, autoscaling: { by: 'keda' } },
  'CPU as the measure': { autoscaling: { by: 'cpu', cpuPercent: 60 } },
  'execution apart': execution({ namespace: 'jails', hostUsers: false, runtimeClassName: 'gvisor' }),
  'a GPU, nodes of its own': execution({
    gpu: { enabled: true, count: 2 },
    nodeSelector: { accelerator: 'h100' },
    tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
  }),
  'an AppArmor profile of its own': execution({ appArmor: 'localhost/stateeval-execution' }),
  'no AppArmor': execution({ appArmor: '' }),
  'an ingress': {
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { 'example.com/a': 'b' } },
    networkPolicy: { callers: [{ namespaceSelector: {} }], dns: { port: 5353, peers: [] }, models: [] },
  },
  'a gateway, no policies': {
    gateway: { enabled: true, parent: { name: 'public', namespace: 'gateways' } },
    networkPolicy: { enabled: false },
  },
  'everything that is watched': {
    observability: {
      dashboards: { enabled: true, namespace: 'jails' },
      alerts: { enabled: true, labels: { release: 'prometheus' } },
      podMonitor: { enabled: true, interval: '15s' },
    },
    ...execution({ namespace: 'jails' }),
  },
  'credentials of each service, and TLS': {
    ...ownServers,
    nats: {
      ...ownServers.nats,
      credentials: { by: 'creds', secret: 'nats-users' },
      tls: { caSecret: 'authority', certSecret: 'client' },
    },
    mongodb: {
      ...ownServers.mongodb,
      urlSecrets: { scoring: { name: 'stateeval-servers', key: 'mongodb-scoring' } },
      tls: { caSecret: 'authority', certSecret: 'client' },
    },
    tls: { secret: 'http', clientCaSecret: 'callers', clientCertSecret: 'caller' },
    trustedProxies: ['10.0.0.0/8'],
    drainSeconds: 10,
  },
  'users of the trial NATS, and HTTPS': {
    nats: { credentials: { by: 'password', secret: 'nats-users' } },
    tls: { secret: 'http' },
    observability: { podMonitor: { enabled: true } },
  },
  'nobody is asked who they are': { auth: { access: 'open' } },
  'a key of yours, and tokens': {
    auth: {
      adminKeySecret: { name: 'keys', key: 'admin' },
      oidc: { issuer: 'https://id.example.com', audience: 'stateeval', roles: 'evals=run' },
    },
  },
  'pods as a platform wants them': {
    image: { registry: 'registry.example.com', digests: { scoring: `sha256:${'a'.repeat(64)}` } },
    imagePullSecrets: [{ name: 'pull' }],
    nodeSelector: { pool: 'general' },
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    priorityClassName: 'high',
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: {} } },
        ],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
    ],
    annotations: { pods: { mesh: 'injected' }, services: { lb: 'x' }, serviceAccounts: { role: 'r' } },
    extraEnv: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }],
    filesConfigMap: 'files',
    settings: { LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
    networkPolicy: { extraEgress: [{ ports: [{ port: 9000, protocol: 'TCP' }] }] },
  },
}

let cluster: ControlPlane
const namespace = (name: string, standard: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: Object.fromEntries(
      ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, standard]),
    ),
  },
})
const documents = (manifests: readonly object[]) =>
  manifests.map((one) => stringify(one, { lineWidth: 0 })).join('---\n')

beforeAll(async () => {
  if (reason !== null) return
  cluster = await startControlPlane()
  // Too large for the annotation that a plain apply keeps.
  for (const file of definitions()) cluster.kubectl(['apply', '--server-side', '-f', file])
  cluster.kubectl(['wait', '--for=condition=Established', '--timeout=120s', 'crd', '--all'])
  // No system of a cluster is here to make them.
  const gvisor = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'gvisor' } }
  const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' } }
  const resources = [
    ...[namespace('stateeval', 'restricted'), namespace('jails', 'privileged')],
    ...[
      { ...gvisor, handler: 'runsc' },
      { ...high, value: 1000 },
    ],
  ]
  cluster.kubectl(['apply', '-f', '-'], documents(resources))
})
afterAll(async () => cluster?.stop())

/** What an API server says beside an answer: deprecated fields, pods that a standard would refuse. */
const warningsIn = (stderr: string) =>
  stderr.split('\n').filter((line) => line.startsWith('Warning:') || line.startsWith('W'))
/** The one thing that keeps execution's pods from the standard, in the words of the API server. */
const onlyAppArmor =
  /^Warning: would violate PodSecurity "restricted:latest": forbidden AppArmor profile \(container "execution" must not set AppArmor profile type to "Unconfined"\)$/

onServer.each(Object.entries(options))('a server-side dry run: %s', (_name, values) => {
  // With the pod of `helm test`, which render leaves out.
  const { stdout } = runTool(
    helm,
    ['template', 'stateeval', chart, '--namespace', 'stateeval', '--kube-version', '1.36.0', '-f', '-'],
    stringify(values),
  )
  const sent = parseAllDocuments(stdout).map((one) => one.toJS() as Manifest | null)
  const answer = cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], stdout)
  expect(answer.stdout.trim().split('\n')).toHaveLength(sent.filter((one) => one !== null).length)
  const others = warningsIn(answer.stderr).filter((line) => !onlyAppArmor.test(line))
  expect(others).toEqual([])
})

interface Controlled {
  template: { metadata: object; spec: { volumes: object[] } }
  volumeClaimTemplates?: { metadata: { name: string } }[]
}
/** Pods as their controllers would make them, sent to a namespace that holds them to a standard. */
function podsOf(manifests: readonly Manifest[]): { name: string; pod: object }[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map((one) => {
      const { template, volumeClaimTemplates = [] } = one['spec'] as Controlled
      const { name } = one.metadata
      const metadata = { ...template.metadata, name, namespace: 'stateeval' }
      const claimed = volumeClaimTemplates.map(({ metadata: { name: volume } }) => ({
        name: volume,
        persistentVolumeClaim: { claimName: `${volume}-${name}-0` },
      }))
      const spec = { ...template.spec, volumes: [...template.spec.volumes, ...claimed] }
      return { name, pod: { apiVersion: 'v1', kind: 'Pod', metadata, spec } }
    })
}

onServer(
  'the restricted standard admits every pod; execution with an AppArmor profile, or without AppArmor, too',
  () => {
    const admit = (pod: object) =>
      cluster.kubectl(['create', '--dry-run=server', '--validate=strict', '-f', '-'], stringify(pod))
    const pods = podsOf(render(helm, options['defaults']!))
    expect(pods).toHaveLength(8)
    for (const { name, pod } of pods)
      if (name === 'stateeval-execution')
        expect(() => admit(pod)).toThrow(
          /violates PodSecurity "restricted:latest": forbidden AppArmor profile \(container "execution" must not set AppArmor profile type to "Unconfined"\)\n*$/,
        )
      else expect(admit(pod).stdout).toContain('created (server dry run)')
    for (const name of ['an AppArmor profile of its own', 'no AppArmor'])
      for (const { pod } of podsOf(render(helm, options[name]!)))
        expect(admit(pod).stdout).toContain('created (server dry run)')
  },
)

onServer('one release is installed, takes every option in turn, and is removed without a trace', () => {
  const run = (args: string[], input = '') =>
    runTool(helm, [...args, '--namespace', 'stateeval', '--kubeconfig', cluster.kubeconfig], input)
  const kinds = new Set(
    Object.values(options).flatMap((values) => render(helm, values).map(({ kind }) => kind.toLowerCase())),
  )
  const selector = ['-A', '-l', 'app.kubernetes.io/name=stateeval', '-o', 'name']
  const left = () => cluster.kubectl(['get', [...kinds].join(','), ...selector]).stdout
  expect(left()).toBe('')
  try {
    const take = (values: object) =>
      run(['upgrade', '--install', 'stateeval', chart, '--reset-values', '-f', '-'], stringify(values))
    const key = () =>
      cluster.kubectl(['get', 'secret', 'stateeval-access', '-n', 'stateeval', '-o', 'jsonpath={.data}'])
        .stdout
    take(options['defaults']!)
    const adminKey = key()
    expect(adminKey).toContain('admin-key')
    for (const values of [...Object.values(options), options['defaults']!]) {
      take(values)
      // Who has the key keeps it, as long as keys are asked for.
      if (values === options['KEDA and trial servers']) expect(key()).toBe(adminKey)
    }
    expect(left().trim().split('\n')).toHaveLength(render(helm, options['defaults']!).length)
  } finally {
    run(['uninstall', 'stateeval'])
  }
  expect(left()).toBe('')
})

onServer.each(overlays.map(({ name }) => name))('k8s/%s is applied, also over itself', (name) => {
  const folder = join(root, 'k8s', name)
  const { stdout, stderr } = cluster.kubectl(['apply', '--validate=strict', '-k', folder])
  expect(warningsIn(stderr).filter((line) => !onlyAppArmor.test(line))).toEqual([])
  expect(stdout).toContain('deployment.apps/stateeval-execution')
  // A generation is counted where a specification changes: applying the same again changes none.
  const generations = () =>
    cluster.kubectl([
      'get',
      '-k',
      folder,
      '-o',
      'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.generation}\n{end}',
    ]).stdout
  const before = generations()
  cluster.kubectl(['apply', '-k', folder])
  expect(generations()).toBe(before)
})
