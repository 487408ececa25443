import { expect, test } from '@jest/globals'
import { defaultLimits } from '../../runtime/src/limits.ts'
import type { ProcessUsage } from './process-tree.ts'
import { countWall, type ExceededLimit, watch } from './watchdog.ts'

const MiB = 2 ** 20
const used = (memoryMiB: number): ProcessUsage => ({
  memoryBytes: memoryMiB * MiB,
  cpuMs: 0,
  tasks: 1,
  starvedMs: new Map(),
})

test('memory counts from the start of a run: what was there before is nobody’s', async () => {
  // When it was ready it had 20 MiB; earlier programs have left 300.
  const idle = { memoryBytes: 20 * MiB, tasks: 1, ownBytes: undefined }
  let now = 320
  let looks = 0
  const exceeded: ExceededLimit[] = []
  const looked = (count: number) =>
    new Promise<void>((resolve) => {
      const timer = setInterval(() => looks >= count && (clearInterval(timer), resolve()), 5)
    })
  const look = () => {
    looks++
    return used(now)
  }
  const watched = watch(
    process.pid,
    { ...defaultLimits, memoryMiB: 256 },
    (excess) => exceeded.push(excess),
    idle,
    look,
  )
  now = 320 + 255
  await looked(3)
  expect(exceeded).toEqual([])
  now = 320 + 257
  await looked(looks + 2)
  watched.stop()
  expect(new Set(exceeded)).toEqual(new Set(['memory']))
})

test('a wait for a core is not counted, although the kernel reports it when it is over', () => {
  let wallMs = 0
  for (let look = 0; look < 6; look++) wallMs = countWall(wallMs, 40, 0)
  expect(wallMs).toBe(240)
  // It waited all that time, and computed for 40 ms.
  expect(countWall(wallMs, 40, 240)).toBe(40)
})

test('looks that come late count for two, and waits give no credit for later', () => {
  expect(countWall(100, 5000, 0)).toBe(180)
  expect(countWall(100, 5000, 4000)).toBe(0)
})
