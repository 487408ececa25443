/** Files that a case in flight needs stay at hand, whatever else is loaded; files that nobody holds go. */
import { expect, test } from '@jest/globals'
import { liveHeapMiB } from '@stateeval/testkit'
import { createArtifactCache } from '../src/artifact-cache.ts'

const fileBytes = 100_000
/** Counts how often each file is read from the store. */
function storeOf(count: number) {
  const reads = new Map<string, number>()
  return {
    reads,
    artifacts: {
      async get(hash: string) {
        if (Number(hash) >= count) return null
        reads.set(hash, (reads.get(hash) ?? 0) + 1)
        return new Uint8Array(fileBytes).fill(Number(hash) % 256)
      },
    },
  }
}
const hashes = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(from + n))

test('a case in flight finds its files after hundreds of others were loaded', async () => {
  const { artifacts, reads } = storeOf(1000)
  const cache = createArtifactCache(artifacts, { maxBytes: 10 * fileBytes })
  const files = await cache.load(hashes(30))
  for (const hash of hashes(500, 100)) await cache.load([hash])
  liveHeapMiB()
  for (const hash of hashes(30)) expect(cache.get(hash)).toBe(files.get(hash))
  await cache.load(hashes(30))
  expect(hashes(30).map((hash) => reads.get(hash))).toEqual(hashes(30).map(() => 1))
})

test('work finds its files for as long as it takes', async () => {
  const { artifacts } = storeOf(1000)
  const cache = createArtifactCache(artifacts, { maxBytes: 2 * fileBytes })
  const sum = await cache.use(hashes(20), async (files) => {
    await cache.load(hashes(100, 200))
    await new Promise((resolve) => setTimeout(resolve, 10))
    liveHeapMiB()
    expect(files.size).toBe(20)
    return hashes(20).reduce((total, hash) => total + cache.get(hash)[0]!, 0)
  })
  expect(sum).toBe(190)
})

test('several that load the same file at once hold the same bytes', async () => {
  const { artifacts } = storeOf(10)
  const cache = createArtifactCache(artifacts, { maxBytes: 1 })
  const [one, other] = await Promise.all([cache.load(['7']), cache.load(['7'])])
  expect(one.get('7')).toBe(other.get('7'))
  expect(cache.get('7')).toBe(one.get('7'))
})

test('files that nobody holds are let go', async () => {
  const { artifacts } = storeOf(2000)
  const cache = createArtifactCache(artifacts, { maxBytes: 5 * fileBytes })
  const before = liveHeapMiB()
  for (const hash of hashes(1000)) await cache.load([hash])
  await new Promise((resolve) => setTimeout(resolve, 10))
  // All of them would be 95 MiB.
  expect(liveHeapMiB() - before).toBeLessThan(20)
  expect(() => cache.get('3')).toThrow('was not loaded')
})

test('what is not stored is a problem that names it', async () => {
  const { artifacts } = storeOf(1)
  await expect(createArtifactCache(artifacts).load(['0', '5'])).rejects.toThrow(
    'the artifact 5 of the case is not stored here',
  )
})
