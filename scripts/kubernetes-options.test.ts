/** What a platform asks of a chart: names, annotations, variables, places, connections. Needs helm. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { evaluationOperations, type HttpOperation } from '@stateeval/contracts'
import { root } from './generated.ts'
import { findHelm, type Manifest, render } from './kubernetes.ts'

const helm = findHelm(process.env)
if (helm === null) console.warn('The chart is not rendered: helm is not on PATH (or named in HELM).')
const withHelm = helm === null ? test.skip : test

interface Labelled {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> }
}
interface Deployed extends Labelled {
  spec: {
    selector: { matchLabels: Record<string, string> }
    template: Labelled & {
      spec: Record<string, unknown> & { containers: { image: string; env: { name: string }[] }[] }
    }
  }
}
const ofKind = <Kind = Labelled>(manifests: readonly Manifest[], kind: string) =>
  manifests.filter((one) => one.kind === kind) as unknown as (Manifest & Kind)[]
const componentOf = ({ metadata }: Labelled) => metadata.labels['app.kubernetes.io/component']!
/** The objects of a kind by service. */
const byService = <Kind extends Labelled = Labelled>(manifests: readonly Manifest[], kind: string) =>
  Object.fromEntries(ofKind<Kind>(manifests, kind).map((one) => [componentOf(one), one]))
const services = ['evaluation', 'execution', 'scoring', 'trace-generation', 'translation']

withHelm('helm lint finds nothing', () => {
  const text = execFileSync(
    helm!,
    ['lint', '--strict', '--kube-version', '1.30.0', join(root, 'deploy/helm/stateeval')],
    { encoding: 'utf8', stdio: 'pipe' },
  )
  expect(text).toContain('0 chart(s) failed')
})

withHelm('all objects, and what names them, follow names of yours', () => {
  const everything = {
    autoscaling: { by: 'keda' },
    ingress: { enabled: true },
    observability: {
      dashboards: { enabled: true },
      alerts: { enabled: true },
      podMonitor: { enabled: true },
    },
    nats: { credentials: { by: 'password', secret: 'users' } },
  }
  const plain = render(helm!, everything)
  const renamed = render(helm!, { ...everything, fullnameOverride: 'acme', nameOverride: 'evals' })
  const names = (manifests: readonly Manifest[]) =>
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
  expect(names(renamed)).toEqual(names(plain).map((name) => name.replace(' stateeval', ' acme')))
  // Every Service, policy and controller finds the pods that it found before.
  const pods = (manifests: readonly Manifest[]) =>
    [...ofKind<Deployed>(manifests, 'Deployment'), ...ofKind<Deployed>(manifests, 'StatefulSet')].map(
      ({ spec }) => spec.template.metadata.labels,
    )
  const chosen = (manifests: readonly Manifest[]) =>
    manifests.flatMap(({ kind, metadata, spec }) => {
      const { selector, podSelector } = (spec ?? {}) as Record<string, { matchLabels?: object }>
      const labels = Object.entries(
        (kind === 'Service' ? selector : (selector ?? podSelector)?.matchLabels) ?? {},
      )
      if (labels.length === 0) return []
      const found = pods(manifests).filter((pod) => labels.every(([name, value]) => pod[name] === value))
      const parts = found.map((pod) => pod['app.kubernetes.io/component']).sort()
      return [`${kind} ${metadata.name.replace(/^(stateeval|acme)/, '')}: ${parts.join()}`]
    })
  expect(chosen(plain).every((line) => !line.endsWith(': '))).toBe(true)
  expect(chosen(renamed)).toEqual(chosen(plain))
  for (const { metadata } of pods(renamed).map((labels) => ({ metadata: { labels } })))
    expect(metadata.labels['app.kubernetes.io/name']).toBe('evals')
  // Trial servers and secrets are named after the prefix too.
  const { env } = byService<Deployed>(renamed, 'Deployment')['scoring']!.spec.template.spec.containers[0]!
  expect(env).toEqual(
    expect.arrayContaining([
      { name: 'MONGODB_URI', value: 'mongodb://acme-mongodb.stateeval.svc:27017' },
      {
        name: 'STATEEVAL_ADMIN_KEY',
        valueFrom: { secretKeyRef: { name: 'acme-access', key: 'admin-key' } },
      },
    ]),
  )
})

withHelm('annotations, variables and images are of all services or of one', () => {
  const fromSecret = {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    valueFrom: { secretKeyRef: { name: 't', key: 'h' } },
  }
  const own = { name: 'HTTPS_PROXY', value: 'http://proxy:3128' }
  const image = 'registry.example.com/ml/execution-gpu@sha256:0123'
  const manifests = render(helm!, {
    annotations: {
      pods: { mesh: 'injected', team: 'a' },
      services: { lb: 'x' },
      serviceAccounts: { role: 'r' },
    },
    extraEnv: [fromSecret],
    services: {
      execution: { image, annotations: { pods: { team: 'b' }, serviceAccounts: { role: 'jails' } } },
      evaluation: { extraEnv: [own] },
    },
  })
  const pods = byService<Deployed>(manifests, 'Deployment')
  expect(Object.keys(pods).sort()).toEqual(services)
  for (const [service, { spec }] of Object.entries(pods)) {
    const isExecution = service === 'execution'
    const [container] = spec.template.spec.containers
    expect(spec.template.metadata.annotations).toMatchObject({
      mesh: 'injected',
      team: isExecution ? 'b' : 'a',
      'prometheus.io/scrape': 'true',
    })
    expect(byService(manifests, 'Service')[service]!.metadata.annotations).toEqual({ lb: 'x' })
    expect(byService(manifests, 'ServiceAccount')[service]!.metadata.annotations).toEqual({
      role: isExecution ? 'jails' : 'r',
    })
    expect(container!.env).toContainEqual(fromSecret)
    expect(container!.env.some(({ name }) => name === own.name)).toBe(service === 'evaluation')
    expect(container!.image).toBe(isExecution ? image : `stateeval/${service}:0.1.0`)
  }
  expect(() => render(helm!, { extraEnv: [{ name: 'PORT', value: '1' }] })).toThrow(
    /PORT stands in extraEnv: set services\.SERVICE\.port/,
  )
})

withHelm('places of one service replace those of all', () => {
  const place = (name: string) => ({
    nodeSelector: { pool: name },
    tolerations: [{ key: name, operator: 'Exists' }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: name, whenUnsatisfiable: 'DoNotSchedule' }],
  })
  const [all, scoring] = [place('all'), place('scoring')]
  const manifests = render(helm!, { ...all, services: { scoring } })
  for (const [service, { spec }] of Object.entries(byService<Deployed>(manifests, 'Deployment')))
    expect(spec.template.spec).toMatchObject(service === 'scoring' ? scoring : all)
  const usual = byService<Deployed>(render(helm!, {}), 'Deployment')['scoring']!.spec.template.spec
  expect(usual['topologySpreadConstraints']).toHaveLength(2)
  expect(usual['affinity']).toBeUndefined()
})

interface Policy extends Labelled {
  spec: { egress: { ports: { port: number }[]; to?: object[] }[] }
}
const egressOf = (values: object, service: string) =>
  byService<Policy>(render(helm!, values), 'NetworkPolicy')[service]!.spec.egress

withHelm.each([
  ['http://collector.telemetry:4318', 4318],
  ['https://collector.example.com', 443],
  ['http://collector.telemetry/v1', 80],
  ['http://[fd00::1]:4319', 4319],
])('pods reach the collector at %s, port %d', (endpoint, port) => {
  const rule = { ports: [{ port, protocol: 'TCP' }] }
  const telemetry = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'telemetry' } } }]
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  for (const service of services) {
    const without = egressOf({}, service)
    expect(egressOf({ settings }, service)).toEqual(expect.arrayContaining([...without, rule]))
    const toPeers = egressOf({ settings, networkPolicy: { telemetry } }, service)
    expect(toPeers).toContainEqual({ ...rule, to: telemetry })
    expect(toPeers).toHaveLength(without.length + 1)
  }
  // A collector of one service opens nothing for the others.
  const ofOne = { services: { scoring: { settings } } }
  expect(egressOf(ofOne, 'scoring')).toContainEqual(rule)
  expect(egressOf(ofOne, 'execution')).toEqual(egressOf({}, 'execution'))
})

withHelm('further connections are allowed to all services, or to one', () => {
  const rule = (port: number) => ({
    ports: [{ port, protocol: 'TCP' }],
    to: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
  })
  const values = {
    networkPolicy: { extraEgress: [rule(1)] },
    services: { translation: { extraEgress: [rule(2)] } },
  }
  for (const service of services)
    expect(egressOf(values, service)).toEqual([
      ...egressOf({}, service),
      rule(1),
      ...(service === 'translation' ? [rule(2)] : []),
    ])
})

withHelm('the ingress lets through what evaluation takes', () => {
  const [ingress] = ofKind(
    render(helm!, { ingress: { enabled: true, annotations: { own: 'x' } } }),
    'Ingress',
  )
  const { 'nginx.ingress.kubernetes.io/proxy-body-size': size = '', ...others } =
    ingress!.metadata.annotations!
  const largest = Math.max(
    ...Object.values<HttpOperation>(evaluationOperations).map(({ bodyLimit = 0 }) => bodyLimit),
  )
  expect(size).toBe(`${largest / 2 ** 20}m`)
  expect(others).toEqual({ own: 'x' })
})

interface ScheduledBackup extends Labelled {
  spec: {
    schedule: string
    jobTemplate: {
      spec: {
        template: {
          metadata: { labels: Record<string, string> }
          spec: {
            containers: { image: string; args: string[]; env: object[] }[]
            volumes: { name: string; persistentVolumeClaim?: object; projected?: { sources: object[] } }[]
          }
        }
      }
    }
  }
}
const backup = {
  ...{ enabled: true, schedule: '30 2 * * *', keep: 7, claim: 'backups' },
  passphraseSecret: { name: 'stateeval-backup', key: 'words' },
}

withHelm('no backup is made unless it is wanted, and then by the credentials of the operator', () => {
  expect(ofKind(render(helm!, {}), 'CronJob')).toEqual([])
  const manifests = render(helm!, {
    backup,
    mongodb: {
      trial: false,
      urlSecrets: { backup: { name: 'mongodb', key: 'reader' } },
      urlSecret: { name: 'mongodb', key: 'services' },
      tls: { caSecret: 'mongodb-ca' },
    },
    nats: {
      ...{ trial: false, urlSecret: { name: 'nats', key: 'url' } },
      ...{ credentials: { by: 'nkey', secret: 'users' }, tls: { caSecret: 'nats-ca' } },
    },
    tls: { secret: 'https' },
  })
  const [job] = ofKind<ScheduledBackup>(manifests, 'CronJob')
  expect(job!.spec.schedule).toBe(backup.schedule)
  const { containers, volumes } = job!.spec.jobTemplate.spec.template.spec
  const [{ image, args, env } = { image: '', args: [], env: [] }] = containers
  expect([image, args]).toEqual([
    'stateeval/cli:0.1.0',
    ['backup-installation', '--out', '/backups', '--keep', '7'],
  ])
  const secret = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } })
  expect(env).toEqual([
    { name: 'STATEEVAL_HOME', value: '/tmp' },
    { name: 'STATEEVAL_NAMESPACE', value: 'stateeval' },
    { name: 'STATEEVAL_BACKUP_PASSPHRASE', ...secret('stateeval-backup', 'words') },
    { name: 'MONGODB_URI', ...secret('mongodb', 'reader') },
    { name: 'NATS_URL', ...secret('nats', 'url') },
    { name: 'NATS_NKEY_FILE', value: '/secrets/nats/credentials' },
    { name: 'NATS_CA_FILE', value: '/secrets/nats/ca.crt' },
  ])
  expect(volumes).toContainEqual({ name: 'backups', persistentVolumeClaim: { claimName: 'backups' } })
  expect(volumes.find(({ name }) => name === 'secrets')!.projected!.sources).toEqual([
    { secret: { name: 'mongodb-ca', items: [{ key: 'ca.crt', path: 'mongodb/ca.crt' }] } },
    { secret: { name: 'nats-ca', items: [{ key: 'ca.crt', path: 'nats/ca.crt' }] } },
    { secret: { name: 'users', items: [{ key: 'operator', path: 'nats/credentials' }] } },
  ])
  for (const [missing, values] of [
    ['claim', { ...backup, claim: '' }],
    ['passphraseSecret.name', { ...backup, passphraseSecret: {} }],
  ] as const)
    expect(() => render(helm!, { backup: values })).toThrow(`backup.${missing} is empty`)
})

withHelm('a backup reaches MongoDB and NATS and nothing else, and they let it in', () => {
  const manifests = render(helm!, { backup })
  const policies = byService<Policy & { spec: { ingress?: { from: object[] }[] } }>(
    manifests,
    'NetworkPolicy',
  )
  const { egress, ingress } = policies['backup']!.spec
  expect(egress.map(({ ports }) => ports[0]!.port)).toEqual([27_017, 4222])
  expect(egress).toEqual(policies['scoring']!.spec.egress)
  expect(ingress).toBeUndefined()
  const { labels } = ofKind<ScheduledBackup>(manifests, 'CronJob')[0]!.spec.jobTemplate.spec.template.metadata
  for (const [server, isOpen] of [
    ['mongodb', true],
    ['nats', true],
    ['sessions', false],
  ] as const) {
    const peers = policies[server]!.spec.ingress![0]!.from as {
      podSelector: { matchLabels: Record<string, string> }
    }[]
    const admits = peers.some(({ podSelector: { matchLabels } }) =>
      Object.entries(matchLabels).every(([name, value]) => labels[name] === value),
    )
    expect([server, admits]).toEqual([server, isOpen])
  }
})
