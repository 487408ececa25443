/**
 * Manifests in k8s/ are what the chart gives; overlays change what they should. Needs helm; without it only
 * the changes are tested.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { subjects } from '@stateeval/contracts'
import fc from 'fast-check'
import { parse, parseAllDocuments } from 'yaml'
import { buildBusNames } from '../packages/service-kit/src/bus/names.ts'
import { root } from './generated.ts'
import { permissionsText } from './nats-permissions.ts'
import { changesBetween, differing, findHelm, type Manifest, render } from './kubernetes.ts'

const helm = findHelm(process.env)
if (helm === null) console.warn('The chart is not rendered: helm is not on PATH (or named in HELM).')
const withHelm = helm === null ? test.skip : test

type Tree = { [key: string]: unknown }

/** Applies changes as RFC 6902 says, by code of its own. */
function apply(tree: Tree, changes: ReturnType<typeof changesBetween>): Tree {
  const root = { root: structuredClone(tree) } as Tree
  for (const { op, path, value } of changes) {
    const keys = ['root', ...path.split('/').slice(1)].map((key) =>
      key.replaceAll('~1', '/').replaceAll('~0', '~'),
    )
    const last = keys.pop()!
    const parent = keys.reduce<Tree>((at, key) => at[key] as Tree, root)
    if (op === 'remove') delete parent[last]
    else parent[last] = value
  }
  return root['root'] as Tree
}

test('changes lead from any tree to any other', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
  const { tree } = fc.letrec<{ tree: Tree; value: unknown }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('tree')),
    tree: fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', '~1'), tie('value'), {
      noNullPrototype: true,
    }),
  }))
  fc.assert(
    fc.property(tree, tree, (from, to) => {
      expect(apply(from, changesBetween(from, to))).toEqual(to)
      expect(changesBetween(to, to)).toEqual([])
    }),
  )
})

const named = <Part = { spec: never }>(manifests: readonly Manifest[], kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name) as Manifest & Part

test('requests are in the proportions that the coordinator was measured with', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { notes } = JSON.parse(read('perf/results/coordinator.json')) as { notes: string }
  const rows = new Map(notes.split('\n').map((line) => [line.split('|')[1]?.trim(), line.split('|')]))
  const ms = (part: string, column: 2 | 3) => Number.parseFloat(rows.get(part)![column]!)
  const values = parse(read('deploy/helm/stateeval/values.yaml')) as {
    services: Record<string, { replicas: number; resources: Record<'requests' | 'limits', { cpu?: string }> }>
  }
  const cores = (service: string) => {
    const { replicas, resources } = values.services[service]!
    const { cpu = '' } = resources.requests
    return replicas * (cpu.endsWith('m') ? Number.parseInt(cpu) / 1000 : Number(cpu))
  }
  expect(values.services['execution']!.resources.limits.cpu).toBe(
    values.services['execution']!.resources.requests.cpu,
  )
  const samplesASecond = cores('execution') / (ms('execution', 3) / 1000)
  for (const service of ['evaluation', 'scoring'])
    expect(cores(service)).toBeGreaterThanOrEqual((samplesASecond * ms(service, 2)) / 1000)
})

withHelm('the manifests in k8s/ are what the chart gives', () => {
  expect(differing(helm!)).toEqual([])
})

withHelm(
  'execution is closed but for NATS and its databases, and has a namespace of its own where one is named',
  () => {
    const manifests = render(helm!, { services: { execution: { namespace: 'jails' } } })
    const policy = named<{
      metadata: { namespace: string }
      spec: { ingress?: unknown; egress: { ports: { port: number }[]; to: unknown[] }[] }
    }>(manifests, 'NetworkPolicy', 'stateeval-execution')
    expect(policy.metadata.namespace).toBe('jails')
    expect(policy.spec.ingress).toBeUndefined()
    expect(policy.spec.egress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([
      [27017],
      [4222],
      [27017],
    ])
    expect(policy.spec.egress.every(({ to }) => to.length === 1)).toBe(true)
    expect(
      manifests
        .filter(({ metadata }) => metadata.namespace === 'jails')
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual([
      'Deployment',
      'NetworkPolicy',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
    const holders = manifests
      .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('stateeval-'))
      .filter((manifest) => JSON.stringify(manifest).includes('STATEEVAL_ADMIN_KEY'))
      .map(({ metadata }) => metadata.name.replace('stateeval-', ''))
    expect(holders.sort()).toEqual(['evaluation', 'scoring', 'trace-generation', 'translation'])
  },
)

interface Closed {
  spec: { egress: { ports: { port: number }[]; to?: { ipBlock?: { cidr: string; except?: string[] } }[] }[] }
}

withHelm(
  'servers of yours are reached at their ports and peers only; models at public addresses only',
  () => {
    const peers = [{ ipBlock: { cidr: '10.1.2.0/24' } }]
    const serverValues = (port: number) => ({
      trial: false,
      urlSecret: { name: 'servers', key: 'url' },
      port,
      peers,
    })
    const manifests = render(helm!, {
      mongodb: serverValues(27018),
      sessions: serverValues(27019),
      nats: serverValues(4223),
    })
    const egress = (name: string) =>
      named<Closed>(manifests, 'NetworkPolicy', `stateeval-${name}`).spec.egress
    const toServer = (port: number) => ({ ports: [{ port, protocol: 'TCP' }], to: peers })
    expect(egress('execution')).toEqual([27018, 4223, 27019].map(toServer))
    expect(egress('scoring')).toEqual([27018, 4223].map(toServer))
    const [models, ...more] = egress('evaluation').slice(2)
    expect(more).toEqual([])
    expect(models!.ports).toEqual([{ port: 443, protocol: 'TCP' }])
    expect(models!.to?.map(({ ipBlock }) => ipBlock?.cidr)).toEqual(['0.0.0.0/0', '2000::/3'])
    expect(models!.to?.[0]?.ipBlock?.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    )
  },
)

withHelm.each([
  ['Unconfined', { type: 'Unconfined' }],
  ['RuntimeDefault', { type: 'RuntimeDefault' }],
  ['localhost/stateeval-execution', { type: 'Localhost', localhostProfile: 'stateeval-execution' }],
  ['', undefined],
])('the AppArmor profile %j of execution', (appArmor, profile) => {
  const manifests = render(helm!, { services: { execution: { appArmor } } })
  const deployment = named<{ spec: { template: { spec: { containers: { securityContext: Tree }[] } } } }>(
    manifests,
    'Deployment',
    'stateeval-execution',
  )
  expect(deployment.spec.template.spec.containers[0]!.securityContext['appArmorProfile']).toEqual(profile)
})

withHelm('every container is restricted, and no pod has a token', () => {
  const manifests = render(helm!, {})
  const pods = manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
    .map((one) => (one['spec'] as { template: { spec: Tree } }).template.spec)
  expect(pods).toHaveLength(8)
  for (const pod of pods) {
    expect(pod['automountServiceAccountToken']).toBe(false)
    expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true })
    for (const container of pod['containers'] as Tree[])
      expect(container['securityContext']).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
  }
})

withHelm.each([
  ['a value that there is none of', { replica: 1 }, /additional properties 'replica' not allowed/],
  ['servers without URLs', { nats: { trial: false } }, /nats\.urlSecret\.name is empty: name the secret/],
  ['two ways in', { ingress: { enabled: true }, gateway: { enabled: true } }, /choose one/],
  [
    'an AppArmor profile that is none',
    { services: { execution: { appArmor: 'none' } } },
    /does not match pattern/,
  ],
  [
    'a setting that is a value',
    { settings: { STATEEVAL_DRAIN_SECONDS: 5 } },
    /STATEEVAL_DRAIN_SECONDS stands in settings: set drainSeconds/,
  ],
  [
    'credentials without a secret',
    { nats: { credentials: { by: 'password' } } },
    /credentials\.secret is empty/,
  ],
  [
    'a way in that the trial NATS does not know',
    { nats: { credentials: { by: 'creds', secret: 'users' } } },
    /set nats\.credentials\.by to password/,
  ],
  [
    'TLS to a trial server',
    { mongodb: { tls: { caSecret: 'ca' } } },
    /mongodb\.tls is for a server of yours/,
  ],
  ['certificates of callers without HTTPS', { tls: { clientCaSecret: 'ca' } }, /needs tls\.secret/],
  ['a proxy that is no address', { trustedProxies: ['ingress'] }, /does not match pattern/],
  ['a digest that is none', { image: { digests: { scoring: 'latest' } } }, /does not match pattern/],
])('%s is refused with what to do', (_what, values, says) => {
  expect(() => render(helm!, values)).toThrow(says)
})

interface Deployed {
  spec: {
    template: {
      metadata: { annotations: Record<string, string> }
      spec: {
        terminationGracePeriodSeconds: number
        containers: {
          env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
          readinessProbe: { httpGet: { scheme: string } }
          lifecycle: { preStop: { sleep: { seconds: number } } }
        }[]
        volumes: {
          name: string
          projected?: {
            defaultMode: number
            sources: { secret: { name: string; items: { key: string; path: string }[] } }[]
          }
        }[]
      }
    }
  }
}
const podOf = (manifests: readonly Manifest[], service: string) =>
  named<Deployed>(manifests, 'Deployment', `stateeval-${service}`).spec.template
const variablesOf = (manifests: readonly Manifest[], service: string) =>
  Object.fromEntries(
    podOf(manifests, service).spec.containers[0]!.env.map(({ name, value, valueFrom }) => [
      name,
      value ?? valueFrom?.secretKeyRef,
    ]),
  )
const secretFilesOf = (manifests: readonly Manifest[], service: string) =>
  podOf(manifests, service)
    .spec.volumes.find(({ name }) => name === 'secrets')
    ?.projected?.sources.flatMap(({ secret }) =>
      secret.items.map(({ key, path }) => `${path}: ${secret.name}/${key}`),
    )

withHelm('a pod is given longer to stop than it answers and waits for work', () => {
  for (const drainSeconds of [0, 40]) {
    const manifests = render(helm!, { drainSeconds })
    for (const service of ['execution', 'scoring']) {
      const { terminationGracePeriodSeconds, containers } = podOf(manifests, service).spec
      const { STATEEVAL_GRACE_SECONDS: grace, STATEEVAL_DRAIN_SECONDS: drain } = variablesOf(
        manifests,
        service,
      )
      expect(drain).toBe(String(drainSeconds))
      const { seconds } = containers[0]!.lifecycle.preStop.sleep
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        seconds + Number(drain) + Number(grace) + 10,
      )
    }
  }
})

withHelm('each service shows servers of yours its own credentials, over TLS', () => {
  const [caSecret, certSecret] = ['authority', 'client']
  const serverValues = (key: string) => ({
    trial: false,
    urlSecret: { name: 'servers', key },
    tls: { caSecret, certSecret },
  })
  const users = (by: string) =>
    render(helm!, {
      nats: { ...serverValues('nats'), credentials: { by, secret: 'nats-users' } },
      mongodb: { ...serverValues('mongodb'), urlSecrets: { scoring: { name: 'users', key: 'scoring' } } },
      sessions: serverValues('sessions'),
    })
  const byKey = users('nkey')
  expect(secretFilesOf(byKey, 'scoring')).toEqual([
    'mongodb/ca.crt: authority/ca.crt',
    'mongodb/tls-combined.pem: client/tls-combined.pem',
    'nats/ca.crt: authority/ca.crt',
    'nats/tls.crt: client/tls.crt',
    'nats/tls.key: client/tls.key',
    'nats/credentials: nats-users/scoring',
  ])
  expect(secretFilesOf(byKey, 'execution')).toEqual(
    expect.arrayContaining(['nats/credentials: nats-users/execution', 'sessions/ca.crt: authority/ca.crt']),
  )
  expect(variablesOf(byKey, 'scoring')).toMatchObject({
    NATS_NKEY_FILE: '/secrets/nats/credentials',
    NATS_CA_FILE: '/secrets/nats/ca.crt',
    NATS_CERT_FILE: '/secrets/nats/tls.crt',
    NATS_KEY_FILE: '/secrets/nats/tls.key',
    MONGODB_URI: { name: 'users', key: 'scoring' },
  })
  expect(variablesOf(byKey, 'translation')).toMatchObject({
    MONGODB_URI: { name: 'servers', key: 'mongodb' },
  })
  expect(variablesOf(users('creds'), 'scoring')).toMatchObject({
    NATS_CREDENTIALS_FILE: '/secrets/nats/credentials',
  })
  const byPassword = users('password')
  expect(variablesOf(byPassword, 'scoring')).toMatchObject({
    NATS_PASSWORD: { name: 'nats-users', key: 'scoring' },
  })
  // Read by the pod's group alone.
  const { projected } = podOf(byPassword, 'scoring').spec.volumes.find(({ name }) => name === 'secrets')!
  expect(projected!.defaultMode.toString(8)).toBe('440')
})

withHelm('the trial NATS has the users of this installation, with their rights', () => {
  const manifests = render(helm!, {
    installation: 'acme',
    nats: { credentials: { by: 'password', secret: 'nats-users' } },
  })
  const { data } = named<{ data: Record<string, string> }>(manifests, 'ConfigMap', 'stateeval-nats')
  const rules = (text: string) => text.replaceAll(/^#.*\n/gm, '').trim()
  expect(rules(data['permissions.conf']!)).toBe(rules(permissionsText('acme')))
  const server = named<Deployed>(manifests, 'StatefulSet', 'stateeval-nats').spec.template.spec.containers[0]!
  const variables = [...data['permissions.conf']!.matchAll(/\$(NATS_\w+)/g)].map(([, name]) => name)
  expect(server.env.map(({ name }) => name).sort()).toEqual(variables.sort())
})

withHelm('the trial NATS starts anew where the rights of its users change', () => {
  const podFor = (installation: string) => {
    const manifests = render(helm!, {
      installation,
      nats: { credentials: { by: 'password', secret: 'nats-users' } },
    })
    return named<{ spec: { template: unknown } }>(manifests, 'StatefulSet', 'stateeval-nats').spec.template
  }
  expect(podFor('acme')).toEqual(podFor('acme'))
  expect(podFor('acme')).not.toEqual(podFor('other'))
})

withHelm('services speak HTTPS, and ask callers for certificates, where secrets for that are named', () => {
  const manifests = render(helm!, {
    tls: { secret: 'http', clientCaSecret: 'callers' },
    trustedProxies: ['10.0.0.0/8', '::1'],
  })
  for (const service of ['evaluation', 'execution']) {
    expect(secretFilesOf(manifests, service)).toEqual([
      'http/tls.crt: http/tls.crt',
      'http/tls.key: http/tls.key',
      'http/client-ca.crt: callers/ca.crt',
    ])
    expect(variablesOf(manifests, service)).toMatchObject({
      STATEEVAL_TLS_CERT_FILE: '/secrets/http/tls.crt',
      STATEEVAL_TLS_KEY_FILE: '/secrets/http/tls.key',
      STATEEVAL_TLS_CLIENT_CA_FILE: '/secrets/http/client-ca.crt',
      STATEEVAL_TRUSTED_PROXIES: '10.0.0.0/8,::1',
    })
    const { metadata, spec } = podOf(manifests, service)
    expect(spec.containers[0]!.readinessProbe.httpGet.scheme).toBe('HTTPS')
    expect(metadata.annotations['prometheus.io/scheme']).toBe('https')
  }
  expect(secretFilesOf(render(helm!, {}), 'evaluation')).toBeUndefined()
})

withHelm('KEDA reads the lag of each queue that a service takes jobs from', () => {
  const manifests = render(helm!, { autoscaling: { by: 'keda' }, installation: 'acme' })
  const scaled = manifests.filter(({ kind }) => kind === 'ScaledObject')
  const triggers = scaled.flatMap((one) => (one['spec'] as { triggers: { metadata: Tree }[] }).triggers)
  const { consumer, jobs } = buildBusNames('acme')
  // Evaluation's steps and questions are short: a further replica would not help.
  const scaling = Object.values(subjects).filter((subject) => !subject.startsWith('jobs.evaluation.'))
  expect(triggers.map(({ metadata }) => metadata['consumer']).sort()).toEqual(scaling.map(consumer).sort())
  for (const { metadata } of triggers) {
    expect(metadata['stream']).toBe(jobs)
    expect(Object.values(metadata).every((value) => typeof value === 'string')).toBe(true)
  }
})

withHelm.each([true, false])('the pod of helm test is closed only with network policies: %j', (enabled) => {
  const text = execFileSync(
    helm!,
    [
      ...['template', 'stateeval', join(root, 'deploy/helm/stateeval'), '--kube-version', '1.30.0'],
      ...['--show-only', 'templates/tests/reference.yaml', '--set', `networkPolicy.enabled=${enabled}`],
    ],
    { encoding: 'utf8', stdio: 'pipe' },
  )
  // Another policy lets it ask DNS: this one alone would keep it from finding evaluation.
  expect(
    parseAllDocuments(text)
      .map((one) => (one.toJS() as Manifest).kind)
      .sort(),
  ).toEqual(enabled ? ['NetworkPolicy', 'Pod'] : ['Pod'])
})

withHelm('settings are the same text as in the values', () => {
  const settings = {
    OTEL_METRIC_EXPORT_INTERVAL: 1_000_000,
    STATEEVAL_WINDOW: 32,
    STATEEVAL_TELEMETRY_NAMES: true,
  }
  const texts = { STATEEVAL_LIMITS: 'requestsPerSecond=50,usd=200', STATEEVAL_MODEL_HOSTS: '*.example.com' }
  const variables = variablesOf(render(helm!, { settings: { ...settings, ...texts } }), 'evaluation')
  expect(variables).toMatchObject({
    OTEL_METRIC_EXPORT_INTERVAL: '1000000',
    STATEEVAL_WINDOW: '32',
    STATEEVAL_TELEMETRY_NAMES: 'true',
    ...texts,
  })
})

withHelm.each(['ingress', 'gateway'])('the host of the %s may be all names of a domain', (way) => {
  const host = '*.example.com'
  const manifests = render(helm!, {
    [way]: { enabled: true, host, ...(way === 'ingress' && { tlsSecret: 'tls' }) },
  })
  const route = manifests.find(({ kind }) => ['Ingress', 'HTTPRoute'].includes(kind))
  expect(route?.['spec']).toMatchObject(
    way === 'ingress' ? { rules: [{ host }], tls: [{ hosts: [host] }] } : { hostnames: [host] },
  )
})

withHelm.each(['cpu', 'keda'])('what %s cannot scale has its number of replicas', (by) => {
  const manifests = render(helm!, {
    autoscaling: { by },
    services: { scoring: { replicas: 9, maxReplicas: 8 }, evaluation: { replicas: 3, maxReplicas: 4 } },
  })
  const replicasOf = (service: string) =>
    named<{ spec: { replicas?: number } }>(manifests, 'Deployment', `stateeval-${service}`).spec.replicas
  const isScaled = (service: string) =>
    manifests.some(
      ({ kind, metadata }) => /Autoscaler|Scaled/.test(kind) && metadata.name === `stateeval-${service}`,
    )
  expect([replicasOf('scoring'), isScaled('scoring')]).toEqual([9, false])
  expect([replicasOf('execution'), isScaled('execution')]).toEqual([undefined, true])
  // The lag scales services with consumers only.
  expect([replicasOf('evaluation'), isScaled('evaluation')]).toEqual(
    by === 'keda' ? [3, false] : [undefined, true],
  )
})

withHelm(
  'dashboards, alert rules and the scraping of pods are objects of the chart where they are wanted',
  () => {
    const settings = { observability: { alerts: { labels: { release: 'prometheus' } } } }
    const off = render(helm!, {}).map(({ kind }) => kind)
    expect(off.filter((kind) => ['PrometheusRule', 'PodMonitor', 'ConfigMap'].includes(kind))).toEqual([])
    const enabled = { enabled: true }
    const manifests = render(helm!, {
      observability: {
        dashboards: enabled,
        alerts: { ...enabled, ...settings.observability.alerts },
        podMonitor: enabled,
      },
    })
    const rule = named<{ metadata: { labels: Tree }; spec: { groups: { rules: unknown[] }[] } }>(
      manifests,
      'PrometheusRule',
      'stateeval',
    )
    expect([rule.metadata.labels['release'], rule.spec.groups.length]).toEqual(['prometheus', 2])
    const maps = manifests.filter(({ kind }) => kind === 'ConfigMap') as (Manifest & { data: Tree })[]
    expect(maps.flatMap(({ data }) => Object.keys(data)).sort()).toEqual([
      'execution.json',
      'models.json',
      'overview.json',
    ])
    for (const { data } of maps)
      for (const text of Object.values(data)) expect(JSON.parse(text as string)).toHaveProperty('panels')
    expect(manifests.map(({ kind }) => kind)).toContain('PodMonitor')
  },
)
