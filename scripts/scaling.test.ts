/**
 * KEDA scales every service to its maximum for a single evaluation: its items in flight follow the replicas,
 * and each round of scaling asks for more of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { countHeld, countRoom, createItemWindow, createStage } from '@stateeval/jobs'
import { jobsOfPlace } from '../services/execution/src/config.ts'
import { root } from './generated.ts'
import { findHelm, type Manifest, render } from './kubernetes.ts'

interface Scaled {
  minReplicaCount: number
  maxReplicaCount: number
  triggers: { metadata: { lagThreshold: string } }[]
}
const scaledIn = (manifests: readonly Manifest[], service: string) =>
  manifests.find(
    ({ kind, metadata }) => kind === 'ScaledObject' && metadata.name === `stateeval-${service}`,
  )!['spec'] as Scaled

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const production = parseAllDocuments(read('k8s/production/manifests.yaml')).map(
  (document) => document.toJS() as Manifest,
)
type Resources = Record<'requests' | 'limits', { cpu: string; memory: string }>
const values = parse(read('deploy/helm/stateeval/values.yaml')) as {
  services: Record<string, { replicas: number; resources: Resources }>
}

/** Items in flight of an evaluation of many samples while execution's replicas hold so many jobs. */
function inFlight(held: number): number {
  const { partitions, atOnce = partitions } = createStage(100_000, createItemWindow(undefined))
  return Math.min(partitions, Math.max(atOnce, countRoom(held)))
}

/** Replicas in each round of KEDA's, until nothing changes: all items in flight are the lag of one queue. */
function rounds(scaled: Scaled, heldByReplica: number, evaluations: number): number[] {
  const { minReplicaCount, maxReplicaCount, triggers } = scaled
  const threshold = Number(triggers[0]!.metadata.lagThreshold)
  const replicas = [minReplicaCount]
  for (;;) {
    const now = replicas.at(-1)!
    const desired = Math.ceil((evaluations * inFlight(now * heldByReplica)) / threshold)
    const next = Math.min(maxReplicaCount, Math.max(now, desired))
    if (next === now) return replicas
    replicas.push(next)
  }
}

const coresOf = (cpu: string) => (cpu.endsWith('m') ? Number.parseInt(cpu) / 1000 : Number(cpu))
const execution = values.services['execution']!.resources.limits

test.each([
  [1, [2, 4, 8, 16, 20]],
  [2, [2, 8, 20]],
  [8, [2, 20]],
])('with %d evaluations, execution has %j replicas', (evaluations, expected) => {
  const held = jobsOfPlace * coresOf(execution.cpu)
  expect(rounds(scaledIn(production, 'execution'), held, evaluations)).toEqual(expected)
})

test('the items in flight of one evaluation suffice for every service that is scaled', () => {
  for (const service of ['trace-generation', 'translation', 'scoring']) {
    const { maxReplicaCount, triggers } = scaledIn(production, service)
    const held = jobsOfPlace * coresOf(execution.cpu) * scaledIn(production, 'execution').maxReplicaCount
    expect(inFlight(held) / Number(triggers[0]!.metadata.lagThreshold)).toBeGreaterThanOrEqual(
      maxReplicaCount,
    )
  }
})

test('items in flight are bounded, however many workers there are', () => {
  expect([0, 4, 8, 100, 256, 257, 1e6].map(inFlight)).toEqual([16, 16, 16, 200, 512, 512, 512])
  // A setting is what it was.
  expect(createStage(100, createItemWindow(64))).toEqual({ total: 100, partitions: 64 })
  expect(createStage(10, createItemWindow(undefined))).toEqual({ total: 10, partitions: 10 })
})

test('documents state what an installation without work requests', () => {
  const requested = (replicasOfExecution: number) =>
    Object.entries(values.services).reduce(
      (
        { cores, mebibytes },
        [
          service,
          {
            replicas,
            resources: { requests },
          },
        ],
      ) => {
        const count = service === 'execution' ? replicasOfExecution : replicas
        const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(requests.memory)!
        return {
          cores: cores + count * coresOf(requests.cpu),
          mebibytes: mebibytes + count * Number(amount) * (unit === 'Gi' ? 1024 : 1),
        }
      },
      { cores: 0, mebibytes: 0 },
    )
  const line = (replicas: number) => {
    const { cores, mebibytes } = requested(replicas)
    return `| ${replicas} | ${cores.toFixed(1)} | ${(mebibytes / 1024).toFixed(2)} GiB |`
  }
  for (const replicas of [values.services['execution']!.replicas, 0])
    expect(read('docs/scaling.md')).toContain(line(replicas))
})

const helm = findHelm(process.env)
const withHelm = helm === null ? test.skip : test
withHelm('execution is scaled to zero where that is asked for, and only with KEDA', () => {
  const zero = { services: { execution: { scaleToZero: true } } }
  const keda = render(helm!, { ...zero, autoscaling: { by: 'keda' } })
  const scaled = scaledIn(keda, 'execution')
  expect(scaled.minReplicaCount).toBe(0)
  expect(rounds(scaled, jobsOfPlace * coresOf(execution.cpu), 1)).toEqual([0, 1, 2, 4, 8, 16, 20])
  expect(scaledIn(keda, 'scoring').minReplicaCount).toBe(1)
  const fixed = render(helm!, zero).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'stateeval-execution',
  )!
  expect(fixed['spec']).toMatchObject({ replicas: 2 })
})

test('replicas with a GPU make no room for programs that they do not take', () => {
  const replica = (holds: number, ...kinds: string[]) => ({
    replica: { host: 'node', pid: 1, startedAt: '2026-01-01T00:00:00.000Z', problems: [], holds },
    queues: kinds.map((kind) => ({ kind, waiting: 0, taken: 0, repeated: 0, lagSeconds: 0 })),
  })
  const [plain, gpu] = [
    replica(16, 'execution.execute', 'execution.capture'),
    replica(8, 'execution.tensors'),
  ]
  expect([[], [plain], [gpu], [plain, gpu, gpu], [plain, gpu, plain]].map(countHeld)).toEqual([
    0, 16, 8, 16, 32,
  ])
  // Its queues could not be read.
  expect(countHeld([plain, replica(4)])).toBe(20)
})
