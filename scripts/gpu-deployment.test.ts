/** Execution with a GPU, in compose and in the overlay: it has a device more, and no further right. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './generated.ts'

const read = <T>(path: string) => parse(readFileSync(join(root, path), 'utf8'), { merge: true }) as T
interface ComposeService {
  environment: Record<string, string>
  [key: string]: unknown
}

test('compose: the profile gpu is execution with a device, a larger image and more memory', () => {
  const { services } = read<{ services: Record<string, ComposeService> }>('docker-compose.yml')
  const { environment, ...execution } = services['execution']!
  const { environment: own, ...gpu } = services['execution-gpu']!
  expect(own).toEqual({ ...environment, STATEEVAL_TENSOR_PROVIDER: '${STATEEVAL_TENSOR_PROVIDER:-auto}' })
  expect(gpu).toEqual({
    ...execution,
    image: expect.stringContaining('execution-gpu'),
    build: expect.objectContaining({ dockerfile: 'deploy/Dockerfile.gpu' }),
    mem_limit: '8g',
    profiles: ['gpu'],
    deploy: {
      resources: { reservations: { devices: [{ driver: 'nvidia', count: 1, capabilities: ['gpu'] }] } },
    },
  })
  // The CUDA image has another name for it.
  expect(gpu['user']).toBe('1000:1000')
})

const compose = spawnSync('docker-compose', ['version']).status === 0
if (!compose) console.info('skipped: docker-compose is not here to read the profile gpu')
;(compose ? test : test.skip)('docker-compose reads the profile', () => {
  const args = ['--file', join(root, 'docker-compose.yml'), '--profile', 'gpu', 'config']
  const { stdout, status } = spawnSync('docker-compose', args, { encoding: 'utf8' })
  expect(status).toBe(0)
  const { services } = parse(stdout) as { services: Record<string, ComposeService> }
  expect(services['execution-gpu']).toMatchObject({ profiles: ['gpu'], user: '1000:1000' })
})

interface Workload {
  metadata: { name: string }
  kind: string
  spec: {
    template: {
      spec: { containers: { image: string; env: object[]; resources: object; securityContext: object }[] }
    }
    triggers: { metadata: { consumer: string } }[]
  }
}
const manifestsIn = (path: string) =>
  parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((one) => one.toJS() as Workload)

test('the overlay: production, and execution on GPUs for programs with tensors only', () => {
  const { resources, patches } = read<{
    resources: string[]
    patches: { target: { kind: string; name: string }; patch: string }[]
  }>('k8s/gpu/kustomization.yaml')
  expect(resources).toEqual(['../production', 'manifests.yaml'])
  const changes = patches.flatMap(({ target, patch }) =>
    (parse(patch) as { path: string; value: unknown }[]).map((one) => ({ ...one, ...target })),
  )
  expect(changes.map(({ kind, name, path }) => [kind, name, path])).toEqual([
    ['Deployment', 'stateeval-execution', '/spec/template/spec/containers/0/env'],
    ['ScaledObject', 'stateeval-execution', '/spec/triggers'],
  ])
  expect(changes[0]!.value).toContainEqual({ name: 'STATEEVAL_TENSOR_PROGRAMS', value: 'none' })

  const usual = manifestsIn('k8s/production/manifests.yaml')
  const find = (all: Workload[], kind: string, name: string) =>
    all.find((one) => one.kind === kind && one.metadata.name === name)!.spec
  const added = manifestsIn('k8s/gpu/manifests.yaml')
  const [gpu] = find(added, 'Deployment', 'stateeval-execution-gpu').template.spec.containers
  const [execution] = find(manifestsIn('k8s/base/manifests.yaml'), 'Deployment', 'stateeval-execution')
    .template.spec.containers
  expect(gpu).toEqual({
    ...execution,
    name: 'execution-gpu',
    image: execution!.image.replace('execution', 'execution-gpu'),
    env: [
      ...execution!.env,
      { name: 'STATEEVAL_TENSOR_PROGRAMS', value: 'only' },
      { name: 'STATEEVAL_TENSOR_PROVIDER', value: 'cuda' },
    ],
    resources: expect.objectContaining({ limits: expect.objectContaining({ 'nvidia.com/gpu': '1' }) }),
  })
  // Each queue of execution scales one of the two.
  const consumers = (triggers: Workload['spec']['triggers']) =>
    triggers.map(({ metadata }) => metadata.consumer)
  const ofGpu = consumers(find(added, 'ScaledObject', 'stateeval-execution-gpu').triggers)
  expect(ofGpu).toEqual(['execution-tensors', 'execution-tensors-asked'])
  expect([...consumers(changes[1]!.value as Workload['spec']['triggers']), ...ofGpu]).toEqual(
    consumers(find(usual, 'ScaledObject', 'stateeval-execution').triggers),
  )
})
