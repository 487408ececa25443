/** Execution with a GPU, in compose and in the overlay: it has a device more, and no further right. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
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

test('the overlay: production with one GPU for each pod of execution, and CUDA by name', () => {
  const { resources, patches } = read<{
    resources: string[]
    patches: { target: { kind: string; name: string }; patch: string }[]
  }>('k8s/gpu/kustomization.yaml')
  expect(resources).toEqual(['../production'])
  const [{ target, patch }, ...others] = patches as [(typeof patches)[number]]
  expect([target, others]).toEqual([{ kind: 'Deployment', name: 'stateeval-execution' }, []])
  const operations = parse(patch) as { op: string; path: string; value: unknown }[]
  expect(operations.map(({ path }) => path)).toEqual([
    '/spec/template/spec/containers/0/env',
    '/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu',
  ])
  expect(operations[0]!.value).toContainEqual({ name: 'STATEEVAL_TENSOR_PROVIDER', value: 'cuda' })
  expect(operations[1]!.value).toBe('1')
})
