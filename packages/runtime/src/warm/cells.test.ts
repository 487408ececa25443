/** Pools of many kinds: only so many keep runners, and none loses one that runs a program. */
import { expect, test } from '@jest/globals'
import type { CellEnd, CellKind } from '../cell.ts'
import { mergeConfirmations } from './canary.ts'
import { createWarmCells } from './cells.ts'

const maxPools = 8

function counted() {
  const open = new Set<number>()
  const warm = createWarmCells({
    make({ memoryMiB }) {
      let end = () => {}
      const exited = new Promise<void>((resolve) => (end = resolve))
      open.add(memoryMiB)
      return {
        usable: true,
        runs: 0,
        exited,
        grown: () => 0,
        needsCheck: () => false,
        isCheckDue: false,
        isCheckAwaited: false,
        onAwaited: () => {},
        check: () => Promise.resolve(),
        begin: () => mergeConfirmations([]),
        ready() {
          return Promise.resolve(this)
        },
        run: () => Promise.resolve({} as CellEnd),
        async close() {
          open.delete(memoryMiB)
          end()
          await exited
        },
      }
    },
    nameOf: ({ memoryMiB }) => String(memoryMiB),
    maxIdle: 1,
  })
  const kind = (memoryMiB: number): CellKind => ({
    http: false,
    preload: ['large'],
    surface: null,
    memoryMiB,
  })
  return { open, warm, take: (memoryMiB: number) => warm.take(kind(memoryMiB), '') }
}
const soon = () => new Promise((resolve) => setImmediate(resolve))

test('the kinds that were asked for last keep their runners', async () => {
  const { open, take, warm } = counted()
  for (let kind = 0; kind < 12; kind++) {
    await (await take(kind)).release()
    // One that is asked for again and again stays.
    await (await take(0)).release()
  }
  await soon()
  expect([...open].sort((a, b) => a - b)).toEqual([0, 5, 6, 7, 8, 9, 10, 11])
  expect(open.size).toBe(maxPools)
  await warm.close()
  expect(open.size).toBe(0)
})

test('a kind that runs a program is kept, however many others come', async () => {
  const { open, take, warm } = counted()
  const cells = await Promise.all(Array.from({ length: maxPools + 2 }, (_, kind) => take(kind)))
  await soon()
  expect(open.size).toBe(maxPools + 2)
  await Promise.all(cells.map((cell) => cell.release()))
  await (await take(99)).release()
  await soon()
  expect(open.size).toBe(maxPools)
  await warm.close()
})
