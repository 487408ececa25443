/** How many items are in flight: as many as the host has room for, and never fewer than the stage allows. */
import { expect, test } from '@jest/globals'
import {
  type ItemCounts,
  createEngine,
  type WorkflowHost,
  formatItemId,
  type ItemStep,
  type StagedWorkflow,
} from '../src/index.ts'

/** One workflow of a single stage, whose needs wait until they are answered by hand. */
function workflowOf(stage: StagedWorkflow['stages'][string]) {
  const workflow: StagedWorkflow = { id: 'w', stage: 'samples', stages: { samples: stage } }
  const ends = new Map<string, ItemCounts>()
  const waiting = new Map<string, ItemStep>()
  let room = 0
  let hasEnded = false
  const host: WorkflowHost<StagedWorkflow, number> = {
    definition: () => ({
      item: async (_, __, index) => ({
        start: () => ({ state: index }),
        resume: () => ({ done: index }),
        need: () => index,
      }),
      counts: () => ({}),
      stageEnded: async () => void (hasEnded = true),
    }),
    workflows: {
      recent: async () => workflow,
      current: async () => workflow,
      watched: async () => ['w'],
      watch: async () => undefined,
      unwatch: async () => undefined,
      fail: (_, error) => Promise.reject(new Error(error)),
    },
    ends: {
      async put(id, counts) {
        const isFirst = !ends.has(id)
        if (isFirst) ends.set(id, counts)
        waiting.delete(id)
        return isFirst
      },
      counts: async (ids) => ids.map((id) => ends.get(id) ?? null),
      async *outcomes() {},
    },
    room: () => room,
    claimStageEnd: async () => true,
    sendStart: (item) => engine.start(item),
    async sendNeed(step) {
      if (!ends.has(formatItemId(step.item))) waiting.set(formatItemId(step.item), step)
    },
    checkQueues: async () => undefined,
    noteProgress: () => undefined,
    inTrace: (_, work) => work(),
    after: () => undefined,
    now: () => 0,
    isAway: () => false,
    isPermanent: () => false,
  }
  const engine = createEngine(host)
  const sweep = () => engine.sweep(new AbortController().signal)
  return {
    begin: () => engine.beginStage(workflow),
    inFlight: () => waiting.size,
    hasEnded: () => hasEnded,
    setRoom: async (items: number) => {
      room = items
      // What is due is seen by one sweep, and begun by the next.
      for (let n = 0; n < 3; n++) await sweep()
    },
    /** Answers so many needs, the oldest first. */
    answer: async (count: number) => {
      for (const step of [...waiting.values()].slice(0, count))
        await engine.answer(step, null, { ok: true, value: 0 })
    },
  }
}

test('items in flight follow the room while a stage is under way, and every item ends', async () => {
  const { begin, inFlight, setRoom, answer, hasEnded } = workflowOf({ total: 300, partitions: 40, atOnce: 3 })
  await begin()
  expect(inFlight()).toBe(3)
  await answer(30)
  expect(inFlight()).toBe(3)
  await setRoom(12)
  expect(inFlight()).toBe(12)
  for (let n = 0; n < 5; n++) await answer(10)
  expect(inFlight()).toBe(12)
  // What has begun goes on; no partition begins until fewer are under way than there is room for.
  await setRoom(0)
  expect(inFlight()).toBe(12)
  for (let n = 0; n < 12; n++) await answer(12)
  expect(inFlight()).toBeLessThan(12)
  await setRoom(1000)
  expect(inFlight()).toBeGreaterThan(12)
  expect(inFlight()).toBeLessThanOrEqual(40)
  while (!hasEnded()) {
    expect(inFlight()).toBeGreaterThan(0)
    await answer(40)
  }
  expect(inFlight()).toBe(0)
})

test('a stage without that keeps all its partitions under way', async () => {
  const { begin, inFlight, setRoom, answer } = workflowOf({ total: 30, partitions: 5 })
  await begin()
  await answer(7)
  await setRoom(100)
  expect(inFlight()).toBe(5)
})
