/**
 * Generation alone, on one core: rounds of programs that are dropped as they come, timed by the processor
 * time that they take.
 */
import { defaultOptions, generate, type StrategyId } from '@stateeval/generate'
import type { Scenario } from '@stateeval/program'
import { liveHeapMiB } from '@stateeval/testkit'

export const length = 5

export interface Rounds {
  /**
   * Programs per second of processor time, of all threads of the process: the median round, and slowest to
   * fastest.
   */
  perSecond: number
  slowest: number
  fastest: number
  /** By how much the live heap grew at most while the first including programs went by, in MiB. */
  growthMiB: number
}

/**
 * Rounds of `count` programs, each a generation of its own from its first program on. A round before them
 * warms the code up and watches the heap, and is not timed.
 */
export function rounds(
  scenario: Scenario,
  strategy: StrategyId,
  { count, times, filters = true }: { count: number; times: number; filters?: boolean },
): Rounds {
  const generated = (seed: number) =>
    generate(scenario, {
      ...defaultOptions,
      strategy,
      count,
      length,
      seed,
      observable: filters,
      secondWorlds: filters,
    })
  const before = liveHeapMiB()
  let growthMiB = 0
  for (const { index } of generated(99))
    if (index % 250 === 0) growthMiB = Math.max(growthMiB, liveHeapMiB() - before)

  const round = (seed: number) => {
    const before = process.cpuUsage()
    let programCount = 0
    for (const { index } of generated(seed)) programCount = index + 1
    const { user, system } = process.cpuUsage(before)
    return programCount / ((user + system) / 1e6)
  }
  const rates = Array.from({ length: times }, (_, seed) => round(seed + 1)).sort((a, b) => a - b)
  return {
    perSecond: rates[rates.length >> 1] as number,
    slowest: rates[0] as number,
    fastest: rates.at(-1) as number,
    growthMiB,
  }
}
