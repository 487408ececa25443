/** Work at a given concurrency: how much of it a second, and how long each took. */
export interface Load {
  perSecond: number
  p50: number
  p95: number
  p99: number
}

/** Runs the work so many times, `concurrency` at a time. Times are in milliseconds. */
export async function load(
  times: number,
  concurrency: number,
  work: (n: number) => Promise<void>,
): Promise<Load> {
  const durations: number[] = []
  let next = 0
  const worker = async () => {
    for (let n = next++; n < times; n = next++) {
      const itemStart = performance.now()
      await work(n)
      durations.push(performance.now() - itemStart)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  durations.sort((a, b) => a - b)
  const at = (share: number) =>
    durations[Math.min(durations.length - 1, Math.ceil(share * durations.length) - 1)]!
  return { perSecond: times / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
