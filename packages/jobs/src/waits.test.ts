/** What jobs are said to wait for, with a clock of the test. */
import { expect, test } from '@jest/globals'
import { subjects } from '@stateeval/contracts'
import { runInProject } from '@stateeval/service-kit'
import fc from 'fast-check'
import { createMetrics } from '../../service-kit/src/metrics.ts'
import { createWaits } from './waits.ts'

function setUp() {
  const world = { clock: 0, full: false, down: new Set<string>(), waiting: 0 }
  const metrics = createMetrics('evaluation')
  const probe = () => (world.full ? Promise.reject(new Error('the disk is full')) : Promise.resolve())
  const queue = async (subject: string) => ({
    ...{ waiting: world.waiting, inFlight: 0, repeated: 0, lagMs: 0 },
    isTaken: !world.down.has(subject),
  })
  const waits = createWaits(
    { metrics, mongo: { probe } as never, bus: { probe, queue } as never },
    () => world.clock,
  )
  const sweep = (...marks: [id: string, mark: string][]) =>
    runInProject('speech', async () => {
      await waits.look()
      for (const [id, mark] of marks) waits.note(id, mark)
    })
  return { world, waits, sweep, metrics }
}

test('a missing service is named after ten seconds, and no longer than it is missing', async () => {
  const { world, waits, sweep } = setUp()
  await sweep(['ev_1', 'a'])
  world.down.add(subjects.execute)
  world.waiting = 3
  await sweep(['ev_1', 'a'])
  expect(waits.reason('ev_1')).toBeNull()
  world.clock = 10_000
  await sweep(['ev_1', 'a'])
  expect(waits.reason('ev_1')).toBe(
    'No replica of execution takes jobs: 3 wait (execute). Start one, or look at its log.',
  )
  expect(waits.stalled()).toEqual([
    { id: 'ev_1', project: 'speech', seconds: 10, reason: waits.reason('ev_1') },
  ])
  world.down.clear()
  await sweep(['ev_1', 'b'])
  expect(waits.reason('ev_1')).toBeNull()
})

test('a server that stores nothing is named; work that moves on does not wait', async () => {
  const { world, waits, sweep } = setUp()
  await sweep(['ev_1', '0'], ['ev_2', '0'])
  world.full = true
  for (let n = 0; n < 4; n++) {
    world.clock += 5000
    await sweep(['ev_1', '0'], ['ev_2', String(n)])
  }
  expect(waits.reason('ev_1')).toMatch(/^MongoDB does not store: the disk is full.* NATS does not store/)
  expect(waits.reason('ev_2')).toBeNull()
})

test('the pause is the time since the last change, for any course of sweeps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ms: fc.integer({ min: 1, max: 100_000 }), moves: fc.boolean() }), {
        maxLength: 40,
      }),
      async (course) => {
        const { world, waits, sweep, metrics } = setUp()
        let mark = 0
        let moved = 0
        await sweep(['bm_1', '0'])
        for (const { ms, moves } of course) {
          world.clock += ms
          if (moves) [mark, moved] = [mark + 1, world.clock]
          await sweep(['bm_1', String(mark)])
          const pause = world.clock - moved
          expect(waits.reason('bm_1')).toEqual(
            pause < 900_000 ? null : expect.stringMatching(/^No item has ended for/),
          )
          expect(await metrics.registry.metrics()).toContain(
            `stateeval_longest_pause_seconds{service="evaluation"} ${pause / 1000}\n`,
          )
        }
        waits.forget('bm_1')
        expect(waits.stalled()).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
})
