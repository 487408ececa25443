/** The sweep alone, on a store in memory: what it stops watching, and what it may not. */
import { expect, test } from '@jest/globals'
import { createEngine, type WorkflowHost, type StagedWorkflow } from '../src/index.ts'
import { createEngineMemory, forgetWorkflow } from '../src/memory.ts'
import { maxFailures, sweepAll } from '../src/sweep.ts'

class Away extends Error {}

/**
 * Workflows by id, watched or not; one that runs has a single stage without items, and counts how often it
 * was swept.
 */
function hostWith(live: Map<string, 'running' | 'succeeded'>, watched: Set<string>) {
  const swept: string[] = []
  const failed: string[] = []
  const current = (id: string): StagedWorkflow | null =>
    live.get(id) === 'running'
      ? { id, stage: 'generate', stages: { generate: { total: 0, partitions: 1 } } }
      : null
  const hooks = {
    stageEnded: async ({ id }: StagedWorkflow) => void swept.push(id),
    beforeUnwatch: () => {},
  }
  const host: WorkflowHost<StagedWorkflow, never> = {
    definition: () => ({
      item: () => Promise.reject(new Error('there are no items')),
      counts: () => ({}),
      stageEnded: (workflow) => hooks.stageEnded(workflow),
    }),
    workflows: {
      recent: async (id) => current(id),
      current: async (id) => current(id),
      watched: async () => [...watched],
      watch: async (id) => void watched.add(id),
      async unwatch(id) {
        hooks.beforeUnwatch()
        watched.delete(id)
      },
      async fail(id, reason) {
        live.set(id, 'succeeded')
        failed.push(`${id}: ${reason}`)
      },
    },
    ends: { put: async () => true, counts: async () => [], async *outcomes() {} },
    room: () => 0,
    claimStageEnd: async () => true,
    sendStart: async () => {},
    sendNeed: async () => {},
    checkQueues: async () => undefined,
    noteProgress: () => undefined,
    inTrace: (_, work) => work(),
    after: () => {},
    now: () => 0,
    isAway: (error) => error instanceof Away,
    isPermanent: () => false,
  }
  const engine = createEngine(host)
  return { host, hooks, swept, failed, sweep: () => engine.sweep(new AbortController().signal) }
}

test('a workflow that is watched before it is stored stays watched, however long that takes', async () => {
  const live = new Map<string, 'running' | 'succeeded'>()
  const watched = new Set(['bm_1'])
  const { hooks, swept, sweep } = hostWith(live, watched)
  await sweep()
  expect([...watched]).toEqual(['bm_1'])
  // Stored while the second sweep was about to forget it.
  hooks.beforeUnwatch = () => void live.set('bm_1', 'running')
  await sweep()
  expect([...watched]).toEqual(['bm_1'])
  await sweep()
  expect(swept).toEqual(['bm_1'])
})

test('a workflow that cannot continue stops nobody else, and is tried again', async () => {
  const live = new Map<string, 'running'>([
    ['bm_1', 'running'],
    ['bm_2', 'running'],
  ])
  const { hooks, swept, sweep } = hostWith(live, new Set(['bm_1', 'bm_2']))
  hooks.stageEnded = async ({ id }) => {
    if (id === 'bm_1' && swept.length === 0) throw new Error('its benchmark is gone')
    swept.push(id)
  }
  await expect(sweep()).rejects.toThrow('its benchmark is gone')
  expect(swept).toEqual(['bm_2'])
  await sweep()
  expect(swept).toEqual(['bm_2', 'bm_1', 'bm_2'])
})

test.each([
  [
    new Error('its report cannot be written'),
    ['bm_1: cannot continue: its report cannot be written. The service’s log has the details.'],
  ],
  [new Away('NATS is away'), []],
])('a workflow with a lasting fault ends; one whose servers are away waits (%#)', async (error, failures) => {
  const { hooks, failed, sweep } = hostWith(new Map([['bm_1', 'running']]), new Set(['bm_1']))
  hooks.stageEnded = () => Promise.reject(error)
  for (let n = 0; n < maxFailures; n++) await expect(sweep()).rejects.toThrow(error.message)
  expect(failed).toEqual(failures)
})

test('a workflow that has ended, or never was, is forgotten by the second sweep', async () => {
  const watched = new Set(['bm_ended', 'bm_none', 'bm_running'])
  const { sweep } = hostWith(
    new Map([
      ['bm_ended', 'succeeded'],
      ['bm_running', 'running'],
    ]),
    watched,
  )
  await sweep()
  expect(watched.size).toBe(3)
  await sweep()
  expect([...watched]).toEqual(['bm_running'])
})

test('what is remembered of a workflow goes with it, also where another replica ended it', async () => {
  const watched = new Set(['ev_1'])
  const { host } = hostWith(new Map([['ev_1', 'running']]), watched)
  const memory = createEngineMemory()
  const remember = (id: string) => {
    memory.positions.set(`${id}/samples/0`, 1)
    memory.pending.set(`${id}/samples/0`, { index: 1, rev: 1, state: {} })
    memory.sightings.set(`${id}/samples/0`, { index: 1, rev: 1, unmoved: 0 })
    memory.counts.set(`${id}/samples/0`, {})
    memory.checks.set(`${id}/samples`, { at: 0, positions: new Map(), completion: Promise.resolve() })
    memory.sweep.absent.add(id)
    memory.sweep.failures.set(id, 1)
  }
  const { positions, pending, sightings, counts, checks, sweep } = memory
  const ids = () => [
    ...[positions, pending, sightings, counts, checks, sweep.failures].map((map) =>
      [...map.keys()].map((key) => key.split('/')[0]),
    ),
    [...sweep.absent],
  ]
  for (const id of ['ev_1', 'ev_10', 'ev_2']) remember(id)
  forgetWorkflow(memory, 'ev_10')
  expect(ids()).toEqual(Array.from({ length: 7 }, () => expect.not.arrayContaining(['ev_10'])))
  expect(pending.size).toBe(2)
  await sweepAll({ host, memory }, new AbortController().signal)
  expect([...pending.keys()]).toEqual(['ev_1/samples/0'])
  expect(ids()).toEqual(Array.from({ length: 7 }, () => expect.not.arrayContaining(['ev_2'])))
})
