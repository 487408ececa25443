/**
 * The engine alone: whatever happens to messages and replicas, every item ends once and every stage is summed
 * up once.
 */
import { expect, test } from '@jest/globals'
import { type Chances, expected, simulate } from './simulation.ts'

const stages = {
  probe: { total: 1, partitions: 1 },
  samples: { total: 23, partitions: 4 },
  wide: { total: 17, partitions: 7, atOnce: 2 },
  last: { total: 6, partitions: 6 },
}
const names = Object.keys(stages) as (keyof typeof stages)[]
const runs = process.env['STATEEVAL_LONG'] === '1' ? 2000 : 40

async function holds(seed: number, chances: Chances, replicas?: number) {
  const { work, outcomes, stats, readings, ends } = await simulate(seed, chances, stages, replicas)
  expect({ seed, status: work.status }).toEqual({ seed, status: 'succeeded' })
  for (const stage of names) {
    const want = Array.from({ length: stages[stage].total }, (_, index) => expected(index))
    expect(outcomes(stage)).toEqual(want)
    expect(work.summed[stage]).toEqual({
      items: want.length,
      sum: want.reduce((sum, one) => sum + one.sum, 0),
    })
  }
  expect(ends).toBe(names.reduce((sum, stage) => sum + stages[stage].total, 0))
  for (const [at, { stage, items }] of readings.entries()) {
    const before = readings[at - 1]
    if (before?.stage === stage) expect(items).toBeGreaterThanOrEqual(before.items)
  }
  return stats
}

test('undisturbed, a single replica needs no sweep to end, and repeats nothing', async () => {
  const stats = await holds(1, { lost: 0, repeated: 0, crash: 0, sweep: 0 }, 1)
  expect(stats).toMatchObject({ repeatedEnds: 0, stalls: 0 })
})

test('undisturbed, replicas that hear of a new stage late need no sweep either', async () => {
  for (let seed = 0; seed < runs; seed++) {
    const stats = await holds(seed, { lost: 0, repeated: 0, crash: 0, sweep: 0 }, 3)
    expect({ seed, stalls: stats.stalls }).toEqual({ seed, stalls: 0 })
  }
})

test('lost, repeated and delayed messages change nothing', async () => {
  let lost = 0
  for (let seed = 0; seed < runs; seed++)
    lost += (await holds(seed, { lost: 0.2, repeated: 0.2, crash: 0, sweep: 0.005 })).lost
  expect(lost).toBeGreaterThan(runs)
})

test('room that comes and goes changes nothing', async () => {
  for (let seed = 0; seed < runs; seed++)
    await holds(seed, { lost: 0.02, repeated: 0.05, crash: 0.005, sweep: 0.005, room: 9 }, 3)
})

test('replicas that die between any two operations change nothing', async () => {
  let crashes = 0
  let repeated = 0
  for (let seed = 0; seed < runs; seed++) {
    const stats = await holds(seed, { lost: 0.05, repeated: 0.1, crash: 0.01, sweep: 0.005 }, 3)
    crashes += stats.crashes
    repeated += stats.repeatedEnds
  }
  expect(crashes).toBeGreaterThan(runs)
  // Ends that were stored twice were counted once.
  expect(repeated).toBeGreaterThan(0)
})
